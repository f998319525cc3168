#include "tools/serve/answered.hpp"

#include <algorithm>

namespace sfg::command {

namespace {

std::string seconds_in_words(double seconds) {
  std::string text = std::to_string(seconds);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text + " s";
}

}  // namespace

std::vector<SaidProblem> problems_of(const ChildResult& result, const std::vector<std::string>& files,
                                     const QuestionLimits& limits) {
  std::vector<SaidProblem> problems = said_problems(result.messages, files);
  const auto add = [&](const std::string& message) { problems.push_back({"error", "", 0, 0, message}); };
  if (result.late)
    add("the question was ended after " + seconds_in_words(limits.seconds) +
        "; ask for less, or start with a larger --time-limit");
  const bool explained = std::ranges::any_of(problems, [](const SaidProblem& problem) { return problem.severity == "error"; });
  if (result.status < 0 && !result.stopped)
    add("the question was ended by the system (signal " + std::to_string(-result.status) +
        "), most likely at a limit of memory or time; ask for less, or start with a larger --memory-limit");
  else if (result.status != 0 && !explained)
    add("the question ended with status " + std::to_string(result.status));
  return problems;
}

nlohmann::json json_of(const std::vector<SaidProblem>& problems) {
  nlohmann::json list = nlohmann::json::array();
  for (const SaidProblem& problem : problems)
    list.push_back({{"severity", problem.severity},
                    {"file", problem.file},
                    {"line", problem.line},
                    {"column", problem.column},
                    {"message", problem.message}});
  return list;
}

std::string dumped(const nlohmann::json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace sfg::command
