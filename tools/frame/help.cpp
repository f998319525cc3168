#include "tools/frame/help.hpp"

#include <algorithm>
#include <ostream>

#include "tools/frame/arguments.hpp"

namespace sfg::command {

namespace {

constexpr std::size_t width = 100;

/// Text in lines of the page's width, each but the first indented.
std::string wrapped(const std::string& text, std::size_t indent) {
  std::string out, line;
  const auto end_line = [&] {
    out += (out.empty() ? "" : "\n" + std::string(indent, ' ')) + line;
    line.clear();
  };
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find(' ', start), text.size());
    const std::string word = text.substr(start, end - start);
    if (!line.empty() && indent + line.size() + 1 + word.size() > width) end_line();
    line += (line.empty() ? "" : " ") + word;
    start = end + 1;
  }
  end_line();
  return out;
}

std::string joined_statuses(const std::string& between) {
  std::string text;
  for (const ExitStatus& status : exit_statuses())
    text += (text.empty() ? "" : between) + std::to_string(status.code) + " " + status.meaning;
  return text;
}

std::string left_column(const Option& option) {
  const std::string letter = option.letter ? std::string("-") + option.letter + ", " : "";
  return letter + option.name + (option.value.empty() ? "" : " " + option.value);
}

void write_options(std::ostream& out, std::span<const Option> options) {
  constexpr std::size_t column = 26;
  for (const Option& option : options) {
    const std::string left = left_column(option);
    out << "  " << left << std::string(column > left.size() + 2 ? column - left.size() - 2 : 1, ' ')
        << wrapped(meaning_of(option), column) << '\n';
  }
}

std::string in_words(std::span<const Refusal> refused) {
  std::string text;
  for (const Refusal& refusal : refused) text += (text.empty() ? "; not taken: " : ", ") + refusal.name;
  return text;
}

}  // namespace

const std::vector<ExitStatus>& exit_statuses() {
  static const std::vector<ExitStatus> statuses{{0, "done"},
                                                {1, "there is no answer"},
                                                {2, "wrong usage"},
                                                {3, "the input is wrong, or not there"},
                                                {4, "a limit was reached"},
                                                {70, "an error of ours"},
                                                {130, "interrupted"}};
  return statuses;
}

std::string kinds_of_input() {
  return "INPUT is a model (.toml), a graph (.dot, .gv, .json, .graphml, .csv, .yaml), a circuit (.cir), a block diagram (.sfg, "
         ".slx, .mdl, .zcos, .xcos), a Lagrange script (.m), printed systems (.tf), or '-', standard input, with --format.";
}

std::string meaning_of(const Option& option) {
  const bool named = std::all_of(option.choices.begin(), option.choices.end(),
                                 [&](const std::string& choice) { return option.text.find(choice) != std::string::npos; });
  if (named) return option.text;
  std::string text = option.text + ": ";
  for (const std::string& choice : option.choices) text += (choice == option.choices.front() ? "" : ", ") + choice;
  return text;
}

std::vector<Option> taken_options(const Verb& verb) {
  std::vector<Option> taken = common_options();
  std::erase_if(taken, [&](const Option& option) {
    return std::ranges::any_of(verb.refuses, [&](const Refusal& refusal) { return refusal.name == option.name; });
  });
  return taken;
}

namespace {

void write_page_options(std::ostream& out, std::span<const Option> options) {
  out << "| option | meaning |\n|---|---|\n";
  for (const Option& option : options) out << "| `" << left_column(option) << "` | " << meaning_of(option) << " |\n";
}

}  // namespace

void write_help(std::ostream& out, std::span<const Verb> verbs) {
  out << "sfg: signal-flow graphs, from equations to transfer functions\n\n"
         "usage: sfg VERB INPUT [--from IN] [--to OUT]... [--set name=value]... [options] [-o FILE]\n\n"
      << wrapped(kinds_of_input(), 0) << "\n\nverbs:\n";
  std::size_t column = 0;
  for (const Verb& verb : verbs) column = std::max(column, verb.name.size() + 2);
  for (const Verb& verb : verbs) out << "  " << verb.name << std::string(column - verb.name.size(), ' ') << verb.summary << '\n';
  out << "\nmore: sfg help VERB, sfg help options (those of every verb), sfg --version, sfg completion bash|zsh|fish\n"
      << "exit status: " << wrapped(joined_statuses(", "), 13) << '\n';
}

void write_help(std::ostream& out, const Verb& verb) {
  out << "sfg " << verb.name << ": " << verb.summary << "\n\nusage: sfg " << verb.name
      << (verb.many_inputs ? " INPUT... [options]\n\n" : " INPUT [options]\n\n") << wrapped(verb.details, 0) << "\n";
  if (!verb.options.empty()) {
    out << "\noptions of " << verb.name << ":\n";
    write_options(out, verb.options);
  }
  out << "\noptions of every verb: sfg help options" << in_words(verb.refuses) << "\n\nexamples:\n";
  for (const std::string& example : verb.examples) out << "  " << example << '\n';
}

void write_help_of_options(std::ostream& out) {
  out << "Options of every verb; sfg help VERB tells of the verb's own, and which of these it does not take.\n\n";
  write_options(out, common_options());
}

void write_page(std::ostream& out, std::span<const Verb> verbs) {
  out << "# The command sfg\n\n"
         "    sfg VERB INPUT [--from IN] [--to OUT]... [--set name=value]... [options] [-o FILE]\n\n"
      << kinds_of_input()
      << " What one verb writes, another reads. This page is made from the option tables by `sfg help --page`.\n\n"
         "Exit status: "
      << joined_statuses("; ")
      << ".\n\n"
         "Messages go to standard error as `file:line:column: error: what is wrong; what to do`. An error leaves no answer. A "
         "warning says that\n"
         "the answer may not be the one that was meant (2M is 2 milli, a statement that would change values is left out): it is "
         "shown under\n"
         "`--quiet` too. A warning on which no answer depends (a statement that asks for another analysis, a coordinate without "
         "mass) is not\n"
         "shown under `--quiet`. A note tells more of the input: `check`, `derive` and `--verbose` show it. Nothing of the input "
         "and no option\n"
         "is ignored without one of these; an option that a verb has no use for is refused.\n\n"
         "A number alone may be a fraction or have a SPICE suffix, in files and in options: `1/3`, `2.2k`, `10u`, `4.7meg`.\n\n"
         "## Options of every verb\n\n";
  write_page_options(out, common_options());
  for (const Verb& verb : verbs) {
    out << "\n## sfg " << verb.name << "\n\n" << verb.summary << ". " << verb.details << "\n\n";
    if (!verb.options.empty()) {
      write_page_options(out, verb.options);
      out << '\n';
    }
    if (!verb.refuses.empty()) {
      out << "Not taken:";
      for (const Refusal& refusal : verb.refuses)
        out << (&refusal == &verb.refuses.front() ? " `" : ", `") << refusal.name << '`';
      out << ".\n\n";
    }
    for (const std::string& example : verb.examples) out << "    " << example << '\n';
  }
}

}  // namespace sfg::command
