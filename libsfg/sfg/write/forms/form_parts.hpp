#pragma once
#include <complex>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "sfg/approximate/approximate.hpp"
#include "sfg/write/answer.hpp"
#include "sfg/write/forms/approximate.hpp"

// Not installed: what the standard form of a transfer function and those of approximations have in common.
namespace sfg {

/// Roots as they stand beside a formula, four digits each.
std::string complex_numbers(const std::vector<std::complex<double>>&);
/// "0.32 dB and 1.1 degrees", rounded upwards, but not above a limit that is kept.
std::string deviation_text(const Deviation&, const ErrorLimit& limit);
/// How far a form of an approximation is from the truth at worst, what was wanted, and on which range.
std::string error_text(const Deviation&, const ApproximateTransfer&);
/// "error" and "range".
void add_measured(nlohmann::ordered_json&, const Deviation&, std::pair<double, double> range);
/// The same, and "wanted".
void add_error(nlohmann::ordered_json&, const Deviation&, const ApproximateTransfer&);

/// T = gain · factors, and what the names in it stand for.
void add_form(AnswerPage&, const SignalFlowGraph&, const StandardTransfer&, Combinations);
nlohmann::ordered_json json_of_form(const SignalFlowGraph&, const StandardTransfer&, Combinations);

}  // namespace sfg
