#pragma once
#include <string>
#include <vector>

#include "sfg/plot/figures.hpp"

// Not installed: how the curves of several responses are told apart.
namespace sfg {

/// A value as notes and descriptions state it, with a typeset minus sign.
std::string four_digits(double value);

/// For other tools: what a curve shows, and of which transfer function.
Series marked(Series, const std::string& kind, const std::string& input, const std::string& output);

/// A figure without panels.
Figure empty_figure(Caption title, std::string description, const FigureOptions&);

/// Colours, dashes, names and sets of the curves of a figure: up to 24 are told apart by colour, dash and mark, in grey print
/// too; more, and many of a sweep, lie on the palette's ramp. The legend names curves where there are several; of many sets it
/// shows some, the first and the last among them.
class Curves {
 public:
  Curves(std::size_t count, const FigureOptions&);
  /// @param name  of the response; "": the curve is not in the legend
  Series curve(std::size_t index, const Caption& name, std::vector<double> x, std::vector<double> y,
               Series::Style = Series::Style::line) const;

 private:
  bool in_legend(std::size_t set) const;

  std::size_t count_;
  std::vector<std::string> sets_;  ///< of each curve
  std::size_t per_set_ = 1;
};

}  // namespace sfg
