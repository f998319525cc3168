#include "tools/frame/completion.hpp"

#include <algorithm>
#include <ostream>
#include <vector>

#include "tools/frame/arguments.hpp"
#include "tools/frame/help.hpp"

namespace sfg::command {

namespace {

/// The verb's own options, then the common ones that it takes.
std::vector<Option> options_completed(const Verb& verb) {
  std::vector<Option> all = verb.options;
  for (const Option& option : taken_options(verb))
    if (std::ranges::find(all, option.name, &Option::name) == all.end()) all.push_back(option);
  return all;
}

std::string one_line(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::string names_of(std::span<const Verb> verbs) {
  std::string names;
  for (const Verb& verb : verbs) names += verb.name + " ";
  return names + "help completion";
}

void write_bash(std::ostream& out, std::span<const Verb> verbs) {
  out << "_sfg() {\n  local verb=${COMP_WORDS[1]} word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
         "  if [ \"$COMP_CWORD\" -eq 1 ]; then COMPREPLY=($(compgen -W '"
      << names_of(verbs)
      << "' -- \"$word\")); return; fi\n  case \"$verb $before\" in\n    'help help') COMPREPLY=($(compgen -W '"
      << names_of(verbs) << " options' -- \"$word\")); return ;;\n"
      << "    'completion completion') COMPREPLY=($(compgen -W 'bash zsh fish' -- \"$word\")); return ;;\n";
  for (const Verb& verb : verbs)
    for (const Option& option : options_completed(verb))
      if (!option.choices.empty())
        out << "    '" << verb.name << ' ' << option.name << "') COMPREPLY=($(compgen -W '" << one_line(option.choices)
            << "' -- \"$word\")); return ;;\n";
  out << "  esac\n  case \"$word\" in -*) ;; *) COMPREPLY=($(compgen -f -- \"$word\")); return ;; esac\n  case \"$verb\" in\n";
  for (const Verb& verb : verbs) {
    out << "    " << verb.name << ") COMPREPLY=($(compgen -W '";
    for (const Option& option : options_completed(verb)) out << option.name << ' ';
    out << "' -- \"$word\")) ;;\n";
  }
  out << "  esac\n}\ncomplete -o filenames -F _sfg sfg\n";
}

/// In single quotes of a shell, `special` characters behind a backslash.
std::string quoted(const std::string& text, const std::string& special, const char* quote_inside) {
  std::string result = "'";
  for (const char c : text) {
    if (special.find(c) != std::string::npos) result += '\\';
    if (c == '\'')
      result += quote_inside;
    else
      result += c;
  }
  return result + "'";
}

/// '--form[text]:FORM:(a b)': what _arguments wants.
std::string zsh_option(const Option& option) {
  constexpr const char* special = "[]:\\";
  const auto escaped = [&](const std::string& text) {
    const std::string inside = quoted(text, special, "'\\''");
    return inside.substr(1, inside.size() - 2);
  };
  std::string argument;
  if (!option.choices.empty())
    argument = ":" + escaped(option.value) + ":(" + one_line(option.choices) + ")";
  else if (!option.value.empty())
    argument = ":" + escaped(option.value) + ":" + (option.value == "FILE" ? "_files" : " ");
  const std::string star = option.repeatable ? "*" : "", text = "[" + escaped(option.text) + "]" + argument + "'";
  std::string result = "'" + star + option.name + text;
  if (option.letter) result += " '" + star + "-" + option.letter + text;
  return result;
}

void write_zsh(std::ostream& out, std::span<const Verb> verbs) {
  out << "#compdef sfg\n\n_sfg() {\n  local -a verbs\n  verbs=(\n";
  for (const Verb& verb : verbs) out << "    " << quoted(verb.name + ":" + verb.summary, "", "'\\''") << '\n';
  out << "    'help:what a verb does'\n    'completion:completion for a shell'\n  )\n"
         "  if (( CURRENT == 2 )); then _describe verb verbs; return; fi\n"
         "  local verb=$words[2]\n  shift words; (( CURRENT-- ))\n  case $verb in\n"
         "    help) _describe verb verbs ;;\n    completion) _values shell bash zsh fish ;;\n";
  for (const Verb& verb : verbs) {
    out << "    " << verb.name << ") _arguments";
    for (const Option& option : options_completed(verb)) out << " \\\n      " << zsh_option(option);
    out << " \\\n      '" << (verb.many_inputs ? "*" : "1") << ":input:_files' ;;\n";
  }
  out << "  esac\n}\n\nif [[ $funcstack[1] == _sfg ]]; then _sfg \"$@\"; else compdef _sfg sfg; fi\n";
}

void write_fish(std::ostream& out, std::span<const Verb> verbs) {
  const auto text = [](const std::string& words) { return quoted(words, "\\", "\\'"); };
  for (const Verb& verb : verbs)
    out << "complete -c sfg -f -n __fish_use_subcommand -a " << verb.name << " -d " << text(verb.summary) << '\n';
  out << "complete -c sfg -f -n __fish_use_subcommand -a help -d 'what a verb does'\n"
         "complete -c sfg -f -n __fish_use_subcommand -a completion -d 'completion for a shell'\n"
         "complete -c sfg -f -n '__fish_seen_subcommand_from help' -a "
      << text(names_of(verbs) + " options")
      << "\ncomplete -c sfg -f -n '__fish_seen_subcommand_from completion' -a 'bash zsh fish'\n";
  for (const Verb& verb : verbs)
    for (const Option& option : options_completed(verb)) {
      out << "complete -c sfg -n '__fish_seen_subcommand_from " << verb.name << "' -l " << option.name.substr(2);
      if (option.letter) out << " -s " << option.letter;
      if (!option.choices.empty())
        out << " -x -a " << text(one_line(option.choices));
      else if (!option.value.empty())
        out << (option.value == "FILE" ? " -r" : " -x");
      out << " -d " << text(option.text) << '\n';
    }
}

}  // namespace

void write_completion(std::ostream& out, const std::string& shell, std::span<const Verb> verbs) {
  if (shell == "bash") return write_bash(out, verbs);
  if (shell == "zsh") return write_zsh(out, verbs);
  if (shell == "fish") return write_fish(out, verbs);
  throw UsageError("there is no completion for '" + shell + "'", "write sfg completion bash, zsh or fish");
}

}  // namespace sfg::command
