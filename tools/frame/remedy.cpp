#include "tools/frame/remedy.hpp"

#include <algorithm>
#include <map>

#include "tools/frame/help.hpp"
#include "tools/frame/verb_table.hpp"

namespace sfg::command {

namespace {

/// What an advice is called in options, and what is left to do with a verb that does not take them; "": nothing.
struct Words {
  std::string here;
  std::string elsewhere = {};
};

const std::map<Advice, Words>& table() {
  static const std::map<Advice, Words> texts{
      {Advice::substitute_others, {"change them by --set", "change them in the input"}},
      {Advice::substitute_in_roots,
       {"give values to parameters under the roots with --set", "state values of parameters under the roots"}},
      {Advice::state_interval, {"give it a name and an --interval"}},
      {Advice::raise_time_limit, {"raise --time-limit"}},
      {Advice::raise_memory_limit, {"raise --memory-limit"}},
      {Advice::raise_term_limit, {"raise --max-terms"}},
      {Advice::list_some, {"list only some with --limit"}},
      {Advice::ask_unlisted,
       {"ask for `--form rational` or `--form sequence`", "ask `sfg tf` for a fraction or a sequence of expressions"}},
      {Advice::ask_unexpanded,
       {"ask for `--form sequence`, which does not expand, or `--form mason`",
        "ask `sfg tf` for a sequence of expressions, which does not expand"}},
      {Advice::ask_unfactored,
       {"ask for `--form rational` or `--form sequence`", "ask `sfg tf` for a fraction or a sequence of expressions"}},
      {Advice::ask_sequence, {"ask for `--form sequence`", "ask `sfg tf` for a sequence of expressions"}},
      {Advice::ask_factored_numbers, {"ask for `--form zpk`", "ask `sfg poles` for its poles and zeros"}},
      {Advice::ask_numeric, {"leave out --symbolic"}},
      {Advice::reduce_graph, {"simplify the graph with `sfg reduce` first"}},
      {Advice::list_loops, {"`sfg mason` lists the loops"}},
      {Advice::derive, {"check the equations (sfg derive)"}},
      {Advice::pade,
       {"replace the dead time by a Padé approximant (--pade N)",
        "write a Padé approximant of the dead time into the gain: (2 - T*s)/(2 + T*s) for exp(-T*s), say"}},
      {Advice::pade_or_divisor, {"choose a sample time that divides it, or --pade N", "choose a sample time that divides it"}},
      {Advice::tustin, {"choose a shorter sample time or --method tustin", "choose a shorter sample time"}},
      {Advice::change_frequencies, {"choose another --freq"}},
      {Advice::change_reference, {"name another source for --ratio"}},
      {Advice::ratio_or_injection,
       {"analyses from it need --ratio or --inject",
        "analyses from it are ratios of two signals, or of a signal that is added there"}},
      {Advice::loosen_tolerances, {"raise --rtol or --atol"}},
      {Advice::shorten_time, {"shorten --until"}},
      {Advice::name_format, {"say --format toml|dot|m|json|spice|csv|graphml|yaml|tf|sfg"}},
  };
  return texts;
}

/// Whether the verb takes the option, and the choice that stands after it.
bool takes(const Verb& verb, const std::string& option, const std::string& value) {
  std::vector<Option> all = taken_options(verb);
  all.insert(all.end(), verb.options.begin(), verb.options.end());
  const auto found = std::ranges::find(all, option, &Option::name);
  return found != all.end() && (value.empty() || found->choices.empty() || std::ranges::count(found->choices, value) > 0);
}

bool is_of_word(char c) { return (c >= 'a' && c <= 'z') || c == '-'; }

/// Whether the verb takes every option that the text names: "--form sequence".
bool takes_all(const Verb& verb, const std::string& text) {
  const auto word_at = [&](std::size_t start) {
    std::size_t end = start;
    while (end < text.size() && is_of_word(text[end])) ++end;
    return text.substr(start, end - start);
  };
  for (std::size_t at = text.find("--"); at != std::string::npos; at = text.find("--", at + 1)) {
    const std::string option = word_at(at);
    const std::size_t end = at + option.size();
    const bool quoted = at > 0 && text[at - 1] == '`';  // `--form sequence` is an option with its choice
    if (!takes(verb, option, quoted && end < text.size() && text[end] == ' ' ? word_at(end + 1) : "")) return false;
    at = end - 1;
  }
  return true;
}

std::string words_of(const Remedy::Step& step, const Verb* verb) {
  const auto entry = table().find(step.advice);
  Words words = entry == table().end() ? Words{Remedy(step.advice, step.subject).text()} : entry->second;
  if (step.advice == Advice::substitute) {
    words.elsewhere =
        step.subject.empty() ? "state its value in the input" : "state the value of " + step.subject + " in the input";
    words.here = step.subject.empty() ? "give --set" : "give --set " + step.subject + "=…";
  }
  return verb == nullptr || step.advice == Advice::own_words || takes_all(*verb, words.here) ? words.here : words.elsewhere;
}

}  // namespace

std::string in_options(const Remedy& remedy, const std::string& verb) {
  const auto known = std::ranges::find(verb_table(), verb, &Verb::name);
  Remedy said;
  for (const Remedy::Step& step : remedy.steps())
    said = std::move(said) | Remedy(words_of(step, known == verb_table().end() ? nullptr : &*known));
  return said.text();
}

}  // namespace sfg::command
