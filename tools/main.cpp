#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <set>
#include <sstream>
#include <vector>

#include "tools/arguments.hpp"
#include "tools/failure.hpp"
#include "tools/help.hpp"
#include "tools/output.hpp"
#include "tools/verb.hpp"
#include "tools/watch.hpp"

namespace sfg::command {
namespace {

std::vector<Verb> verbs() {
  return {check(),   derive(),  graph(), draw(),    tf(),       mason(),      reduce(), poles(),  bode(), nyquist(),
          nichols(), margins(), step(),  impulse(), simulate(), discretize(), routh(),  rlocus(), sens()};
}

const Verb& verb_named(const std::string& name, const std::vector<Verb>& table) {
  std::vector<std::string> names;
  for (const Verb& verb : table) {
    if (verb.name == name) return verb;
    names.push_back(verb.name);
  }
  const std::string near = nearest(name, names);
  std::string hint = near.empty() ? "the verbs are" : "did you mean " + near + "? The verbs are";
  for (const std::string& known : names) hint += " " + known;
  throw UsageError("verb '" + name + "' is not known to this version", hint);
}

/// --help, --version and what belongs to no verb. True when that was all.
bool answered(const std::vector<std::string>& words, const std::vector<Verb>& table) {
  std::ostringstream out;
  const std::string& first = words.front();
  if (first == "--version") {
    out << "sfg " SFG_VERSION "\n";
  } else if (first == "--help" || first == "-h" || (first == "help" && words.size() == 1)) {
    write_help(out, table);
  } else if (first == "help" && words[1] == "--page") {
    write_page(out, table);
  } else if (first == "help") {
    write_help(out, verb_named(words[1], table));
  } else if (first == "completion") {
    write_completion(out, table);
  } else if (words.size() > 1 && asks_for_help(words)) {
    write_help(out, verb_named(first, table));
  } else {
    return false;
  }
  deliver(out.str());
  return true;
}

bool colours(const std::vector<std::string>& words) {
  const char* no_color = std::getenv("NO_COLOR");
  const bool refused = (no_color && *no_color) || std::find(words.begin(), words.end(), "--no-color") != words.end();
  return !refused && ::isatty(STDERR_FILENO) == 1;
}

/// What is as severe as wanted, once each: readers and passes may say the same.
std::vector<Diagnostic> shown(const std::vector<Diagnostic>& notes, Severity least) {
  std::vector<Diagnostic> kept;
  std::set<std::string> said;
  for (const Diagnostic& note : notes)
    if (note.severity <= least && said.insert(to_string(note)).second) kept.push_back(note);
  return kept;
}

int run(const Verb& verb, const Arguments& arguments, bool in_colour) {
  const double seconds = arguments.number("time-limit").value_or(default_seconds);
  const double mebibytes = arguments.number("memory-limit").value_or(default_mebibytes);
  const bool quiet = arguments.has("quiet");
  Watch watch({.verb = verb.name,
               .seconds = seconds,
               .mebibytes = mebibytes,
               .progress = !quiet && ::isatty(STDERR_FILENO) == 1,
               .json = arguments.has("json")});
  const Budget budget({.seconds = seconds,
                       .memory_bytes = static_cast<std::size_t>(mebibytes * 1048576),
                       .terms = arguments.count("max-terms", 1'000'000)},
                      watch.token());
  const auto start = std::chrono::steady_clock::now();
  std::ostringstream out;
  std::vector<Diagnostic> notes, essential;
  Task task{arguments, budget, out, notes, essential, Watch::working};
  const int status = verb.run(task);

  const bool verbose = arguments.has("verbose");
  Severity least = Severity::warning;
  if (verb.about_input || verbose) least = Severity::note;
  if (quiet) least = Severity::error;
  std::ostringstream remarks;
  write_text(remarks, shown(essential, Severity::warning), in_colour);
  write_text(remarks, shown(notes, least), in_colour);
  if (verbose) {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    remarks << "sfg " << verb.name << ": done in " << spent.count() << " s\n";
  }
  Watch::end_progress();
  std::cerr << remarks.str();
  deliver(out.str(), arguments.text("output", "-"));
  return status;
}

int command(const std::vector<std::string>& words) {
  const bool in_colour = colours(words);
  std::string verb, input;
  double mebibytes = default_mebibytes;
  try {
    const std::vector<Verb> table = verbs();
    if (words.empty()) throw UsageError("the verb is missing", "'sfg --help' lists the verbs");
    if (answered(words, table)) return 0;
    const Verb& chosen = verb_named(words.front(), table);
    verb = chosen.name;
    const Arguments arguments(chosen, std::span(words).subspan(1));
    input = arguments.input();
    mebibytes = arguments.number("memory-limit").value_or(default_mebibytes);
    return run(chosen, arguments, in_colour);
  } catch (...) {
    const Failure failure = failure_in_flight(verb, input, mebibytes);
    std::ostringstream message;
    write_text(message, failure.problems, in_colour);
    std::cerr << message.str();
    if (asks_for_json(words)) {
      std::ostringstream json;
      write_json(json, failure);
      deliver(json.str());
    }
    return failure.status;
  }
}

}  // namespace
}  // namespace sfg::command

int main(int count, char** words) {
  try {
    return sfg::command::command({words + 1, words + count});
  } catch (const std::exception& e) {  // not even the message could be written
    std::cerr << "sfg: error: " << e.what() << '\n';
    return 3;
  }
}
