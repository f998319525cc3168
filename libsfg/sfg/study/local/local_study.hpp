#pragma once
#include <optional>
#include <string>
#include <vector>

#include "sfg/study/local/root_sensitivity.hpp"
#include "sfg/study/measures/measure.hpp"
#include "sfg/study/study_parameters.hpp"

namespace sfg {

/// A derivative, or why there is none.
struct SidedSlope {
  double slope;          ///< NaN where there is none
  std::string why = {};  ///< there is none: "-2 below the stated value, without bound above the stated value"
  std::optional<double> below = {}, above = {};  ///< towards smaller and greater values, where there are these
};

/// A measure at the stated values, and how it changes with every parameter.
struct MeasureSensitivity {
  std::string name, unit;
  double value = 0;
  std::vector<double> derivative;  ///< ∂M/∂k; NaN where there is none (a peak that two frequencies share), and for a gain
                                   ///< k that is no number
  std::vector<double> relative;    ///< (k/M) ∂M/∂k; NaN for M = 0
  std::vector<SidedSlope> sided;   ///< why there is none, and the derivatives to both sides where there are these
};

/// What a model's parameters do to it at the stated values.
struct LocalStudy {
  std::string input, output;
  std::vector<std::string> parameters;
  std::vector<MeasureSensitivity> measures = {};
  std::optional<RootSensitivities> poles = {}, zeros = {};
};

/// Values by the certified passes (exact_measure()), derivatives by one sweep back through the measures' program, of all
/// parameters that have a value.
/// @param system, parameters  a graph with what it is differentiated by: studied(), gains best as factors
/// @throws NoAnswer naming a measure that does not exist for these values, and why; as MeasureProgram.
LocalStudy local_study(const MeasuredSystem& system, const std::vector<StudyParameter>& parameters,
                       const std::vector<Measure>& measures, const Budget& = {});

}  // namespace sfg
