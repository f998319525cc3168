#pragma once
#include <iosfwd>
#include <string>

#include "sfg/study/local/local_study.hpp"
#include "sfg/study/local/response_sensitivity.hpp"
#include "sfg/study/local/sensitivity.hpp"
#include "sfg/study/local/sensitivity_sequence.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

/// What is known of one transmittance's sensitivities: closed forms, or values at frequencies, or both.
struct SensitivityReport {
  std::string input;
  std::string output;
  std::vector<Sensitivity> parameters;
  std::vector<SensitivityValue> values;
  std::string variable = "s";
  std::vector<SecondSensitivity> second = {};
};

Math derivative_name(const std::string& parameter);  ///< dT/dk
Math relative_name(const std::string& parameter);    ///< (k/T)·dT/dk

Page page(const SensitivityReport&, bool hertz = false);  ///< frequencies in rad/s or Hz
/// {"schema": "sfg/sens/1", …}: docs/schema/sens.schema.json.
void write_json(std::ostream&, const SensitivityReport&);

/// A table a measure, the parameter that matters most first; then how poles and zeros move.
Page page(const LocalStudy&);
/// {"schema": "sfg/sens/1", …}: docs/schema/sens.schema.json.
void write_json(std::ostream&, const LocalStudy&);

Page page(const ResponseSensitivity&);
/// {"schema": "sfg/sens/1", "step_sensitivities": …}: docs/schema/sens.schema.json.
void write_json(std::ostream&, const ResponseSensitivity&);
/// A column of times, one of y, one a parameter.
void write_csv(std::ostream&, const ResponseSensitivity&);

Page page(const SignalFlowGraph&, const SensitivitySequence&, Detail = Detail::brief);
/// {"schema": "sfg/sens/1", "definitions": [[name, expression], …], …}: docs/schema/sens.schema.json.
void write_json(std::ostream&, const SignalFlowGraph&, const SensitivitySequence&);

}  // namespace sfg
