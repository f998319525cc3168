#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sfg/draw/theme.hpp"
#include "sfg/plot/plot.hpp"

// Not installed: how the series of a plot are told apart.
namespace sfg {

/// Colours of series as classes of style rules: one picture is light and dark.
class Inks {
 public:
  /// The class of a series. Series without a colour of their own count up.
  std::string of(const Series&, std::size_t& next);
  /// Rules for the classes that were asked for.
  std::string rules(const std::string& scope, Theme) const;
  /// The colours of the classes "s0", "s1", … of a ramp, as "#rrggbb".
  std::vector<std::string> ramp(Theme) const;

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
/// The attribute `stroke-dasharray` with a space before it; "" for a solid line.
std::string dashes_of(std::size_t dash);
/// The outline of the mark of a pattern about a place; "" for none.
std::string mark_outline(std::size_t mark, double x, double y);

/// The style rules of plots under `#scope`.
std::string plot_style(const std::string& scope, Theme, const Inks&);

}  // namespace sfg
