#pragma once
#include <iosfwd>
#include <span>
#include <string>
#include <vector>

#include "sfg/error.hpp"

namespace sfg::command {

/// Why a run has ended badly: exit status, its name in JSON, and what to tell the user.
struct Ending {
  int status = 70;
  std::string kind;
  std::vector<Diagnostic> problems;
};

/// The exception being handled, as exit status and messages (docs/design/interface.md, section 1). Call it in a catch block.
/// @param input  name of the input, for messages that have no place of their own; "" when there is none.
/// @param memory_limit  in MiB, for the message when memory has ended.
Ending ending_of_failure(const std::string& verb, const std::string& input, double memory_limit);

/// The remedies in the words of the command: with the names of the options that the verb takes.
void say_in_options(std::span<Diagnostic>, const std::string& verb);

/// What is as severe as wanted, once each: readers and passes may say the same.
std::vector<Diagnostic> worth_saying(std::span<const Diagnostic>, Severity least);

/// "file:line:column: error: message; hint", each with the line of the file and a caret below it.
void write_text(std::ostream&, std::span<const Diagnostic>, bool colours);
/// {"schema": "sfg/error/1", "error": {…}, "errors": […]}: the first problem, and all.
void write_json(std::ostream&, const Ending&);
/// [{"severity", "message", "file", "line", "column", "hint"}, …]
std::string json_of(std::span<const Diagnostic>);

}  // namespace sfg::command
