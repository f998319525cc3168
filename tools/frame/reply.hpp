#pragma once
#include <optional>
#include <string>
#include <vector>

#include "sfg/budget.hpp"
#include "tools/frame/failure.hpp"
#include "tools/frame/verb.hpp"

namespace sfg::command {

/// What a verb has said.
struct Said {
  std::string text;               ///< the result
  std::vector<Diagnostic> notes;  ///< the verb is their place where they have none
  bool delivered = false;         ///< the file of -o is written
};

/// What a verb finds around it.
struct Surroundings {
  void (*working)(const char*) = [](const char*) {};
  void (*progress)(std::uint64_t done, std::uint64_t all) = [](std::uint64_t, std::uint64_t) {};
  Ranks* ranks = nullptr;
  const GivenInput* given = nullptr;
};

/// Runs a verb to its end, or to an exception; `said` holds the notes then, too. @returns the exit status
int run_verb(const Verb&, const Arguments&, const Budget&, const Surroundings&, Said& said);

/// A question asked within a process that goes on: by the Python module, by a line of a batch.
struct VerbReply {
  int status = 0;
  Said said;
  std::optional<Ending> ending = {};  ///< what went wrong
};

/// `words` as on the command line: "tf", "-", "--json". Nothing is printed and nothing ends the process; a file that -o names is
/// written. One at a time: formulas stay on one thread.
/// @param given  stands in place of the input file
VerbReply reply(const std::vector<std::string>& words, const Budget&, const GivenInput* given = nullptr);
/// The same with words that are read already.
VerbReply reply(const Verb&, const Arguments&, const Budget&, const GivenInput* given = nullptr);

}  // namespace sfg::command
