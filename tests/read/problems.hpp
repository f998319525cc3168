#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
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

/// A text of which up to four places are replaced, left out or added to.
inline std::string damaged(std::string text, const std::string& bytes, std::size_t longest, std::mt19937_64& random) {
  const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
  for (std::size_t n = 1 + below(4); n > 0 && !text.empty(); --n) {
    const std::size_t at = below(text.size());
    switch (below(3)) {
      case 0: text[at] = bytes[below(bytes.size())]; break;
      case 1: text.erase(at, 1 + below(longest)); break;
      default: text.insert(at, 1, bytes[below(bytes.size())]);
    }
  }
  return text;
}

/// Reading ends, or says where the text is wrong.
template <class Reading>
void expect_survival(const std::string& text, const Reading& reading) {
  try {
    reading(text);
  } catch (const Error& error) {
    EXPECT_GT(error.diagnostics()[0].where.line, 0U) << text;
  } catch (const std::exception& error) {
    FAIL() << error.what() << "\n" << text;
  }
}

}  // namespace sfg::test
