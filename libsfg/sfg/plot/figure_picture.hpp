#pragma once
#include <string>
#include <vector>

#include "sfg/plot/inks.hpp"
#include "sfg/plot/panel_series.hpp"
#include "sfg/plot/plot.hpp"
#include "sfg/plot/plot_parts.hpp"

// Not installed: a figure as its parts, each at its place.
namespace sfg {

class FigurePicture {
 public:
  explicit FigurePicture(const Figure&);

  const PlotParts& head() const noexcept { return head_; }  ///< title and conditions
  const PlotParts& body() const noexcept { return body_; }
  const Inks& inks() const noexcept { return inks_; }
  /// Texts of notes for which there was no room.
  const std::vector<std::string>& left_out() const noexcept { return left_out_; }
  double height() const noexcept { return height_; }

 private:
  double write_head();
  int height_of(const Panel&) const;
  double room_beside() const;
  double add_panel(std::size_t, double left, double right, double top);
  double add_below(const Legend&, double left, double right, double top);

  const Figure& figure_;
  Inks inks_;
  std::vector<std::vector<std::string>> classes_;  ///< of the series of each panel
  std::vector<Legend> at_the_end_;
  std::vector<std::string> left_out_;
  PlotParts head_, body_;
  double height_ = 0;
};

/// The figure in words, and what its picture left out.
std::string description_of(const Figure&, const FigurePicture&);

}  // namespace sfg
