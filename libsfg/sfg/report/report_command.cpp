#include "sfg/report/report_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

namespace sfg {

namespace {

constexpr std::string_view plain_characters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@%+=:,./-";

/// What some reader of lines takes for the end of one: control characters, and U+0085, U+2028, U+2029.
bool breaks_lines(std::string_view text) {
  const auto control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  return std::ranges::any_of(text, control) || text.find("\xc2\x85") != text.npos || text.find("\xe2\x80\xa8") != text.npos ||
         text.find("\xe2\x80\xa9") != text.npos;
}

/// By printf, which knows octal numbers.
std::string by_printf(std::string_view text) {
  std::string octal;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    octal += plain_characters.find(c) != plain_characters.npos ? std::string(1, c) : fmt::format("\\0{:03o}", byte);
  }
  return "\"$(printf %b '" + octal + "')\"";
}

/// The words that a verb is asked with: those of the report that matter to it.
struct AskedWords {
  std::vector<std::string> reading, ends, settings;
};

AskedWords asked_words(const ReportSubject& subject) {
  constexpr std::array ends{"--from", "--to"};
  AskedWords asked;
  const std::vector<std::string>& words = subject.words;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool has_value = i + 1 < words.size() && !words[i + 1].starts_with("--");
    auto& list = std::ranges::find(ends, words[i]) != ends.end() ? asked.ends
                 : words[i] == "--set"                           ? asked.settings
                                                                 : asked.reading;
    list.push_back(words[i]);
    if (has_value) list.push_back(words[++i]);
  }
  return asked;
}

/// Whether the point of linearisation was searched with the values: they matter to symbols, too.
bool point_by_values(const ReportSubject& subject) {
  const Subject& stated = subject.subject;
  return stated.states_rest() || stated.bodies() || !stated.parts().empty();
}

/// Words about what is asked of a response mean nothing to verbs about the model as such.
bool is_about_responses(const std::string& verb) {
  return verb != "draw" && verb != "derive" && verb != "reduce" && verb != "check";
}

/// Verbs that answer about the whole model alone: a loop that is opened is not theirs.
bool knows_loops(const std::string& verb) { return is_about_responses(verb) && verb != "simulate" && verb != "balance"; }

void add_ends(std::vector<std::string>& words, const SignalFlowGraph& graph, std::span<const Question> questions) {
  for (const auto& [option, node] : {std::pair("--from", &Question::input), std::pair("--to", &Question::output)}) {
    std::vector<NodeId> done;
    for (const Question& question : questions) {
      if (std::ranges::find(done, question.*node) != done.end()) continue;
      done.push_back(question.*node);
      words.emplace_back(option);
      words.push_back(graph[question.*node].name);
    }
  }
}

}  // namespace

std::string shell_word(std::string_view text) {
  if (!text.empty() && text.find_first_not_of(plain_characters) == text.npos) return std::string(text);
  if (breaks_lines(text)) return by_printf(text);
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? "'\\''" : std::string(1, c);
  return word + "'";
}

std::string saved_name(const ReportSubject& subject) {
  for (const FormatName& known : format_names())
    if (known.format == subject.input().format) return std::string("input") + known.extension;
  return "input";
}

std::string command_line(const ReportSubject& subject, const ReportCommand& command) {
  const AskedWords asked = asked_words(subject);
  const bool from_input = subject.file == "-";
  std::string file = from_input ? saved_name(subject) : subject.file;
  if (file.starts_with('-')) file = "./" + file;
  std::vector<std::string> words{"sfg", command.verb, file};
  for (std::size_t i = 0; i < asked.reading.size(); ++i) {
    const bool of_response = asked.reading[i] == "--ratio" || asked.reading[i] == "--inject";
    if (of_response && !is_about_responses(command.verb)) {
      if (asked.reading[i] == "--ratio") ++i;
      continue;
    }
    const bool of_its_own = asked.reading[i] == "--of" && std::ranges::find(command.options, "--of") != command.options.end();
    if (of_its_own || ((asked.reading[i] == "--break" || asked.reading[i] == "--of") && !knows_loops(command.verb))) {
      ++i;
      continue;
    }
    if (asked.reading[i] == "--format" && from_input) {
      ++i;
      continue;
    }
    words.push_back(asked.reading[i]);
  }
  using Ends = ReportCommand::Ends;
  const Ends named = subject.subject.terms().loop ? Ends::none : command.ends;  // a loop has both its ends
  if (named == Ends::asked) words.insert(words.end(), asked.ends.begin(), asked.ends.end());
  if (named == Ends::all) add_ends(words, subject.graph(), subject.questions);
  if (named == Ends::one) add_ends(words, subject.graph(), std::span(&*command.question, 1));
  if (command.values == ReportCommand::Values::numbers || point_by_values(subject))
    words.insert(words.end(), asked.settings.begin(), asked.settings.end());
  words.insert(words.end(), command.options.begin(), command.options.end());
  if (!command.picture.empty()) {
    const std::string stem = std::filesystem::path(file).stem().string();
    words.insert(words.end(), {"-o", (stem.starts_with('-') ? "./" : "") + stem + "-report-" + command.picture + ".svg"});
  }
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + shell_word(word);
  return line;
}

}  // namespace sfg
