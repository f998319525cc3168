#include "tools/frame/arguments.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <mutex>
#include <set>

#include "sfg/expr/exact_value.hpp"
#include "sfg/expr/parse.hpp"
#include "tools/frame/output.hpp"
#include "tools/frame/verb_table.hpp"
#include "tools/verbs/batch.hpp"

namespace sfg::command {

namespace {

std::string plain(const Option& option) { return option.name.substr(2); }

std::vector<Option> options_of(const Verb& verb, std::span<const std::string> words) {
  std::vector<Option> all = verb.options;
  if (verb.name == "batch")
    for (Option& option : options_of_verb_asked(words)) all.push_back(std::move(option));
  // A verb may have its own form of a common option.
  std::ranges::copy_if(common_options(), std::back_inserter(all), [&](const Option& common) {
    return std::ranges::none_of(verb.options, [&](const Option& own) { return own.name == common.name; });
  });
  return all;
}

std::string joined(std::span<const std::string> words, std::string_view between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : std::string(between)) + word;
  return text;
}

/// A decimal, a fraction, or a decimal with a suffix: 0.5, 1/3, 10k.
std::optional<GiNaC::numeric> exact_number_in(const std::string& text) {
  try {
    return parse_number(text);
  } catch (const Error&) {
    return {};
  }
}

std::optional<double> number_in(const std::string& text) {
  const auto exact = exact_number_in(text);
  if (!exact || !std::isfinite(exact->to_double())) return {};
  return exact->to_double();
}

std::optional<std::uint64_t> count_in(const std::string& text) {
  constexpr std::int64_t most = 1'000'000'000'000'000;
  const auto exact = exact_number_in(text);
  if (!exact || !exact->is_nonneg_integer() || *exact > GiNaC::numeric(most)) return {};
  return static_cast<std::uint64_t>(whole_value(*exact));
}

/// What is stated of a name is stated once: of two the last one would count, unseen. A=X,B=Y is a point, of which there may be
/// many.
void refuse_twice(const Option& option, const std::vector<std::string>& given) {
  if (std::ranges::count(option.value, '=') != 1) return;
  std::set<std::string> names;
  for (const std::string& text : given) {
    const std::size_t sign = text.find('=');
    if (sign == std::string::npos) continue;
    std::string name = text.substr(0, sign);
    std::erase(name, ' ');
    if (!names.insert(name).second)
      throw UsageError(option.name + " " + text + ": '" + name + "' is given twice", "give it once");
  }
}

void check_value(const Option& option, const std::string& text) {
  const std::string given = option.name + " " + text;
  switch (option.kind) {
    case Option::Kind::text:
      if (text.empty()) throw UsageError(option.name + " has no value", "write " + option.name + " " + option.value);
      return;
    case Option::Kind::number:
      if (const auto value = number_in(text); !value || *value <= 0)
        throw UsageError("option '" + given + "': not a positive number", "write " + option.name + " 10, say");
      return;
    case Option::Kind::count:
      if (!count_in(text)) throw UsageError("option '" + given + "': not a whole number", "write " + option.name + " 1000, say");
      return;
    case Option::Kind::choice:
      if (std::find(option.choices.begin(), option.choices.end(), text) != option.choices.end()) return;
      const std::string near = nearest(text, option.choices);
      throw UsageError("option '" + given + "': there is no such choice",
                       (near.empty() ? "" : "did you mean " + near + "? ") + "choices: " + joined(option.choices, ", "));
  }
}

bool is_refused(const Verb& verb, const std::string& option) {
  return std::ranges::any_of(verb.refuses, [&](const Refusal& refusal) { return refusal.name == option; });
}

/// Options of other questions than the one that is asked.
void refuse_other_ways(const Arguments& arguments, const Verb& verb) {
  const Way* way = way_of(verb.ways, arguments);
  for (const Option& option : verb.options)
    if (way && arguments.has(plain(option)) && !option.of.empty() && std::ranges::count(option.of, way->name) == 0)
      throw UsageError(option.name + " does not go with " + way->name, "leave it out: it is of " + joined(option.of, ", "));
}

/// Options that would change nothing.
void refuse_useless(const Arguments& arguments, const Verb& verb) {
  refuse_other_ways(arguments, verb);
  for (const Refusal& refusal : verb.refuses)
    if (arguments.has(refusal.name.substr(2)))
      throw UsageError("'sfg " + verb.name + "' has no use for " + refusal.name, refusal.hint);
  const std::string extension = extension_of(arguments.text("output"));
  if (arguments.has("json") && arguments.has("notation"))
    throw UsageError("--notation is of text: JSON keeps the notation that reads back", "leave one of --json and --notation out");
  const bool other_kind = extension == "svg" || extension == "png" || extension == "pdf" || extension == "eps" ||
                          extension == "tikz" || extension == "csv" || extension == "toml" || extension == "dot" ||
                          extension == "gv" || extension == "graphml" || extension == "sfg";
  const bool has_pages = std::ranges::any_of(verb.options, [](const Option& option) { return option.name == "--notation"; });
  const bool picture = extension == "svg" || extension == "png" || extension == "pdf" || extension == "eps" ||
                       extension == "tikz" || verb.name == "draw";
  const bool plots = std::ranges::any_of(verb.options, [](const Option& option) { return option.name == "--theme"; });
  const bool plot = plots && picture && !arguments.has("json");
  for (const char* option : {"notation", "width"})
    if (has_pages && arguments.has(option) && (other_kind || arguments.has("json")) && !(plot && option == std::string("width")))
      throw UsageError(std::string("--") + option + " is of pages: text, LaTeX, Markdown, HTML", "leave it out");
  const std::string notation = notation_of(arguments);
  if (has_pages && arguments.has("width") && notation != "latex" && !plot)
    throw UsageError("--width is of LaTeX" + std::string(plots ? " and of pictures" : "") +
                         ": text is wrapped to the terminal, or to COLUMNS where that is set",
                     "leave --width out, or add --notation latex" + std::string(plots ? ", or -o picture.svg" : ""));
  for (const char* option : {"dark", "theme", "height", "font-size", "title", "panels", "legend", "grid", "outline", "style"})
    if ((option == std::string("dark") || option == std::string("theme") || plots) && arguments.has(option) &&
        (!picture || arguments.has("json")))
      throw UsageError(std::string("--") + option + " is of pictures, and no picture is written",
                       "add -o picture.svg (or .png, .pdf)");
}

/// Whether another verb has that option: then it is not misspelt.
bool is_known_elsewhere(const std::string& name) {
  return std::ranges::any_of(
      verb_table(), [&](const Verb& verb) { return std::ranges::find(verb.options, name, &Option::name) != verb.options.end(); });
}

[[noreturn]] void refuse(const std::vector<std::string>& surplus, const Verb& verb, const std::vector<Option>& options) {
  for (const std::string& word : surplus) {
    if (word.size() < 2 || word[0] != '-') continue;
    const std::string name = word.substr(0, word.find('='));
    std::vector<std::string> known;
    for (const Option& option : options) known.push_back(option.name);
    const std::string near = is_known_elsewhere(name) ? "" : nearest(name, known);
    throw UsageError("option '" + name + "' is not one of 'sfg " + verb.name + "'",
                     near.empty() ? "see 'sfg help " + verb.name + "'" : "did you mean " + near + "?");
  }
  throw UsageError("input '" + surplus.front() + "' is one too many",
                   "'sfg " + verb.name + "' reads one file; quote names with blanks");
}

/// CLI11 reports what is missing in its own words; ours name the remedy.
[[noreturn]] void refuse(const CLI::ParseError& error, const Verb& verb, const std::vector<Option>& options) {
  const std::string message = error.what();
  for (const Option& option : options) {
    if (message.rfind(option.name + ":", 0) != 0 && message.rfind("-" + std::string(1, option.letter) + ",", 0) != 0) continue;
    if (option.value.empty()) throw UsageError(option.name + " takes no value", "write " + option.name + " alone");
    throw UsageError(option.name + " has no value", "write " + option.name + " " + option.value);
  }
  throw UsageError(message, "see 'sfg help " + verb.name + "'");
}

}  // namespace

void add(std::vector<Option>& all, const std::vector<std::string>& ways, std::vector<Option> more) {
  for (Option& option : more) {
    option.of = ways;
    all.push_back(std::move(option));
  }
}

const Way* way_of(std::span<const Way> ways, const Arguments& arguments) {
  for (const Way& way : ways)
    if (way.chosen_by.empty() ||
        std::ranges::any_of(way.chosen_by, [&](const std::string& option) { return arguments.has(option.substr(2)); }))
      return &way;
  return nullptr;
}

namespace {

/// What is asked of which part of the input, and how it is read.
std::vector<Option> question_options() {
  using Kind = Option::Kind;
  return {
      {"--output",
       "FILE",
       "write the result to FILE ('-': standard output); it appears as a whole or not at all",
       Kind::text,
       {},
       false,
       'o'},
      {"--json", "", "the result, and errors too, as JSON"},
      {"--from",
       "NODE",
       "input of the question, or a sum of sources, 'V1 - V2'; repeatable (default: what the file states, else its sources)",
       Kind::text,
       {},
       true},
      {"--to",
       "NODE",
       "output of the question; repeatable (default: what the file states, else its sinks)",
       Kind::text,
       {},
       true},
      {"--ratio", "SOURCE", "--from has entering branches: the ratio of the two signals' responses to SOURCE"},
      {"--inject", "", "--from has entering branches: the response to a unit signal added there"},
      {"--set", "NAME=VALUE", "substitute a parameter: a number (80k, 1/3) or an expression; repeatable", Kind::text, {}, true},
      {"--numbers", "", "substitute every value that the input states"},
      {"--operating-point", "FILE",
       "of a netlist: the small-signal values of its devices M, Q, D, J, of any model, as ngspice has them: what show or print "
       "@m1[gm] print behind op, or an ASCII raw file"},
      {"--temperature", "T",
       "of a netlist: the temperature, in kelvin (300.15) or degrees Celsius (85C), of what has TC1 and TC2, V_T, diodes and the "
       "noise (default: what the netlist states, else 27C)"},
      {"--nonlinear", "",
       "of energies: keep the nonlinear terms, as laws; measures of studies are those of the model's own response to a step, of "
       "mechanisms, too"},
  };
}

/// Where laws become slopes.
std::vector<Option> point_options() {
  using Kind = Option::Kind;
  return {
      {"--linearize", "", "of a nonlinear graph: every law becomes its slope at the operating point"},
      {"--at",
       "NAME=VALUE",
       "the operating point: the constant of an input, or the value of a signal (default 0); repeatable",
       Kind::text,
       {},
       true},
      {"--box", "SIGNAL=LO:HI", "where operating points are searched (default: everywhere); repeatable", Kind::text, {}, true},
      {"--want", "SIGNAL=VALUE", "of the operating point: the signal has this value there; repeatable", Kind::text, {}, true},
      {"--free",
       "INPUT",
       "an input that takes the value at which a wanted signal has its own, one a --want; repeatable",
       Kind::text,
       {},
       true},
      {"--at-time", "T",
       "with --linearize: the slopes where the motion of [simulation] is at this time; --at NAME=EXPRESSION of t states an "
       "input, "
       "of what is no input where it starts"},
  };
}

std::vector<Option> work_options() {
  using Kind = Option::Kind;
  return {
      {"--variable", "NAME", "the operator (default: what the file states, else s for graphs and p for models)"},
      {"--format",
       "FORMAT",
       "format of the input, where its name does not say",
       Kind::choice,
       {"toml", "dot", "m", "json", "spice", "csv", "graphml", "yaml", "tf", "sfg", "slx", "mdl", "zcos", "xcos"}},
      {"--time-limit", "SECONDS", "stop after so much time (default 300)", Kind::number},
      {"--memory-limit", "MIB", "stop rather than use more memory (default 2048)", Kind::number},
      {"--max-terms", "N", "longest answer or listing, in terms (default 1000000)", Kind::count},
      {"--threads", "N", "threads of parallel work (default: as many as there are cores)", Kind::count},
      {"--seed", "N",
       "seed of random choices (default 1): samples of studies, starts of searches, graphs of 'sfg exercise', points where "
       "answers "
       "are verified; closed forms do not depend on it",
       Kind::count},
      {"--no-color", "", "no colours; the environment variable NO_COLOR does the same"},
      {"--quiet", "", "no progress, and no warnings but those on which the answer depends"},
      {"--verbose", "", "say what is done, how long it takes, and of every part of an answer how it was verified"},
      {"--help", "", "this text", Kind::text, {}, false, 'h'},
  };
}

}  // namespace

const std::vector<Option>& common_options() {
  static const std::vector<Option> options = [] {
    std::vector<Option> all;
    for (const auto& some : {question_options(), point_options(), work_options()})
      all.insert(all.end(), some.begin(), some.end());
    return all;
  }();
  return options;
}

struct Arguments::Reading {
  std::mutex mutex;
  std::set<std::string, std::less<>> options = {};
};

Arguments::Arguments(const Verb& verb, std::span<const std::string> words)
    : verb_(verb.name), parameters_(verb.parameters), keeps_laws_(verb.keeps_laws), reading_(std::make_shared<Reading>()) {
  const std::vector<Option> options = options_of(verb, words);
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  app.add_option("INPUT", input_);
  std::map<std::string, bool> switches;
  for (const Option& option : options) {
    std::string names = (option.letter ? std::string("-") + option.letter + "," : std::string()) + option.name;
    for (const std::string& name : option.formerly) names += "," + name;
    if (option.value.empty()) {
      app.add_flag(names, switches[plain(option)])->disable_flag_override();
    } else {
      app.add_option(names, values_[plain(option)])
          ->expected(1)
          ->allow_extra_args(false)
          ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    }
  }
  try {
    std::vector<std::string> reversed(words.rbegin(), words.rend());  // the order CLI11 takes them from
    app.parse(reversed);
  } catch (const CLI::ParseError& error) {
    refuse(error, verb, options);
  }
  if (!input_.empty()) inputs_ = {input_};
  if (const auto surplus = app.remaining(); !surplus.empty()) {
    const auto is_option = [](const std::string& word) { return word.size() > 1 && word[0] == '-'; };
    if (!verb.many_inputs || std::ranges::any_of(surplus, is_option)) refuse(surplus, verb, options);
    inputs_.insert(inputs_.end(), surplus.begin(), surplus.end());
  }

  for (const Option& option : options) {
    if (option.value.empty()) {
      if (switches[plain(option)]) values_[plain(option)] = {""};
      continue;
    }
    const std::vector<std::string>& given = values_[plain(option)];
    if (given.size() > 1 && !option.repeatable) throw UsageError(option.name + " is given more than once", "give it once");
    refuse_twice(option, given);
    for (const std::string& text : given) check_value(option, text);
  }
  std::erase_if(values_, [](const auto& entry) { return entry.second.empty(); });
  if (extension_of(text("output")) == "json" && !is_refused(verb, "--json"))
    values_.try_emplace("json", std::vector<std::string>{""});
  refuse_useless(*this, verb);
  if (const Way* way = way_of(verb.ways, *this); way && way->parameters) parameters_ = *way->parameters;
  if (has("ratio") && has("inject")) throw UsageError("--ratio and --inject exclude each other", "give one of them");
  if (input_.empty() && verb.needs_input)
    throw UsageError("the input is missing", "write 'sfg " + verb.name + " FILE', or '-' for standard input");
  reading_->options.clear();
}

Arguments::Values::const_iterator Arguments::read(std::string_view option) const {
  const auto found = values_.find(option);
  if (found != values_.end()) {
    const std::lock_guard lock(reading_->mutex);
    reading_->options.insert(found->first);
  }
  return found;
}

std::vector<std::string> Arguments::unread() const {
  std::vector<std::string> names;
  const std::lock_guard lock(reading_->mutex);
  for (const auto& [name, values] : values_)
    if (!reading_->options.contains(name)) names.push_back(name);
  return names;
}

Arguments Arguments::with_input(const std::string& path) const {
  Arguments one = *this;
  one.input_ = path;
  one.inputs_.resize(std::max<std::size_t>(1, inputs_.size()));  // those behind it stay
  one.inputs_.front() = path;
  return one;
}

Arguments Arguments::unread_copy() const {
  Arguments one = *this;
  one.reading_ = std::make_shared<Reading>();
  return one;
}

Arguments Arguments::with(const std::string& option, std::vector<std::string> values) const {
  Arguments one = *this;
  if (values.empty())
    one.values_.erase(option);
  else
    one.values_[option] = std::move(values);
  return one;
}

bool Arguments::has(std::string_view option) const { return read(option) != values_.end(); }

std::vector<std::string> Arguments::list(std::string_view option) const {
  const auto found = read(option);
  return found == values_.end() ? std::vector<std::string>{} : found->second;
}

std::string Arguments::text(std::string_view option, std::string otherwise) const {
  const auto found = read(option);
  return found == values_.end() ? otherwise : found->second.front();
}

std::optional<double> Arguments::number(std::string_view option) const {
  if (!has(option)) return {};
  return number_in(text(option));
}

std::uint64_t Arguments::count(std::string_view option, std::uint64_t otherwise) const {
  return has(option) ? count_in(text(option)).value_or(otherwise) : otherwise;
}

std::string notation_of(const Arguments& arguments) {
  static const std::map<std::string, std::string> notations{
      {"tex", "latex"}, {"md", "markdown"}, {"html", "html"}, {"htm", "html"}, {"rst", "rst"}};
  const std::string extension = extension_of(arguments.text("output"));
  const auto of_file = notations.find(extension);
  const std::string stated = arguments.text("notation", of_file == notations.end() ? "text" : of_file->second);
  if (of_file != notations.end() && stated != of_file->second)
    throw UsageError("a file ." + extension + " is written as " + of_file->second + ", not as " + stated,
                     "leave --notation out, or give the file another name");
  return stated;
}

bool asks_for_help(std::span<const std::string> words) {
  return std::find(words.begin(), words.end(), "--help") != words.end() ||
         std::find(words.begin(), words.end(), "-h") != words.end();
}

bool asks_for_json(std::span<const std::string> words) { return std::find(words.begin(), words.end(), "--json") != words.end(); }

}  // namespace sfg::command
