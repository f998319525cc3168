#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tools/frame/arguments.hpp"

namespace sfg::command {

struct AskedQuestion;
struct BatchAnswer;

/// What the questions of a batch have in common.
struct BatchTerms {
  std::string verb;                   ///< of questions that state none
  std::vector<std::string> words;     ///< its options
  double seconds = 0, mebibytes = 0;  ///< limits of each question
  Severity least = Severity::remark;  ///< of what stands beside an answer
  /// Answers in place of the verb, in the worker, which knows all that this process does; a line of JSON begins the answer.
  std::function<BatchAnswer(const AskedQuestion&)> by = {};
};

/// A question as it comes.
struct AskedQuestion {
  std::string text;        ///< the name of a file, or a line of standard input
  std::uint64_t line = 0;  ///< of standard input; 0: a file of the command line
  bool too_long = false;   ///< the line was given up
};

/// Longest line of standard input, in bytes.
inline constexpr std::size_t longest_question = std::size_t{64} << 20;

/// A question as it is understood.
struct BatchQuestion {
  std::string verb;
  std::vector<std::string> options;
  std::string file;                ///< "" where the text is given
  std::optional<GivenInput> text;  ///< instead of a file
  std::string id;                  ///< JSON; "" where none is stated
};

/// A file's name, or {"verb", "file" or "text", "format", "args", "id"} of a line that begins with '{'.
/// `question` holds what is understood before anything wrong is met.
/// @throws sfg::Error at the line of standard input.
void read_question(const AskedQuestion&, const BatchTerms&, BatchQuestion& question);

/// The verb of a question. @throws UsageError where nothing of the name answers questions.
const Verb& verb_asked(const std::string& name);

/// Whether it knows --json; the answers of others are texts.
bool writes_json(const Verb&);

/// The options of a verb that a batch has for itself: of its output, of its processes, of what is shown.
bool belongs_to_batch(const Option&);

}  // namespace sfg::command
