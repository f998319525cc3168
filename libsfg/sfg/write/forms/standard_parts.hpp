#pragma once
#include <nlohmann/json.hpp>

#include "sfg/write/answer.hpp"
#include "sfg/write/forms/approximate.hpp"

namespace sfg {

// Not installed: what the standard form of a transfer function and those of approximations have in common.

/// T = gain · factors, and what the names in it stand for.
void add_form(AnswerPage&, const SignalFlowGraph&, const StandardTransfer&, Combinations);
nlohmann::ordered_json json_of_form(const SignalFlowGraph&, const StandardTransfer&, Combinations);

}  // namespace sfg
