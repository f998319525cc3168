#pragma once
#include <iosfwd>
#include <span>
#include <string>

#include "sfg/study/local/sensitivity.hpp"
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

}  // namespace sfg
