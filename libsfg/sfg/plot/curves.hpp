#pragma once
#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "sfg/draw/formula.hpp"
#include "sfg/plot/figures.hpp"
#include "sfg/response/frequency_response.hpp"

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

std::string name_of(const FrequencyResponse&);
/// "KIND of u → y" where all are of one transfer function, else the kind alone.
Caption common_title(std::span<const FrequencyResponse>, const std::string& kind);

/// The unit that all of them have; "" where they differ.
template <class Responses>
std::string common_unit(const Responses& responses) {
  const bool one = std::ranges::all_of(responses, [&](const auto& r) { return r.unit == responses.front().unit; });
  return one && !responses.empty() ? responses.front().unit : "";
}

/// The units of responses in their order, each once: each has axes of its own.
template <class Responses>
std::vector<std::string> units_of(const Responses& responses) {
  std::vector<std::string> units;
  for (const auto& r : responses)
    if (std::ranges::find(units, r.unit) == units.end()) units.push_back(r.unit);
  return units;
}

/// What an axis shows, and in which unit.
Caption with_unit(Caption, const std::string& unit);
/// Of an axis of frequencies: "angular frequency ω, rad/s".
Caption frequency_label(const FigureOptions&);
/// The name of an axis in decibels, of a unit or of none.
std::string magnitude_label(const std::string& unit);

/// At each pole and zero on the axis the magnitude runs to the frame, and the phase begins anew: curves do not connect across
/// them.
std::vector<FrequencyResponse> with_gaps(std::span<const FrequencyResponse>);

}  // namespace sfg
