#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <new>
#include <sstream>
#include <vector>

#include "sfg/expr/number_memory.hpp"
#include "sfg/text/printable.hpp"
#include "tools/frame/arguments.hpp"
#include "tools/frame/completion.hpp"
#include "tools/frame/dot_check.hpp"
#include "tools/frame/failure.hpp"
#include "tools/frame/help.hpp"
#include "tools/frame/manual.hpp"
#include "tools/frame/memory.hpp"
#include "tools/frame/output.hpp"
#include "tools/frame/program.hpp"
#include "tools/frame/ranks.hpp"
#include "tools/frame/reply.hpp"
#include "tools/frame/verb_table.hpp"
#include "tools/frame/version.hpp"
#include "tools/frame/watch.hpp"

namespace sfg::command {
namespace {

/// Of what is no verb but may be asked about, the page of all verbs tells.
const Verb& verb_helped(const std::string& name) {
  const std::vector<Option>& options = common_options();
  if (std::ranges::find(options, name, &Option::name) != options.end())
    throw UsageError("'" + name + "' is an option of every verb",
                     "'sfg help options' lists those; 'sfg help VERB' those of a verb");
  return verb_named({name});
}

/// sfg help [VERB | options], and the documents that are made of the tables.
void write_asked_help(std::ostream& out, const std::vector<std::string>& words) {
  const std::vector<Verb>& table = verb_table();
  const std::string asked = words.size() > 1 ? words[1] : "";
  if (asked.empty()) {
    write_help(out, table);
  } else if (asked == "options") {
    write_help_of_options(out);
  } else if (asked == "--page") {
    write_page(out, table);
  } else if (asked == "--man") {
    if (words.size() > 2) return write_manual(out, verb_named({words[2]}));
    write_manual(out, table);
  } else if (asked == "--man-pages") {
    if (words.size() != 3)
      throw UsageError("it is not said where the man pages go", "name a folder: sfg help --man-pages FOLDER");
    write_manuals(words[2], table);
  } else {
    write_help(out, verb_helped(asked));
  }
}

/// --help, --version and what belongs to no verb. True when that was all.
bool answered(const std::vector<std::string>& words) {
  const std::vector<Verb>& table = verb_table();
  std::ostringstream out;
  const std::string& first = words.front();
  if (first == "--version") {
    if (words.size() > 1 && words[1] != "--json")
      throw UsageError("'" + words[1] + "' is not known here", "write sfg --version --json");
    asks_for_json(words) ? write_version_json(out) : write_version(out);
  } else if (first == "--help" || first == "-h") {
    write_help(out, table);
  } else if (first == "help") {
    write_asked_help(out, words);
  } else if (first == "completion") {
    if (words.size() > 2) throw UsageError("one shell at a time", "write sfg completion bash, zsh or fish");
    write_completion(out, words.size() == 1 ? "bash" : words[1], table);
  } else if (words.size() > 1 && asks_for_help(words)) {
    write_help(out, verb_named(words));
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

int run(const Verb& verb, const Arguments& arguments, Ranks* ranks, bool in_colour) {
  const double files = verb.limits_each ? static_cast<double>(arguments.inputs().size()) : 1;
  const double seconds = files * arguments.number("time-limit").value_or(default_seconds);
  const double mebibytes = arguments.number("memory-limit").value_or(default_mebibytes);
  const bool quiet = arguments.has("quiet");
  const bool lasts = verb.lasts != nullptr && verb.lasts(arguments);
  Watch watch({.verb = verb.name,
               .seconds = lasts ? std::nullopt : std::optional(seconds),
               .mebibytes = lasts ? std::nullopt : std::optional(mebibytes),
               .progress = !quiet && (!lasts || verb.limits_each) && ::isatty(STDERR_FILENO) == 1,
               .json = arguments.has("json")});
  const Budget budget({.seconds = lasts ? std::nullopt : std::optional(seconds),
                       .memory_bytes = static_cast<std::size_t>(mebibytes * 1048576),
                       .terms = arguments.count("max-terms", 1'000'000)},
                      watch.token());
  const auto start = std::chrono::steady_clock::now();
  const bool verbose = arguments.has("verbose");
  Severity least = Severity::remark;
  if (verb.about_input || verbose) least = Severity::note;
  if (quiet) least = Severity::warning;
  Said said;
  const auto say_notes = [&] {
    std::ostringstream remarks;
    write_text(remarks, worth_saying(said.notes, least), in_colour);
    Watch::end_progress();
    std::cerr << remarks.str();
  };
  int status = 0;
  try {
    status = run_verb(verb, arguments, budget, {Watch::working, Watch::progress, ranks}, said);
  } catch (...) {
    say_notes();
    throw;
  }
  say_notes();
  if (verbose) {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    std::cerr << "sfg " << verb.name << ": done in " << spent.count() << " s\n";
  }
  if (!said.delivered) deliver(said.text, arguments.text("output", "-"));
  return status;
}

int command(const std::vector<std::string>& words, Ranks* ranks) {
  const bool in_colour = colours(words);
  std::string verb, input;
  double mebibytes = default_mebibytes;
  try {
    if (words.empty()) throw UsageError("the verb is missing", "'sfg --help' lists the verbs");
    if (answered(words)) return 0;
    const Verb& chosen = verb_named(words);
    verb = chosen.name;
    const Arguments arguments(chosen, std::span(words).subspan(1));
    input = arguments.input();
    mebibytes = arguments.number("memory-limit").value_or(default_mebibytes);
    return run(chosen, arguments, ranks, in_colour);
  } catch (...) {
    watch_memory();  // of the message
    const Ending ending = ending_of_failure(verb, input, mebibytes);
    std::ostringstream message;
    write_text(message, ending.problems, in_colour);
    std::cerr << message.str();
    if (asks_for_json(words)) {
      std::ostringstream json;
      write_json(json, ending);
      deliver(json.str());
    }
    return ending.status;
  }
}

/// Standard input, output and error where the caller closed them: a file that is opened later would take their place, and get
/// what is meant for them. Nothing can be read from the first and written to the others.
void open_standard_descriptors() {
  for (int number = STDIN_FILENO; number <= STDERR_FILENO; ++number)
    if (::fcntl(number, F_GETFD) < 0 && errno == EBADF) ::open("/dev/null", O_RDONLY);
}

}  // namespace

int run_program(int count, char** words) {
  open_standard_descriptors();
  report_memory_of_numbers();
  watch_memory();
  ::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error like others
  try {
    check_dot();
    const auto ranks = ranks_of_process();
    return command({words + 1, words + count}, ranks.get());
  } catch (const std::exception& e) {  // not even the message could be written
    std::cerr << "sfg: error: " << message_text(e.what()) << '\n';
    return 3;
  }
}

}  // namespace sfg::command
