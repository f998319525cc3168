#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tools/serve/child.hpp"
#include "tools/serve/problems.hpp"

namespace sfg::command {

/// Why there is no answer or what is to be said beside it: what the child wrote, and what it could not say any more.
std::vector<SaidProblem> problems_of(const ChildResult&, const std::vector<std::string>& files, const QuestionLimits&);

/// [{"severity", "file", "line", "column", "message"}, …]
nlohmann::json json_of(const std::vector<SaidProblem>&);

/// Bytes that are no UTF-8 become the replacement character.
std::string dumped(const nlohmann::json&);

}  // namespace sfg::command
