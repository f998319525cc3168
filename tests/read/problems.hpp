#pragma once
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "sfg/read/input.hpp"

namespace sfg::test {

/// What is said of a text, in its order: errors, or notes and conflicts of units.
inline std::vector<Diagnostic> problems(const std::string& text, InputFormat format, const std::string& file) {
  std::vector<Diagnostic> found;
  try {
    const Input input = read(text, format, file);
    found = input.notes;
    found.insert(found.end(), input.dimensions.conflicts.begin(), input.dimensions.conflicts.end());
  } catch (const Error& error) {
    found.assign(error.diagnostics().begin(), error.diagnostics().end());
  }
  std::ranges::stable_sort(found, {}, [](const Diagnostic& d) { return std::pair(d.where.line, d.where.column); });
  return found;
}

/// The errors that reading ends with: "line:column message", a line each; "" where it does not.
template <class Reading>
std::string errors_of(const Reading& reading) {
  std::string list;
  try {
    reading();
  } catch (const Error& error) {
    for (const Diagnostic& d : error.diagnostics())
      if (d.severity == Severity::error)
        list += std::to_string(d.where.line) + ':' + std::to_string(d.where.column) + ' ' + d.message + '\n';
  }
  return list;
}

}  // namespace sfg::test
