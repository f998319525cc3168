#pragma once
#include <initializer_list>
#include <string>
#include <utility>

#include "sfg/error.hpp"
#include "tools/frame/arguments.hpp"

namespace sfg::command {

/// NAME=TEXT of a word of an option. @param form  as it is written: "NAME=VALUE"
inline std::pair<std::string, std::string> named_text(const std::string& option, const std::string& word,
                                                      const std::string& form) {
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == word.size())
    throw UsageError("option '" + option + " " + word + "' lacks a name or a value", "write " + option + " " + form);
  return {word.substr(0, equals), word.substr(equals + 1)};
}

/// Options that have no place beside what is asked. @param why  behind the name of the option
inline void refuse_any(const Arguments& arguments, std::initializer_list<const char*> options, const std::string& why,
                       const std::string& hint = "leave it out") {
  for (const char* option : options)
    if (arguments.has(option)) throw UsageError(std::string("--") + option + why, hint);
}

/// What the library finds wrong with a word of the command line is a wrong usage of the option; "": the message says of which.
template <class Work>
auto as_usage(const std::string& option, Work work) {
  try {
    return work();
  } catch (const Error& error) {
    const Diagnostic& problem = error.diagnostics().front();
    throw UsageError((option.empty() ? "" : option + ": ") + problem.message, problem.hint);
  }
}

/// The same where words and the input may be wrong: what has no place is of the words.
template <class Work>
auto as_usage_without_place(Work work) {
  try {
    return work();
  } catch (const Error& error) {
    if (error.diagnostics().front().where.line > 0) throw;
    throw UsageError(error.diagnostics().front().message, error.diagnostics().front().hint);
  }
}

}  // namespace sfg::command
