#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/study/measures/measure.hpp"
#include "sfg/study/variation.hpp"

namespace sfg {

/// One end of what a measure can be.
struct WorstCaseEnd {
  /// No point of the region lies beyond; nothing where the measure fails somewhere in it, or has no bound.
  std::optional<double> bound;
  double attained = 0;     ///< the measure at a point of the region, NaN where none was found
  std::vector<double> at;  ///< that point, parameter by parameter
};

struct WorstCase {
  Measure measure;
  double nominal = 0;  ///< at the stated values; NaN where it does not exist there
  WorstCaseEnd lower, upper;
  bool complete = false;  ///< whether bounds and attained values are as close as was asked
  std::size_t boxes = 0;  ///< that were looked at
};

/// How far from the stated values an ellipsoid reaches.
struct EllipsoidLevel {
  double size = 3;              ///< k of (x − μ)ᵀ Σ⁻¹ (x − μ) ≤ k²; or the probability of its inside
  bool is_probability = false;  ///< of normal parameters, in 0 … 1: k² is the quantile of χ² with as many degrees as Σ has rank
};

/// The normal parameters of a worst case, together.
struct ToleranceEllipsoid {
  double level = 0;        ///< k
  double probability = 0;  ///< that all of them lie inside
  std::vector<std::string> parameters;
  std::size_t rank = 0;  ///< of Σ
};

/// Worst cases of a model.
struct WorstCases {
  std::string input, output;
  std::vector<VaryingParameter> parameters;
  std::vector<WorstCase> measures;
  std::optional<ToleranceEllipsoid> ellipsoid = {};  ///< nothing: the box of all
  bool complete() const;
};

struct WorstCaseOptions {
  /// What a bound and the attained value may differ by when done, relative to the greater of |attained| and the width of the
  /// range.
  double gap = 1e-3;
  std::optional<EllipsoidLevel> level = {};  ///< normal parameters in an ellipsoid; nothing: in the box, as the others
  unsigned threads = 0;                      ///< 0: one for each core; the result is the same bit by bit
  Budget budget = {};
};

/// The least and the greatest value of measures over the box of all tolerances, guaranteed: a bound holds for every point of the
/// box, rounding included. Branch and bound by intervals (Hansen, Walster, Global Optimization Using Interval Analysis, 2004):
/// ranges of value, gradient and second derivatives over a box of parameters; a parameter in which the measure is monotone goes
/// to an end of its interval, the box with the greatest bound is halved. When the time is over what is known by then is given.
/// With a level the normal parameters are in the ellipsoid {(x − μ)ᵀ Σ⁻¹ (x − μ) ≤ k²} of their covariances, singular ones
/// included, the others in their box: x = μ + A z with |z| ≤ k, and a multiplier of |z|² ≤ k² in every bound.
/// @throws NoAnswer naming a measure without guaranteed bounds; sfg::Error for covariances without an ellipsoid; as
///         CoefficientProgram and MeasureProgram; Cancelled.
WorstCases worst_cases(const MeasuredSystem&, const std::vector<Measure>&, const Variation&, const WorstCaseOptions& = {});

}  // namespace sfg
