#pragma once
#include <complex>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/study/measures/measure.hpp"

namespace sfg {

/// A parameter to tune and its bounds, low < high.
struct TunedRange {
  std::string name;
  double low = 0;
  double high = 0;
};

/// What tuning is for. With neither an objective nor poles, the values are those nearest to the stated ones that meet the specs.
struct TuningGoal {
  enum class Kind { specs, minimize, maximize, place };
  Kind kind = Kind::specs;
  std::optional<Measure> objective = {};         ///< of minimize and maximize
  std::vector<std::complex<double>> poles = {};  ///< of place: conjugates listed, no more than there are poles
  std::vector<Spec> specs = {};
};

struct TuningOptions {
  std::size_t starts = 16;  ///< at least 2: the stated values first, then points spread over the box
  std::uint64_t seed = 1;   ///< of the points
  unsigned threads = 0;     ///< 0: one for each core
  Budget budget = {};
};

struct TunedParameter {
  std::string name;
  double low = 0;
  double high = 0;
  double before = 0;  ///< the stated value
  double value = 0;

  bool at_bound() const { return value == low || value == high; }
};

struct TunedSpec {
  std::string spec;
  double before = 0;  ///< of its measure at the stated values; NaN where it does not exist
  double value = 0;
  bool met = false;  ///< within 1e-6 relative
};

/// The values that were found, and what they make of the measures.
struct Tuning {
  TuningGoal::Kind kind = TuningGoal::Kind::specs;
  std::string objective_text = {};  ///< of minimize and maximize
  std::vector<TunedParameter> parameters;
  std::optional<double> before = {};             ///< the objective at the stated values
  std::optional<double> objective = {};          ///< of place: the greatest distance of a placed pole
  std::vector<std::complex<double>> poles = {};  ///< of place: where the poles are that were placed, in the order asked
  std::vector<TunedSpec> specs;
  std::size_t starts = 0;
  std::size_t evaluations = 0;              ///< points at which measures were asked for
  std::vector<std::string> conflicts = {};  ///< a smallest list of specs that could not be met together; empty where all are met

  bool met() const;  ///< every spec
};

/// Values of parameters within bounds that meet specs and are best, by sequential quadratic programming from several starts, with
/// the derivatives of the measures, and a search without derivatives where a measure bends or jumps. A point where a measure does
/// not exist is never taken.
/// @throws sfg::Error       for a parameter that is not there or follows from others
/// @throws NoAnswer         where no point was found at which the measures asked for exist
/// @throws std::invalid_argument  for bounds that are none, and a goal that asks nothing
Tuning tuned(const MeasuredSystem&, const std::vector<TunedRange>&, const TuningGoal&, const TuningOptions& = {});

}  // namespace sfg
