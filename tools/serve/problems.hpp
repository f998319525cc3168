#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace sfg::command {

/// One thing that the command said about its input.
struct SaidProblem {
  std::string severity = {};  ///< error, warning, note
  std::string file = {};      ///< "" where the words of the question are meant and not a file
  std::size_t line = 0, column = 0;
  std::string message = {};  ///< with what to do

  bool operator==(const SaidProblem&) const = default;
};

/// What the command wrote to standard error, "FILE:LINE:COLUMN: error: what; what to do" a line, without the excerpts below.
/// @param files  names that a message may begin with (a name may have colons itself)
std::vector<SaidProblem> said_problems(const std::string& messages, const std::vector<std::string>& files);

}  // namespace sfg::command
