#pragma once
#include <string>
#include <vector>

#include "sfg/draw/scene.hpp"
#include "sfg/plot/plot.hpp"

// Not installed: how the series of a plot are told apart.
namespace sfg {

/// Colours of series as classes of style rules: one picture is light and dark.
class Inks {
 public:
  /// The class of a series. Series without a colour of their own count up.
  std::string of(const Series&, std::size_t& next);
  /// What the classes "s0", "s1", … stand for.
  const std::vector<double>& shades() const noexcept { return shades_; }

 private:
  std::vector<double> shades_;  ///< on the ramp
};

/// Dash, and mark along the curve, of a place in the cycle: 28 that grey prints tell apart too.
struct Pattern {
  std::size_t dash = 0;  ///< 0: solid
  std::size_t mark = 0;  ///< 0: none
};
inline constexpr std::size_t most_patterns = 28;
Pattern pattern_of(const Series&);
/// Outlines of the mark of a pattern about these places, one shape.
SceneShape marks_of(std::size_t mark, const std::vector<Point>& places);

}  // namespace sfg
