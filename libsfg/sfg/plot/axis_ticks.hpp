#pragma once
#include <limits>
#include <string>
#include <vector>

#include "sfg/plot/plot.hpp"

// Not installed: the ranges of axes and what is written along them.
namespace sfg {

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  double step = 0;  ///< of its ticks, where the ends were chosen by one
  bool empty() const noexcept { return !(low <= high); }
  void include(double value);  ///< what is not finite is left out
};

/// A number beside its line: "2·10" raised to "−3", or "0.5" alone.
struct Tick {
  double value = 0;
  std::string text = {};
  std::string exponent = {};
};

struct AxisTicks {
  std::vector<Tick> labelled = {};
  std::vector<double> minor = {};  ///< lines without numbers
  int power = 0;                   ///< the numbers are to be multiplied by ten to that power
};

inline constexpr double tick_size = 13, exponent_size = 9.5;  ///< of letters, pixels
double width_of(const Tick&);

/// The data's range, widened: curves do not stick to the frame, a constant has a height, angles and decibels end near a tick.
/// @param tight  the ends are those of the data
Range fitted(const Axis&, const Range& data, bool tight);

/// Place of a value: 0 at the low end, 1 at the high end.
double place_of(double value, const Range&, Axis::Scale);

/// Round numbers along an axis of so many pixels: two at least, none over another; one notation for all of them.
AxisTicks axis_ticks(Axis::Scale, const Range&, double pixels, bool horizontal);

}  // namespace sfg
