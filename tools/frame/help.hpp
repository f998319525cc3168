#pragma once
#include <iosfwd>
#include <span>
#include <string>
#include <vector>

#include "tools/frame/verb.hpp"

namespace sfg::command {

/// What `sfg --help` says.
void write_help(std::ostream&, std::span<const Verb>);
/// What `sfg help VERB` says: the options of the verb, examples.
void write_help(std::ostream&, const Verb&);
/// What `sfg help options` says: the options of every verb.
void write_help_of_options(std::ostream&);
/// The page docs/guide/command.md: every verb with its options.
void write_page(std::ostream&, std::span<const Verb>);
/// How the command ends.
struct ExitStatus {
  int code;
  std::string meaning;
};
const std::vector<ExitStatus>& exit_statuses();
/// What may stand for INPUT, in a sentence.
std::string kinds_of_input();
/// What the option does, and its choices where its text does not name them all.
std::string meaning_of(const Option&);
/// The common options but those that the verb refuses.
std::vector<Option> taken_options(const Verb&);

}  // namespace sfg::command
