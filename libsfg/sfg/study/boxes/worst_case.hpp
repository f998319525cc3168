#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/study/measures/measure_program.hpp"
#include "sfg/study/variation.hpp"

namespace sfg {

/// One end of what a measure can be.
struct WorstCaseEnd {
  /// No point of the box lies beyond; nothing where the measure fails somewhere in the box, or has no bound.
  std::optional<double> bound;
  double attained = 0;     ///< the measure at a point of the box, NaN where none was found
  std::vector<double> at;  ///< that point, parameter by parameter
};

struct WorstCase {
  Measure measure;
  double nominal = 0;  ///< at the stated values; NaN where it does not exist there
  WorstCaseEnd lower, upper;
  bool complete = false;  ///< whether bounds and attained values are as close as was asked
  std::size_t boxes = 0;  ///< that were looked at
};

/// Worst cases of a model.
struct WorstCases {
  std::string input, output;
  std::vector<VaryingParameter> parameters;
  std::vector<WorstCase> measures;
  bool complete() const;
};

struct WorstCaseOptions {
  /// What a bound and the attained value may differ by when done, relative to the greater of |attained| and the width of the
  /// range.
  double gap = 1e-3;
  unsigned threads = 0;  ///< 0: one for each core; the result is the same bit by bit
  Budget budget = {};
};

/// The least and the greatest value of measures over the box of all tolerances, guaranteed: a bound holds for every point of the
/// box, rounding included. Branch and bound by intervals (Hansen, Walster, Global Optimization Using Interval Analysis, 2004):
/// ranges of value, gradient and second derivatives over a box of parameters; a parameter in which the measure is monotone goes
/// to an end of its interval, the box with the greatest bound is halved. When the time is over what is known by then is given.
/// @throws NoAnswer naming a measure without guaranteed bounds; as CoefficientProgram and MeasureProgram; Cancelled.
WorstCases worst_cases(const MeasuredSystem&, const std::vector<Measure>&, const Variation&, const WorstCaseOptions& = {});

}  // namespace sfg
