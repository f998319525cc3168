#pragma once
#include <iosfwd>
#include <span>
#include <string>

#include "tools/frame/verb.hpp"

namespace sfg::command {

/// Completion of verbs, options and choices for a shell: bash, zsh or fish. CMake installs all three.
/// @throws UsageError for any other shell.
void write_completion(std::ostream&, const std::string& shell, std::span<const Verb>);

}  // namespace sfg::command
