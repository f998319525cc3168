#pragma once
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/error.hpp"
#include "sfg/study/samples/monte_carlo.hpp"

namespace sfg::command {

class Arguments;
struct Task;

/// One option of the command line. Parsing, help, the manual page and the shell's completion come from tables of these.
struct Option {
  enum class Kind {
    text,
    number,  ///< positive, decimals allowed
    count,   ///< a whole number from 0
    choice,  ///< one of `choices`
  };
  std::string name;   ///< "--form"
  std::string value;  ///< what stands after it in the help ("FORM"); empty for a switch
  std::string text;   ///< what it does, in one sentence
  Kind kind = Kind::text;
  std::vector<std::string> choices = {};
  bool repeatable = false;
  char letter = 0;                         ///< 'o' for -o
  std::vector<std::string> of = {};        ///< the ways of the verb that take it, by their names; none: all do
  std::vector<std::string> formerly = {};  ///< older spellings, which are taken, and which help does not list
};

/// The option, which has had another name.
inline Option formerly(const std::string& name, Option option) {
  option.formerly.push_back(name);
  return option;
}

/// What becomes of the parameters in an answer.
enum class Parameters {
  stated,          ///< they have their values
  ranged,          ///< the answer is for other values of some, too
  differentiated,  ///< it is how they change it
  sampled,         ///< they take many values within their tolerances
  tuned,           ///< their values are searched
  moved,           ///< a reader of what is made moves them
  kept             ///< what is made goes on with them
};

/// One of several questions of a verb.
struct Way {
  std::string name;                           ///< as messages have it: "--monte-carlo"
  std::vector<std::string> chosen_by;         ///< any of these options; none: the way without them
  int (*run)(Task&) = nullptr;                ///< none: the verb tells
  std::optional<Parameters> parameters = {};  ///< where they are not those of the verb
};

/// Adds options of these ways only; of all where none is named.
void add(std::vector<Option>& all, const std::vector<std::string>& ways, std::vector<Option> more);

/// A text in memory that stands in place of the input file.
struct GivenInput {
  std::string text;
  std::string name;  ///< in messages
};

/// What a verb works with.
struct Task {
  const Arguments& arguments;
  const Budget& budget;
  std::ostream& out;               ///< the result; it is delivered as a whole, after the verb has ended well
  std::vector<Diagnostic>& notes;  ///< warnings, shown on standard error
  void (*working)(const char*);    ///< says what is going on, for the progress line
  /// The unit of a signal as the input states it or lets infer; "" where it is not known. Set with the input.
  std::function<std::string(const std::string&)> unit_of = [](const std::string&) { return std::string(); };
  /// How much of it is done, where that is known.
  void (*progress)(std::uint64_t done, std::uint64_t all) = [](std::uint64_t, std::uint64_t) {};
  const GivenInput* given = nullptr;  ///< instead of a file; --format says what it is
  Ranks* ranks = nullptr;             ///< processes that share the work
  bool delivered = false;             ///< the verb has written the file of -o by itself
  bool decimal_typed = false;         ///< a value that --numbers puts in was written as a decimal
};

/// A common option that a verb has no use for, and what to do instead: it is refused, never ignored.
struct Refusal {
  std::string name;  ///< "--from"
  std::string hint;
};

/// One verb of the command: a row of the table in main.cpp.
struct Verb {
  std::string name;
  std::string summary;
  std::string details;
  std::vector<Option> options;
  std::vector<std::string> examples;
  int (*run)(Task&);                  ///< returns the exit status
  bool needs_input = true;            ///< false: it can do without (routh --polynomial)
  bool about_input = false;           ///< it tells of the input itself: notes are shown too, not only warnings
  std::vector<Refusal> refuses = {};  ///< common options that do not belong to it
  bool many_inputs = false;           ///< it takes several files, one after the other
  bool limits_each = false;           ///< of several files, the limit of time holds for each
  /// It goes on until it is interrupted: the limits of time and memory are those of each of its answers.
  bool (*lasts)(const Arguments&) = nullptr;
  std::vector<Way> ways = {};  ///< the first that is chosen holds
  bool of_values = false;      ///< it takes the stated values anyway
  Parameters parameters = Parameters::stated;
  bool keeps_laws = false;  ///< it is about laws, so that those of energies and bodies stay
};

/// The way that the words choose; none of a verb without ways.
const Way* way_of(std::span<const Way>, const Arguments&);

Verb absolute();
Verb balance();
Verb bode();
Verb certificate();
Verb check();
Verb compare();
Verb derive();
Verb discretize();
Verb draw();
Verb exercise();
Verb export_model();
Verb fit();
Verb graph();
Verb identifiable();
Verb impulse();
Verb margins();
Verb mason();
Verb nichols();
Verb noise();
Verb nyquist();
Verb poles();
Verb ports();
Verb reduce();
Verb report_study();
Verb rlocus();
Verb routh();
Verb sens();
Verb serve();
Verb simulate();
Verb step();
Verb tf();
Verb tune();

}  // namespace sfg::command
