#pragma once
#include <string>

#include "sfg/error.hpp"
#include "tools/frame/arguments.hpp"

namespace sfg::command {

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

}  // namespace sfg::command
