#include "tools/frame/study.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sfg/ask/loop.hpp"
#include "sfg/ask/measured.hpp"
#include "sfg/control/open_loop.hpp"
#include "sfg/error.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/tolerance.hpp"
#include "sfg/read/csv.hpp"
#include "sfg/read/input.hpp"
#include "tools/frame/load.hpp"
#include "tools/frame/plot.hpp"
#include "tools/frame/usage.hpp"

namespace sfg::command {

namespace {

/// NAME=VALUE, or a value for everything.
std::pair<std::string, std::string> split_at_sign(const std::string& text) {
  const std::size_t at = text.find('=');
  return at == std::string::npos ? std::pair(std::string(), text) : std::pair(text.substr(0, at), text.substr(at + 1));
}

void require_parameter(const char* option, const std::string& name, const SymbolTable& symbols) {
  const Symbol* symbol = symbols.find(name);
  if (symbol && symbol->kind == SymbolKind::parameter) return;
  std::vector<std::string> names;
  for (const Symbol& known : symbols.all())
    if (known.kind == SymbolKind::parameter) names.push_back(known.name);
  const std::string near = nearest(name, names);
  throw UsageError(std::string(option) + " " + name + ": there is no parameter of that name",
                   near.empty() ? "" : "did you mean '" + near + "'?");
}

/// What a fit has found of parameters; one at a bound counts as known.
Covariance fitted_covariance(const std::string& text, const std::string& path, const SymbolTable& symbols,
                             std::vector<std::string>& moved) {
  const auto wrong = [&](const std::string& what) {
    return UsageError("--covariance @" + path + ": " + what,
                      "name what 'sfg fit MODEL --json' has written, or a table of numbers");
  };
  const nlohmann::json answer = nlohmann::json::parse(text, nullptr, false);
  if (!answer.is_object() || answer.value("schema", "") != "sfg/fit/1") throw wrong("that is not the answer of a fit");
  if (!answer.value("determined", false))
    throw wrong("the data of that fit do not determine all parameters, so that they have no variances");
  const nlohmann::json parameters = answer.value("parameters", nlohmann::json::array()),
                       rows = answer.value("covariance", nlohmann::json::array());
  const GiNaC::exmap values = symbols.values();
  Covariance found;
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < parameters.size() && i < rows.size(); ++i) {
    const std::string name = parameters[i].value("name", "");
    require_parameter("--covariance", name, symbols);
    const auto stated = values.find(symbols.at(name).expr);
    const double value = stated == values.end() ? 0 : double_value(stated->second).value_or(0),
                 was = parameters[i].value("value", value);
    if (std::abs(value - was) > 1e-6 * std::abs(was)) moved.push_back(name);
    if (!rows[i].is_array() || rows[i].size() != parameters.size()) throw wrong("its covariance is no square matrix");
    if (!rows[i][i].is_number()) continue;
    kept.push_back(i);
    found.names.push_back(name);
  }
  if (kept.empty()) throw wrong("no parameter of that fit has a standard deviation");
  for (const std::size_t i : kept)
    for (const std::size_t j : kept)
      found.matrix.push_back(exact::Rational::of(rows[std::min(i, j)][std::max(i, j)].get<double>()));
  return found;
}

/// Entries, or one file of them.
/// @param moved  becomes those whose stated values are not those of the fit that the matrix is of
Covariance stated_covariance(const std::vector<std::string>& words, const SymbolTable& symbols, std::vector<std::string>& moved) {
  const bool of_file = std::ranges::any_of(words, [](const std::string& word) { return word.find('=') == std::string::npos; });
  if (of_file && words.size() > 1)
    throw UsageError("--covariance: a file and something beside it", "state the whole matrix in one place");
  if (of_file) {
    const std::string path = words.front().starts_with('@') ? words.front().substr(1) : words.front();
    const std::string text = text_of_file(path);
    if (text.starts_with('{')) return fitted_covariance(text, path, symbols, moved);
    return read_covariance(text, path);
  }
  Covariance found = as_usage("--covariance", [&] { return parse_covariance(words); });
  for (const std::string& name : found.names) require_parameter("--covariance", name, symbols);
  return found;
}

/// The one transfer function that is asked for, and the open loop of --break.
MeasuredSystem system_of(Task& task, SignalFlowGraph graph) {
  const Arguments& arguments = task.arguments;
  MeasuredSystem system{approximated(task, sampled(arguments, std::move(graph))), {}, {}};
  const std::vector<Question> questions = questions_of(arguments, system.graph);
  if (questions.size() != 1) throw UsageError("a study is of one transfer function", "name it by --from and --to");
  system.question = questions.front();
  add_open_loop(arguments, system);
  return system;
}

}  // namespace

void add_open_loop(const Arguments& arguments, MeasuredSystem& system) {
  if (!arguments.has("break") || arguments.has("of")) return;
  const std::string where = arguments.text("break");
  OpenLoop loop = as_usage_without_place([&] { return loop_opened_at(system.graph, where); });
  system.loop = {std::move(loop.graph), loop.question};
}

void refuse_idle_break(const Arguments& arguments) {
  if (arguments.has("break") && !arguments.has("of") && !arguments.has("measure"))
    throw UsageError("--break is of measures, and none is asked for",
                     "add --of loop, sensitivity or complementary, or --measure phase-margin");
}

MeasuredSystem measured_system_of(Task& task) {
  const Arguments& arguments = task.arguments;
  const bool nonlinear = arguments.has("nonlinear");
  if (!nonlinear && arguments.has("amplitude"))
    throw UsageError("--amplitude is of --nonlinear", "leave it out, or add --nonlinear");
  if (nonlinear && arguments.parameters() == Parameters::differentiated)
    throw UsageError("--nonlinear: a simulated response has no derivatives",
                     "add --monte-carlo N, --tornado, --morris R or --sobol N");
  if (nonlinear && arguments.has("break"))
    throw UsageError("--nonlinear: a simulated response has no margins", "leave --break out");
  const SystemOf system = [&task](SignalFlowGraph graph) { return system_of(task, std::move(graph)); };
  Subject subject = subject_of(task);
  if (arguments.parameters() == Parameters::differentiated && subject.infinite_with_values())
    throw NoAnswer(subject.infinite_ratio(), "change a value; --monte-carlo N takes others");
  if (!nonlinear) return measured(std::move(subject), system);
  return simulated(std::move(subject), system, arguments.number("amplitude").value_or(1),
                   arguments.has("until") ? value_of("--until", arguments.text("until")) : 0);
}

std::vector<Measure> measures_of(const Arguments& arguments, const SymbolTable& symbols) {
  std::vector<Measure> result;
  for (const std::string& text : arguments.list("measure"))
    result.push_back(as_usage("--measure", [&] { return measure_of(text, symbols); }));
  return result;
}

StudiedGraph studied_of(const Arguments& arguments, const SignalFlowGraph& graph, StudyParameter::Role gains) {
  return as_usage("--wrt", [&] { return studied(graph, arguments.list("wrt"), gains); });
}

std::vector<Spec> specs_of(const Arguments& arguments, const SymbolTable& symbols, bool equality) {
  std::vector<Spec> result;
  for (const std::string& text : arguments.list("spec"))
    result.push_back(as_usage("--spec", [&] { return spec_of(text, symbols, equality); }));
  return result;
}

StatedVariation stated_variation(const Arguments& arguments, const SymbolTable& symbols) {
  StatedVariation stated;
  for (const std::string& text : arguments.list("tolerance")) {
    const auto [name, word] = split_at_sign(text);
    const Tolerance tolerance = as_usage("--tolerance", [&word = word] { return parse_tolerance(word); });
    if (name.empty()) {
      if (stated.everything)
        throw UsageError("--tolerance " + text + ": there is one of all parameters already",
                         "give one, or name a parameter: K=" + text);
      stated.everything = tolerance;
    } else {
      require_parameter("--tolerance", name, symbols);
      stated.tolerances[name] = tolerance;
    }
  }
  for (const std::string& text : arguments.list("distribution")) {
    const auto [name, word] = split_at_sign(text);
    if (name.empty()) throw UsageError("--distribution " + text + " names no parameter", "write --distribution NAME=normal");
    require_parameter("--distribution", name, symbols);
    stated.distributions[name] = as_usage("--distribution", [&word = word] { return parse_distribution(word); });
  }
  for (const std::string& text : arguments.list("correlation")) {
    const Correlation pair = as_usage("--correlation", [&] { return parse_correlation(text); });
    for (const std::string& name : {pair.first, pair.second}) require_parameter("--correlation", name, symbols);
    if (std::ranges::any_of(stated.correlations,
                            [&](const auto& other) { return other.first == pair.second && other.second == pair.first; }))
      throw UsageError("--correlation " + text + ": that of the two is given twice", "give it once");
    stated.correlations.push_back(pair);
  }
  std::vector<std::string> moved;
  if (arguments.has("covariance")) stated.covariance = stated_covariance(arguments.list("covariance"), symbols, moved);
  if (!moved.empty())
    throw UsageError("--covariance: the model states another value of '" + moved.front() + "' than the fit has found",
                     "study the model that 'sfg fit … -o MODEL' writes, or give the values by --set");
  return stated;
}

void note_subjects(Task& task, const MeasuredSystem& system, const std::vector<Measure>& measures, Severity severity) {
  if (!system.loop) return;
  std::vector<std::string> names;
  for (const Measure& measure : measures)
    for (const BaseMeasure& base : measure.bases)
      if (const std::string name = to_string(base); !is_margin(base.kind) && std::ranges::find(names, name) == names.end())
        names.push_back(name);
  if (names.empty()) return;
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  task.notes.push_back({{},
                        list + (names.size() == 1 ? " is" : " are") + " of " + system.graph[system.question.input].name + " -> " +
                            system.graph[system.question.output].name +
                            " with the loop closed; margins and crossovers are of the loop opened at " +
                            task.arguments.text("break"),
                        "",
                        severity});
}

Study study_of(Task& task) {
  Study study{measured_system_of(task), {}, {}};
  const SymbolTable& symbols = study.system.graph.symbols;
  study.measures = measures_of(task.arguments, symbols);
  note_subjects(task, study.system, study.measures);
  const StatedVariation stated = stated_variation(task.arguments, symbols);
  study.variation = as_usage_without_place([&] { return variation_of(symbols, stated); });
  return study;
}

void require_variation(const Study& study) {
  if (study.variation.parameters.empty())
    throw UsageError("nothing varies: no parameter has a tolerance",
                     "add --tolerance 5%, --tolerance NAME=5%, or tolerance = \"5%\" to parameters of the model");
}

std::map<std::string, double> numbers_of(const std::vector<StudyParameter>& parameters, const SymbolTable& symbols) {
  const GiNaC::exmap values = symbols.values();
  std::map<std::string, double> numbers;
  for (const StudyParameter& parameter : parameters)
    if (const auto value = rational_value(parameter.nominal.subs(values))) numbers[parameter.name] = value->to_double();
  return numbers;
}

FigureOptions figure_options(const Task& task, const Study& study) {
  FigureOptions options{.hertz = task.arguments.has("hz")};
  for (const Symbol& symbol : study.system.graph.symbols.all()) options.units[symbol.name] = symbol.unit;
  for (const Measure& measure : study.measures) options.units[measure.text] = measure.unit;
  return options;
}

std::vector<Option> measure_options() {
  return {
      {"--measure",
       "M",
       "a number of the transfer function: dc, gain@W, peak, bandwidth, phase-margin, disk-margin, Kv, rise, step@T, abscissa, "
       "frequency:N, …, of a circuit noise and noise@LO:HI, or an expression of them and of parameters; repeatable",
       Option::Kind::text,
       {},
       true},
      {"--amplitude", "A", "with --nonlinear: height of the step that is simulated (default 1)", Option::Kind::number}};
}

std::vector<Option> tolerance_options() {
  return {{"--tolerance",
           "T|NAME=T",
           "how far parameters vary: 5% or 0.05 of the value, ±2 in its unit; repeatable",
           Option::Kind::text,
           {},
           true},
          {"--distribution",
           "NAME=KIND",
           "uniform, triangular, normal (σ a third of the tolerance) or lognormal; repeatable",
           Option::Kind::text,
           {},
           true},
          {"--correlation",
           "A,B=R",
           "of the normal variables behind two parameters, -1 to 1; repeatable",
           Option::Kind::text,
           {},
           true},
          {"--covariance",
           "A,B=V|@CSV",
           "variances (A,A=V) and covariances of normal parameters, in place of their tolerances; repeatable, or a matrix under "
           "a line of names",
           Option::Kind::text,
           {},
           true}};
}

}  // namespace sfg::command
