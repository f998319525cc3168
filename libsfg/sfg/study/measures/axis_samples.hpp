#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sfg/study/measures/measure.hpp"

namespace sfg {

// Not installed: the frequency response of very many samples.

/// Squares of the magnitude and turns of the phase of T at some frequencies, at many points of the parameters. Both are in the
/// order of what they stand for, decibels and degrees, and quicker to have: logarithms and angles are taken of the few that are
/// shown.
class AxisSamples {
 public:
  AxisSamples(const MeasuredSystem&, const std::vector<std::string>& parameters, std::vector<double> frequency, const Budget&);
  ~AxisSamples();
  AxisSamples(AxisSamples&&) noexcept;

  bool empty() const noexcept { return frequency_.empty(); }
  /// @param parameters  parameters × points
  /// @param values      frequencies × points of squares, then of turns; NaN where there is none
  void evaluate(std::size_t points, std::span<const double> parameters, std::span<double> values) const;

  static double decibels(double square);
  static double degrees(double turn);

 private:
  struct Fan;
  bool fan_out(std::size_t points, std::span<const double> parameters, std::span<double> values) const;

  std::vector<double> frequency_;
  MeasureProgram program_;    ///< gain@ and phase@: for whatever the fan does not decide
  std::unique_ptr<Fan> fan_;  ///< none where T is no fraction, has dead time, or is derived anew
};

}  // namespace sfg
