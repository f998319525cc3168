#include "sfg/study/tuning/tuning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "sfg/error.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/read/restated.hpp"
#include "sfg/write/study/fit.hpp"
#include "tools/frame/arguments.hpp"
#include "tools/frame/output.hpp"
#include "tools/frame/plot.hpp"
#include "tools/frame/study.hpp"
#include "tools/frame/sweep.hpp"
#include "tools/frame/usage.hpp"

namespace sfg::command {

namespace {

constexpr const char* vary_form = "write --vary NAME=LO:HI, --vary K=0.1:100 say";

/// A number with its sign, of an option that is quoted where it is none.
double signed_value(const std::string& option, const std::string& text) {
  const bool sign = text.starts_with('-') || text.starts_with('+');
  try {
    return (text.starts_with('-') ? -1 : 1) * parse_number(sign ? text.substr(1) : text).to_double();
  } catch (const Error& error) {
    throw UsageError(option + ": '" + text + "' is not a number", error.diagnostics().front().hint);
  }
}

std::vector<TunedRange> ranges_of(const Arguments& arguments, const SymbolTable& symbols) {
  std::vector<TunedRange> ranges;
  for (const std::string& text : arguments.list("vary")) {
    const std::size_t equals = text.find('='), colon = text.find(':', equals == std::string::npos ? 0 : equals);
    if (equals == std::string::npos || equals == 0 || colon == std::string::npos)
      throw UsageError("--vary " + text + ": not a parameter and its bounds", vary_form);
    TunedRange range{text.substr(0, equals), signed_value("--vary " + text, text.substr(equals + 1, colon - equals - 1)),
                     signed_value("--vary " + text, text.substr(colon + 1))};
    if (!(range.low < range.high)) throw UsageError("--vary " + text + ": the lower bound is not below the upper one", vary_form);
    const Symbol* symbol = symbols.find(range.name);
    if (!symbol || symbol->kind != SymbolKind::parameter) {
      std::vector<std::string> names;
      for (const Symbol& known : symbols.all())
        if (known.kind == SymbolKind::parameter) names.push_back(known.name);
      const std::string near = nearest(range.name, names);
      throw UsageError("--vary " + text + ": there is no parameter '" + range.name + "'",
                       near.empty() ? "" : "did you mean '" + near + "'?");
    }
    ranges.push_back(std::move(range));
  }
  if (ranges.empty()) throw UsageError("no parameter is to be tuned", vary_form);
  return ranges;
}

/// -2+3j, 3j, -1
std::complex<double> complex_of(const std::string& word) {
  const auto wrong = [&] { return UsageError("--place " + word + ": no complex number", "write --place '-2+3j,-2-3j'"); };
  if (word.empty()) throw wrong();
  const bool imaginary = word.back() == 'j' || word.back() == 'i';
  std::size_t split = imaginary ? word.find_last_of("+-") : std::string::npos;
  if (split != std::string::npos && split > 0 && (word[split - 1] == 'e' || word[split - 1] == 'E'))
    split = word.find_last_of("+-", split - 1);
  const std::size_t begin = split == std::string::npos ? 0 : split;
  std::string above = imaginary ? word.substr(begin, word.size() - 1 - begin) : "0";
  if (above.empty() || above == "+" || above == "-") above += "1";
  const std::string real = imaginary ? word.substr(0, begin) : word;
  const std::string option = "--place " + word;
  return {real.empty() ? 0 : signed_value(option, real), signed_value(option, above)};
}

TuningGoal goal_of(const Arguments& arguments, const SymbolTable& symbols) {
  using Kind = TuningGoal::Kind;
  TuningGoal goal;
  goal.specs = specs_of(arguments, symbols, true);
  const char* asked = nullptr;
  for (const auto& [option, kind] :
       {std::pair("minimize", Kind::minimize), std::pair("maximize", Kind::maximize), std::pair("place", Kind::place)}) {
    if (!arguments.has(option)) continue;
    if (asked)
      throw UsageError(std::string("--") + asked + " and --" + option + " are different goals",
                       "keep one, and state the other as a --spec");
    asked = option;
    goal.kind = kind;
  }
  if (!asked && goal.specs.empty())
    throw UsageError("nothing is asked for", "add --spec 'phase-margin > 45', --minimize peak or --place '-2+3j,-2-3j'");
  if (goal.kind == Kind::minimize || goal.kind == Kind::maximize)
    goal.objective = as_usage(std::string("--") + asked, [&] { return measure_of(arguments.text(asked), symbols); });
  if (goal.kind == Kind::place) {
    std::string word;
    for (const char c : arguments.text("place") + ",") {
      if (c == ',')
        goal.poles.push_back(complex_of(std::exchange(word, "")));
      else if (c != ' ')
        word += c;
    }
  }
  return goal;
}

/// A word of the command line, in quotes where a shell would take it apart.
std::string word(const std::string& text) {
  const bool plain =
      text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.,:/@=+-") == std::string::npos;
  return plain ? text : '\'' + text + '\'';
}

/// The command that shows what the values make of the transfer function.
std::string check_of(const Task& task, const TuningGoal& goal, const Tuning& tuning) {
  const Arguments& arguments = task.arguments;
  const bool poles = goal.specs.empty() && !goal.objective;
  std::string text = std::string("sfg ") + (poles ? "poles " : "sens ") + word(arguments.input());
  for (const char* option : {"operating-point", "temperature", "from", "to", "ratio-of", "break", "of", "set", "sample-time"})
    for (const std::string& value : arguments.list(option)) text += std::string(" --") + option + ' ' + word(value);
  for (const TunedParameter& p : tuning.parameters) text += fmt::format(" --set {}={}", p.name, p.value);
  std::set<std::string> measures;
  if (goal.objective) measures.insert(goal.objective->text);
  for (const Spec& spec : goal.specs) measures.insert(spec.measure.text);
  for (const std::string& measure : measures) text += " --measure " + word(measure);
  return text;
}

/// Whether -o asks for the model with the values that are found.
bool writes_model(const Arguments& arguments) {
  static const std::set<std::string> models{"toml", "dot", "gv", "m", "cir", "sp", "net", "ckt", "graphml"};
  if (arguments.has("json") || !models.contains(extension_of(arguments.text("output")))) return false;
  if (arguments.input() == "-")
    throw UsageError("-o " + arguments.text("output") + ": standard input cannot be read again to write the model back",
                     "give the model as a file");
  for (const char* option : {"sample-time", "variable", "operating-point", "temperature"})
    if (arguments.has(option))
      throw UsageError(std::string("-o ") + arguments.text("output") + ": the model is written as it stands, without --" + option,
                       "state it in the model");
  return true;
}

InputFormat input_format(const Arguments& arguments) {
  const auto stated = format_named(arguments.text("format"));
  return stated ? *stated : format_of(arguments.input());
}

/// The model as it stands but for the values of --set and those that were found.
void write_model(Task& task, const Tuning& tuning) {
  const Arguments& arguments = task.arguments;
  const InputFormat format = input_format(arguments);
  if (format_of(arguments.text("output")) != format)
    throw UsageError("-o " + arguments.text("output") + ": a model is written back in the format that it is read in",
                     "give the name the ending of " + arguments.input());
  std::vector<RestatedValue> values;
  for (const std::string& text : arguments.list("set"))
    values.push_back({text.substr(0, text.find('=')), text.substr(text.find('=') + 1)});
  for (const TunedParameter& p : tuning.parameters) values.push_back({p.name, fmt::format("{}", p.value)});
  const std::filesystem::path folder = std::filesystem::path(arguments.input()).parent_path();
  task.out << restated(text_of_file(arguments.input()), format, arguments.input(), values,
                       [&](const std::string& name) { return text_of_file((folder / name).string()); });
}

NoAnswer not_met(const Tuning& tuning) {
  std::string specs;
  for (const std::string& spec : tuning.conflicts) specs += (specs.empty() ? "'" : ", '") + spec + "'";
  return NoAnswer(tuning.conflicts.size() == 1 ? "the spec " + specs + " could not be met"
                                               : "the specs " + specs + " could not be met together",
                  "leave -o out to see the best values, widen the bounds, or relax a spec");
}

/// What is wrong with the poles of --place is said of it.
Tuning tuned_as_asked(const Arguments& arguments, const MeasuredSystem& system, const std::vector<TunedRange>& ranges,
                      const TuningGoal& goal, const TuningOptions& options) {
  try {
    return tuned(system, ranges, goal, options);
  } catch (const Error& error) {
    if (!arguments.has("place") || error.where().line > 0) throw;
    throw UsageError("--place " + arguments.text("place") + ": " + error.diagnostics().front().message, error.remedy());
  }
}

int run_tune(Task& task) {
  const Arguments& arguments = task.arguments;
  const bool model = writes_model(arguments);
  const Answer answer = model ? Answer::text : answer_of(arguments, {});
  if (arguments.has("until") && !arguments.has("nonlinear"))
    throw UsageError("--until is of --nonlinear", "leave it out, or add --nonlinear");
  const MeasuredSystem system = measured_system_of(task);
  const SymbolTable& symbols = system.graph.symbols;
  const std::vector<TunedRange> ranges = ranges_of(arguments, symbols);
  const TuningGoal goal = goal_of(arguments, symbols);
  std::vector<Measure> asked;
  for (const Spec& spec : goal.specs) asked.push_back(spec.measure);
  if (goal.objective) asked.push_back(*goal.objective);
  note_subjects(task, system, asked, Severity::warning);
  TuningOptions options{
      .seed = arguments.count("seed", 1), .threads = static_cast<unsigned>(arguments.count("threads", 0)), .budget = task.budget};
  task.working("tuning");
  const Tuning result = tuned_as_asked(arguments, system, ranges, goal, options);
  const std::string& from = system.graph[system.question.input].name;
  const std::string& to = system.graph[system.question.output].name;
  if (model && !result.met()) throw not_met(result);
  if (model)
    write_model(task, result);
  else if (answer == Answer::json)
    write_json(task.out, result, from, to);
  else
    show(task, page(result, check_of(task, goal, result)));
  return result.met() ? 0 : 1;
}

}  // namespace

Verb tune() {
  std::vector<Option> options = loop_options();
  options.push_back(ratio_option());
  options.insert(
      options.begin(),
      {{"--vary", "NAME=LO:HI", "a parameter and its bounds; repeatable", Option::Kind::text, {}, true},
       {"--spec", "'M < VALUE'", "what is to be met: <, <=, >, >= or =; repeatable", Option::Kind::text, {}, true},
       {"--minimize", "M", "the measure, or expression of measures and parameters, that is to be least"},
       {"--maximize", "M", "the one that is to be greatest"},
       {"--place", "S1,S2,…", "where poles are to be, conjugates listed: -2+3j,-2-3j"},
       {"--amplitude", "A", "with --nonlinear: height of the step that is simulated (default 1)", Option::Kind::number},
       {"--until", "T", "with --nonlinear: how long the step is followed"},
       sample_time_option(),
       pade_option(),
       notation_option(),
       width_option()});
  return {.name = "tune",
          .summary = "values of parameters that meet specs, are best, or place poles",
          .details =
              "Parameters move within their bounds from several starts, the stated values first; measures are those of "
              "'sfg sens'; with --break the margins are those of the loop opened there, all else of the closed one, and with "
              "--of all "
              "of them are that answer's. Where only specs are asked for, the values are those nearest to the stated ones. "
              "Status 1 when no "
              "start meets all specs: the best values are printed with a smallest list of specs in conflict.",
          .options = std::move(options),
          .examples = {"sfg tune examples/vehicle.toml --from z1 --to Z --vary c=100:5000 --minimize peak",
                       "sfg tune servo.toml --vary K=0.1:100 --spec 'phase-margin = 45'"},
          .run = run_tune,
          .parameters = Parameters::tuned};
}

}  // namespace sfg::command
