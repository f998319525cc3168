#include "tools/frame/reply.hpp"

#include <set>

#include <algorithm>
#include <memory>
#include <span>
#include <sstream>

#include "sfg/expr/names_in_use.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/text/printable.hpp"
#include "tools/frame/arguments.hpp"
#include "tools/frame/memory.hpp"
#include "tools/frame/output.hpp"
#include "tools/frame/verb_table.hpp"

namespace sfg::command {

namespace {

/// Numbers of the command line that are likely read as others than were meant.
std::vector<Diagnostic> doubtful_numbers(const Arguments& arguments) {
  std::vector<Diagnostic> doubts;
  for (const char* option :
       {"set", "freq", "until", "amplitude", "sample-time", "range", "interval", "initial", "scale", "within"})
    for (std::string text : arguments.list(option)) {
      std::replace_if(
          text.begin(), text.end(), [](char c) { return c == '=' || c == ':' || c == ','; }, ' ');
      std::istringstream words(text);
      for (std::string word; words >> word;)
        if (auto doubt = doubtful_number(word)) {
          doubt->message = "option --" + std::string(option) + ": " + doubt->message;
          doubts.push_back(std::move(*doubt));
        }
    }
  return doubts;
}

/// An answer on its way to standard output: names and texts of a file must not steer what shows it. What JSON and TOML write in
/// strings has escapes there; pictures and archives go as they are.
std::string made_printable(std::string text) {
  for (const char* binary : {"%PDF", "%!PS", "\x89PNG", "PK\x03\x04"})
    if (text.starts_with(binary)) return text;
  if (is_printable(text)) return text;
  return text.starts_with('{') || text.starts_with('[') ? printable_json(text) : printable(text);
}

}  // namespace

namespace {

/// Options that nobody has asked for are of other questions.
void note_idle(const Verb& verb, const Arguments& arguments, std::vector<Diagnostic>& notes) {
  // They are of the frame: limits of the work, and how it is shown.
  static const std::set<std::string> of_frame{"output",       "json",       "quiet",     "verbose", "no-color",
                                              "memory-limit", "time-limit", "max-terms", "threads"};
  std::vector<std::string> idle = arguments.unread();
  std::erase_if(idle, [](const std::string& option) { return of_frame.contains(option); });
  if (verb.of_values && arguments.has("numbers") && !arguments.has("symbolic")) idle.emplace_back("numbers");
  for (const std::string& option : idle)
    notes.push_back({{}, "--" + option + " makes no difference here", "leave it out", Severity::remark});
}

}  // namespace

int run_verb(const Verb& verb, const Arguments& arguments, const Budget& budget, const Surroundings& around, Said& said) {
  std::ostringstream out;
  const NamesInUse names;
  Task task{arguments, budget, out, said.notes, around.working};
  task.progress = around.progress;
  task.ranks = around.ranks;
  task.given = around.given;
  task.delivered = around.ranks && around.ranks->rank() != 0;
  const auto place_notes = [&] {
    const std::vector<Diagnostic> doubts = doubtful_numbers(arguments);  // it reads options that the verb may have left
    said.notes.insert(said.notes.begin(), doubts.begin(), doubts.end());
    const auto command = std::make_shared<const std::string>("sfg " + verb.name);
    for (Diagnostic& note : said.notes)
      if (!note.where.file) note.where.file = command;
    say_in_options(said.notes, verb.name);
  };
  int status = 0;
  try {
    status = verb.run(task);
  } catch (...) {
    place_notes();  // they may tell why there is no answer
    throw;
  }
  note_idle(verb, arguments, said.notes);
  place_notes();
  said.text = std::move(out).str();
  if (arguments.text("output", "-") == "-") said.text = made_printable(std::move(said.text));
  said.delivered = task.delivered;
  return status;
}

namespace {

double mebibytes_of(const Budget& budget) { return static_cast<double>(budget.limits().memory_bytes) / 1048576; }

}  // namespace

VerbReply reply(const Verb& verb, const Arguments& arguments, const Budget& budget, const GivenInput* given) {
  VerbReply result;
  watch_memory();
  try {
    result.status = run_verb(verb, arguments, budget, {.given = given}, result.said);
    if (arguments.has("output") && !result.said.delivered && arguments.text("output") != "-") {
      deliver(result.said.text, arguments.text("output"));
      result.said.delivered = true;
    }
    require_memory();
  } catch (...) {
    result.ending = ending_of_failure(verb.name, given != nullptr ? given->name : arguments.input(), mebibytes_of(budget));
    result.status = result.ending->status;
  }
  return result;
}

VerbReply reply(const std::vector<std::string>& words, const Budget& budget, const GivenInput* given) {
  std::string verb;
  try {
    if (words.empty()) throw UsageError("the verb is missing", "'sfg --help' lists the verbs");
    const Verb& chosen = verb_named(words);
    verb = chosen.name;
    return reply(chosen, Arguments(chosen, std::span(words).subspan(1)), budget, given);
  } catch (...) {
    VerbReply result;
    result.ending = ending_of_failure(verb, "", mebibytes_of(budget));
    result.status = result.ending->status;
    return result;
  }
}

}  // namespace sfg::command
