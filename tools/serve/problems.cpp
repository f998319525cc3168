#include "tools/serve/problems.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <sstream>
#include <string_view>

namespace sfg::command {

namespace {

bool take(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

/// "12:" at the front.
std::size_t take_number(std::string_view& text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end == text.data() + text.size() || *end != ':') return 0;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()) + 1);
  return number;
}

std::optional<SaidProblem> problem_in(std::string_view line, const std::string& file) {
  SaidProblem problem{.file = file};
  if (!take(line, file + ":")) return {};
  problem.line = take_number(line);
  if (problem.line > 0) problem.column = take_number(line);
  for (const char* severity : {"error", "warning", "note"}) {
    std::string_view rest = line;
    if (!take(rest, std::string(" ") + severity + ": ")) continue;
    problem.severity = severity;
    problem.message = rest;
    return problem;
  }
  return {};
}

/// "sfg tf: error: …": about the question.
std::optional<SaidProblem> remark_in(std::string_view line) {
  const std::size_t colon = line.find(": ");
  if (!line.starts_with("sfg") || colon == std::string_view::npos) return {};
  auto problem = problem_in(line, std::string(line.substr(0, colon)));
  if (problem) problem->file.clear();
  return problem;
}

/// About another file that the input names: what stands before the severity is its name and perhaps a place.
std::optional<SaidProblem> problem_elsewhere(std::string_view line) {
  if (line.starts_with(' ')) return {};  // an excerpt
  std::size_t end = std::string_view::npos;
  for (const char* severity : {": error: ", ": warning: ", ": note: "}) end = std::min(end, line.find(severity));
  if (end == std::string_view::npos) return {};
  std::string_view file = line.substr(0, end);
  for (int numbers = 0; numbers < 2; ++numbers) {
    const std::size_t colon = file.rfind(':');
    if (colon == std::string_view::npos || file.find_first_not_of("0123456789", colon + 1) != std::string_view::npos) break;
    file = file.substr(0, colon);
  }
  return problem_in(line, std::string(file));
}

}  // namespace

std::vector<SaidProblem> said_problems(const std::string& messages, const std::vector<std::string>& files) {
  std::vector<SaidProblem> problems;
  std::istringstream lines(messages);
  for (std::string line; std::getline(lines, line);) {
    std::optional<SaidProblem> problem = remark_in(line);
    for (const std::string& file : files)
      if (!problem) problem = problem_in(line, file);
    if (!problem) problem = problem_elsewhere(line);
    if (problem) problems.push_back(*std::move(problem));
  }
  return problems;
}

}  // namespace sfg::command
