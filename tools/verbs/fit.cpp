// fit: parameters of a model from measured data.
#include "sfg/ask/fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <set>
#include <sstream>

#include "sfg/derive/circuit.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/derived_parameters.hpp"
#include "sfg/expr/exact_value.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/graph/from_equations.hpp"
#include "sfg/plot/figures.hpp"
#include "sfg/read/measurement/measurement.hpp"
#include "sfg/read/measurement/touchstone.hpp"
#include "sfg/read/restated.hpp"
#include "sfg/study/fit/fit.hpp"
#include "sfg/write/study/fit.hpp"
#include "tools/frame/measurement.hpp"
#include "tools/frame/output.hpp"
#include "tools/frame/pictures.hpp"
#include "tools/frame/plot.hpp"
#include "tools/frame/study.hpp"
#include "tools/frame/usage.hpp"
#include "tools/verbs/simulation_statements.hpp"

namespace sfg::command {

namespace {

constexpr const char* fit_form = "write --vary K, --vary K=0.1:100, or --vary 'C2=2*C1' for one that follows others";

/// NAME, NAME=LO:HI, and NAME=EXPRESSION of one that follows others.
struct VaryWord {
  std::string text, name;
  std::string low = {}, high = {}, expression = {};
};

VaryWord vary_word(const std::string& text) {
  const std::size_t equals = text.find('=');
  VaryWord word{text, text.substr(0, equals)};
  if (word.name.empty()) throw UsageError("--vary " + text + " names no parameter", fit_form);
  if (equals == std::string::npos) return word;
  const std::string rest = text.substr(equals + 1);
  const std::size_t colon = rest.find(':');
  if (rest.empty()) throw UsageError("--vary " + text + ": nothing stands behind the =", fit_form);
  if (colon == std::string::npos)
    word.expression = rest;
  else
    word.low = rest.substr(0, colon), word.high = rest.substr(colon + 1);
  return word;
}

double bound_of(const VaryWord& word, const std::string& text) {
  const bool sign = text.starts_with('-') || text.starts_with('+');
  try {
    return (text.starts_with('-') ? -1 : 1) * parse_number(sign ? text.substr(1) : text).to_double();
  } catch (const Error&) {
    throw UsageError("--vary " + word.text + ": '" + text + "' is not a number", fit_form);
  }
}

Symbol& varied_symbol(SymbolTable& symbols, const VaryWord& word) {
  Symbol* symbol = symbols.find(word.name);
  if (symbol != nullptr && symbol->kind == SymbolKind::parameter) return *symbol;
  std::vector<std::string> names;
  for (const Symbol& known : symbols.all())
    if (known.kind == SymbolKind::parameter) names.push_back(known.name);
  const std::string near = nearest(word.name, names);
  throw UsageError("--vary " + word.text + ": there is no parameter '" + word.name + "'",
                   near.empty() ? "" : "did you mean '" + near + "'?");
}

/// What varies, and what follows from it.
struct Varied {
  std::vector<FitParameter> parameters;
  std::vector<VaryWord> tied;
};

Varied varied(const Arguments& arguments, SymbolTable& symbols) {
  Varied all;
  std::set<std::string> seen;
  std::vector<VaryWord> words;
  for (const std::string& text : arguments.list("vary")) {
    words.push_back(vary_word(text));
    varied_symbol(symbols, words.back());
    if (!seen.insert(words.back().name).second)
      throw UsageError("--vary " + text + ": the parameter varies already", "name it once");
  }
  const GiNaC::exmap values = symbols.values();
  for (const VaryWord& word : words) {
    if (!word.expression.empty()) {
      all.tied.push_back(word);
      continue;
    }
    const Symbol& symbol = varied_symbol(symbols, word);
    if (is_derived(symbol))
      throw UsageError("--vary " + word.text + ": the parameter follows from others", "vary those that it follows from");
    FitParameter parameter{word.name};
    const auto stated = values.find(symbol.expr);
    const auto value = stated == values.end() ? std::nullopt : double_value(stated->second);
    if (!word.low.empty() || !word.high.empty()) {
      parameter.low = bound_of(word, word.low);
      parameter.high = bound_of(word, word.high);
      if (!(*parameter.low < *parameter.high))
        throw UsageError("--vary " + word.text + ": the lower bound of " + word.name + " is not below the upper one", fit_form);
    }
    constexpr double infinite = std::numeric_limits<double>::infinity();
    const double low = parameter.low.value_or(-infinite), high = parameter.high.value_or(infinite);
    if (const double at = value.value_or(std::nan("")); at >= low && at <= high)
      parameter.start = at;
    else if (parameter.low)
      parameter.start = low > 0 ? std::sqrt(low * high) : (low + high) / 2;
    else
      throw UsageError("--vary " + word.text + ": the model states no value to start from",
                       "state bounds: --vary " + word.name + "=LO:HI");
    all.parameters.push_back(parameter);
  }
  if (all.parameters.empty()) throw UsageError("no parameter is to be found", fit_form);
  return all;
}

/// Those that follow from others are stated as expressions of them; what has no value yet begins where the fit does.
void state_parameters(SymbolTable& symbols, const Varied& all) {
  for (const FitParameter& parameter : all.parameters)
    symbols.find(parameter.name)->value = GiNaC::ex(numeric_value(exact::Rational::of(parameter.start)));
  for (const VaryWord& word : all.tied)
    symbols.find(word.name)->value = as_usage("--vary " + word.text, [&] {
      const GiNaC::ex expression = parse_known(word.expression, symbols, {});
      if (expression.has(symbols.at(word.name).expr)) throw Error({}, "the parameter follows from itself", fit_form);
      return expression;
    });
  as_usage("--vary", [&] { return symbols.values(); });
}

GiNaC::ex in_parameters(const Statement& statement, const SymbolTable& symbols) {
  try {
    return parse_number(statement.text);
  } catch (const Error&) {
  }
  return parse_known(statement.text, symbols, statement.where);
}

MeasurableNames measurable_by(const Arguments& arguments, const SignalFlowGraph& graph) {
  MeasurableNames names;
  const std::vector<NodeId> outputs = outputs_of(arguments, graph);
  for (const NodeId output : outputs) names.signals.push_back(graph[output].name);
  const std::vector<std::string> from = arguments.list("from");
  std::vector<std::string> inputs = from;
  for (const NodeId input : graph.stated_inputs()) {
    names.inputs.push_back(graph[input].name);
    if (from.empty()) inputs.push_back(graph[input].name);
  }
  for (const std::string& input : inputs) {
    if (!graph.entering(node_named(graph, "--from", input)).empty() && !arguments.has("inject"))
      throw UsageError("node '" + input + "' has entering branches: a response from there is ambiguous",
                       "add --inject for the response to a signal added there");
    if (std::ranges::find(names.inputs, input) == names.inputs.end()) names.inputs.push_back(input);
    for (const NodeId output : outputs) names.transfers.emplace_back(input, graph[output].name);
  }
  return names;
}

/// Whether the data are scattering parameters; all of them are, or none.
bool of_ports(const Arguments& arguments) {
  const std::vector<std::string> files = arguments.list("data");
  const auto matrices = std::ranges::count_if(files, [](const std::string& file) { return touchstone_ports(file) > 0; });
  if (matrices > 0 && static_cast<std::size_t>(matrices) < files.size())
    throw UsageError("--data: scattering parameters beside tables of signals", "fit one of the two at a time");
  if (matrices == 0)
    refuse_any(arguments, {"port", "z0"}, " is of scattering parameters (--data FILE.s2p)");
  else
    refuse_any(arguments, {"decimal-comma"}, " is of tables of signals (--data FILE.csv)");
  return matrices > 0;
}

std::vector<MeasuredPorts> matrices(Task& task) {
  std::vector<MeasuredPorts> all;
  for (const std::string& file : task.arguments.list("data")) {
    all.push_back(read_touchstone(text_of_file(file), file));
    const std::size_t named = task.arguments.list("port").size();
    if (all.back().ports != named)
      throw UsageError(
          "--data " + file + " is of " + std::to_string(all.back().ports) + " ports, and " + std::to_string(named) + " are named",
          "give as many --port as the file has, in its order");
    if (all.back().z0 != all.front().z0)
      throw UsageError("--data " + file + ": another reference resistance than that of the first file");
    for (const Diagnostic& note : all.back().notes) task.notes.push_back(note);
  }
  if (const std::string z0 = task.arguments.text("z0"); !z0.empty() && value_of("--z0", z0) != all.front().z0)
    throw UsageError("--z0 " + z0 + ": the data are about another reference resistance",
                     "leave --z0 out: it is then that of the file");
  return all;
}

/// The circuit between its ports: waves in and waves out.
SignalFlowGraph scattering_graph(Task& task, const Subject& subject, double z0) {
  const Circuit* circuit = subject.circuit();
  if (circuit == nullptr)
    throw UsageError("scattering parameters are those of a circuit", "give a netlist (.cir), or another table");
  std::vector<Port> ports;
  for (const std::string& text : task.arguments.list("port"))
    ports.push_back(as_usage("--port " + text, [&] { return port_between(text, *circuit); }));
  return from_equations(port_equations(*circuit, ports, PortParameters::s, GiNaC::ex(numeric_value(exact::Rational::of(z0)))))
      .graph;
}

/// Real and imaginary parts of every entry, as a table would have them.
Measurement as_table(const MeasuredPorts& matrix, const SignalFlowGraph& graph) {
  Measurement table{.file = matrix.file, .axis = MeasuredAxis::frequency, .at = matrix.frequency};
  for (std::size_t i = 0; i < matrix.ports; ++i)
    for (std::size_t j = 0; j < matrix.ports; ++j)
      for (const MeasuredPart part : {MeasuredPart::real, MeasuredPart::imaginary}) {
        MeasuredColumn column{
            .input = graph[graph.stated_inputs()[j]].name, .output = graph[graph.stated_outputs()[i]].name, .part = part};
        for (const std::complex<double>& value : matrix.matrix[i][j])
          column.samples.emplace_back(part == MeasuredPart::real ? value.real() : value.imag());
        table.columns.push_back(std::move(column));
      }
  return table;
}

FitQuestion fit_question(Task& task, const Subject& subject, const SignalFlowGraph& graph, const Varied& all) {
  const Arguments& arguments = task.arguments;
  const SymbolTable symbols = symbols_in_time(graph.symbols, subject.terms().settings);
  FitQuestion question{.parameters = all.parameters, .time = symbols.at("t").expr, .inject = arguments.has("inject")};
  question.inputs = arguments.list("from");
  if (question.inputs.empty())
    for (const NodeId input : graph.stated_inputs()) question.inputs.push_back(graph[input].name);
  const SimulationSettings& settings = subject.input().simulation;
  note_replaced(task, settings);
  for (const Statement& statement : statements(arguments, "input", "NAME=EXPRESSION or NAME=@FILE.csv", settings.inputs)) {
    if (!graph.find(statement.name))
      refuse(statement, "there is no signal '" + statement.name + "'", "name an input of the model");
    if (statement.text.starts_with('@'))
      question.driven.push_back({statement.name, csv_of(statement, arguments)});
    else
      question.driven.push_back({statement.name, as_usage("", [&] { return in_parameters(statement, symbols); })});
  }
  for (const Statement& statement : statements(arguments, "initial", "NAME=VALUE", settings.initial))
    question.initial.push_back({statement.name, as_usage("", [&] { return in_parameters(statement, symbols); })});
  question.records = measurements(task, measurable_by(arguments, graph));
  note_units(task, question.records);
  return question;
}

FitOptions fit_options(const Task& task) {
  const Arguments& arguments = task.arguments;
  FitOptions options{.starts = arguments.count("starts", 5), .seed = arguments.count("seed", 1), .budget = task.budget};
  if (options.starts == 0) throw UsageError("--starts 0: the fit starts somewhere", "write --starts 5");
  if (!arguments.has("loss")) return options;
  const std::string word = arguments.text("loss");
  const std::size_t equals = word.find('=');
  static const std::map<std::string, FitLoss> losses{
      {"huber", FitLoss::huber}, {"soft-l1", FitLoss::soft_l1}, {"cauchy", FitLoss::cauchy}};
  const auto loss = losses.find(word.substr(0, equals));
  if (loss == losses.end())
    throw UsageError("--loss " + word + ": no loss of that name", "write huber, soft-l1 or cauchy, or huber=0.1");
  options.loss = loss->second;
  if (equals != std::string::npos) options.loss_scale = value_of("--loss", word.substr(equals + 1));
  if (!(options.loss_scale > 0)) throw UsageError("--loss " + word + ": the scale is not above 0", "write huber=0.1");
  return options;
}

std::vector<TiedParameter> tied_values(const Varied& all, SymbolTable symbols, const Fit& fit) {
  for (const FittedParameter& p : fit.parameters)
    symbols.find(p.name)->value = GiNaC::ex(numeric_value(exact::Rational::of(p.value)));
  const GiNaC::exmap values = symbols.values();
  std::vector<TiedParameter> tied;
  for (const VaryWord& word : all.tied)
    tied.push_back({word.name, word.expression, double_value(values.at(symbols.at(word.name).expr)).value_or(0)});
  return tied;
}

void note_fit(Task& task, const Fit& fit) {
  const bool bounded = std::ranges::any_of(fit.parameters, [](const FittedParameter& p) { return p.low.has_value(); });
  if (task.arguments.has("starts") && !bounded && fit.starts == 1)
    task.notes.push_back(
        {{}, "--starts makes no difference: no parameter has bounds", "write --vary NAME=LO:HI", Severity::remark});
  if (const std::string words = undetermined(fit); !words.empty())
    task.notes.push_back({{}, words, "vary fewer of them, or measure what tells them apart", Severity::warning});
  if (!fit.converged)
    task.notes.push_back({{},
                          "the fit has not converged: these are the best values that were found",
                          "start from other values, or state bounds: several starts are tried within them",
                          Severity::warning});
  for (const std::string& note : fit.notes) task.notes.push_back({{}, note, {}, Severity::warning});
  if (fit.samples == fit.parameters.size())
    task.notes.push_back({{},
                          "there are as many samples as parameters: nothing tells how uncertain these are",
                          "measure more",
                          Severity::warning});
}

/// What is unusual in the data, or in how the model is taken.
void note_data(Task& task, const Subject& subject, const FitQuestion& question) {
  bool of_time = false;
  for (const Measurement& record : question.records) {
    of_time = of_time || record.axis == MeasuredAxis::time;
    for (const MeasuredColumn& column : record.columns) {
      std::set<double> values;
      for (const std::optional<double>& sample : column.samples)
        if (sample) values.insert(*sample);
      if (values.size() == 1)
        task.notes.push_back({column.where, "the column of '" + column.output + "' does not move: all its samples are equal",
                              "check the record", Severity::warning});
    }
  }
  if (of_time && subject.terms().nonlinear == NonlinearTerms::linearized && subject.leaves_out_terms().value_or(true))
    task.notes.push_back({{},
                          "the model is followed as linearised at its equilibrium, and it is nonlinear",
                          "add --nonlinear to keep its nonlinear terms",
                          Severity::warning});
}

InputFormat format_of_input(const Arguments& arguments) {
  const auto stated = format_named(arguments.text("format"));
  return stated ? *stated : format_of(arguments.input());
}

/// The text of the model with the values that were found, and those of --set.
std::string model_found(const Task& task, const Fit& fit, const std::vector<TiedParameter>& tied, const std::string& path) {
  const Arguments& arguments = task.arguments;
  const InputFormat format = format_of_input(arguments);
  if (arguments.input() == "-")
    throw UsageError("-o " + path + ": standard input cannot be read again to write the model back", "give the model as a file");
  if (format_of(path) != format)
    throw UsageError("-o " + path + ": a model is written back in the format that it is read in",
                     "give the name the ending of " + arguments.input());
  std::vector<RestatedValue> values;
  for (const std::string& text : arguments.list("set"))
    values.push_back({text.substr(0, text.find('=')), text.substr(text.find('=') + 1)});
  const auto restate = [&](const std::string& name, double value) {
    std::erase_if(values, [&](const RestatedValue& each) { return each.parameter == name; });
    values.push_back({name, fmt::format("{}", value)});
  };
  for (const FittedParameter& p : fit.parameters) restate(p.name, p.value);
  for (const TiedParameter& each : tied) restate(each.name, each.value);
  const std::filesystem::path folder = std::filesystem::path(arguments.input()).parent_path();
  return restated(text_of_file(arguments.input()), format, arguments.input(), values,
                  [&](const std::string& name) { return text_of_file((folder / name).string()); });
}

const std::set<std::string> model_endings{"toml", "dot", "gv", "m", "cir", "sp", "net", "ckt", "graphml", "yaml", "yml", "sfg"};

/// What the name of a file asks for.
void write_as(Task& task, const std::string& path, const FitAnswer& answer, const std::vector<TiedParameter>& tied) {
  const std::string extension = extension_of(path);
  const Arguments arguments = task.arguments.with("output", {path});
  Task one{arguments, task.budget, task.out, task.notes, task.working};
  if (extension == "json" || arguments.has("json"))
    write_json(task.out, answer.fit, tied);
  else if (model_endings.contains(extension))
    task.out << model_found(task, answer.fit, tied, path);
  else if (extension == "csv")
    write_csv(task.out, answer.series);
  else if (extension == "svg" || extension == "png" || extension == "pdf" || extension == "eps" || extension == "tikz")
    put(one, fit_figure(answer.fit, answer.series, {.hertz = arguments.has("hz")}));
  else
    show(one, page(answer.fit, tied));
}

/// Files that -o names are written when all of them could be made.
void write_answer(Task& task, const FitAnswer& answer, const std::vector<TiedParameter>& tied) {
  const std::vector<std::string> paths = task.arguments.list("output");
  if (paths.size() < 2) return write_as(task, task.arguments.text("output", "-"), answer, tied);
  std::vector<std::string> texts;
  for (const std::string& path : paths) {
    std::ostringstream text;
    Task one{task.arguments, task.budget, text, task.notes, task.working};
    write_as(one, path, answer, tied);
    texts.push_back(text.str());
  }
  for (std::size_t i = 0; i < paths.size(); ++i) deliver(texts[i], paths[i]);
  task.delivered = true;
}

/// What cannot be written is said before the work: a model that has no place for its values, too.
void check_files(const Task& task, const Varied& all, const SymbolTable& symbols) {
  const std::vector<std::string> paths = task.arguments.list("output");
  if (paths.size() > 1)
    refuse_any(task.arguments, {"json"}, " is of one answer, and several files are asked for", "name one of them FILE.json");
  Fit begun;
  for (const FitParameter& parameter : all.parameters)
    begun.parameters.push_back({parameter.name, parameter.start, parameter.start});
  for (const std::string& path : paths)
    if (model_endings.contains(extension_of(path)) && !task.arguments.has("json"))
      model_found(task, begun, tied_values(all, symbols, begun), path);
}

int run_fit(Task& task) {
  const Arguments& arguments = task.arguments;
  if (!arguments.has("vary")) throw UsageError("no parameter is to be found", fit_form);
  if (!arguments.has("data")) throw UsageError("nothing was measured", "add --data FILE.csv");
  const Subject subject = subject_of(task);
  const bool ports = of_ports(arguments);
  const std::vector<MeasuredPorts> measured = ports ? matrices(task) : std::vector<MeasuredPorts>();
  SignalFlowGraph graph = ports ? scattering_graph(task, subject, measured.front().z0) : sampled(arguments, subject.graph());
  const Varied all = varied(arguments, graph.symbols);
  state_parameters(graph.symbols, all);
  check_files(task, all, graph.symbols);
  FitQuestion question;
  if (ports) {
    question.parameters = all.parameters;
    question.time = GiNaC::symbol("t");
    for (const MeasuredPorts& matrix : measured) question.records.push_back(as_table(matrix, graph));
  } else {
    question = fit_question(task, subject, graph, all);
  }
  note_data(task, subject, question);
  task.working("fitting");
  const FitAnswer answer = fitted(graph, question, fit_options(task));
  const std::vector<TiedParameter> tied = tied_values(all, graph.symbols, answer.fit);
  note_fit(task, answer.fit);
  write_answer(task, answer, tied);
  return answer.fit.converged ? 0 : 1;
}

std::vector<Option> options_of_fit() {
  std::vector<Option> options{{"--data",
                               "FILE",
                               "measured signals over time, or transfer functions over frequency; repeatable",
                               Option::Kind::text,
                               {},
                               true},
                              data_options("signals").back()};
  options.insert(options.begin(), {{"--vary",
                                    "NAME[=LO:HI]",
                                    "a parameter that is to be found, within bounds where they are stated; NAME=EXPRESSION: one "
                                    "that follows others; repeatable",
                                    Option::Kind::text,
                                    {},
                                    true}});
  options.insert(options.end(),
                 {{"--input",
                   "NAME=EXPR|@CSV",
                   "over time: the signal at an input that the data do not have, of t and of parameters; repeatable (default: "
                   "the unit step at "
                   "--from)",
                   Option::Kind::text,
                   {},
                   true},
                  {"--initial",
                   "NAME=VALUE",
                   "over time: the value of a state just before t = 0, of parameters too; repeatable",
                   Option::Kind::text,
                   {},
                   true},
                  {"--port",
                   "A[,B]",
                   "of scattering parameters (.s1p, .s2p): the ports of the file, in its order; repeatable",
                   Option::Kind::text,
                   {},
                   true},
                  {"--z0", "OHM", "of scattering parameters: their reference resistance (default: that of the file)"},
                  {"--loss", "huber|soft-l1|cauchy[=C]", "large residuals, from C (default 1) on, count less than their squares"},
                  {"--starts", "N", "with bounds or dead times: how often the search starts (default 5)", Option::Kind::count},
                  {"--output",
                   "FILE",
                   "write the answer to FILE: the model with the values found (its own ending), a picture (.svg, .pdf, .png), "
                   "data, model and residuals (.csv), .json or text; repeatable",
                   Option::Kind::text,
                   {},
                   true,
                   'o'},
                  sample_time_option(),
                  notation_option(),
                  width_option(),
                  theme_option(),
                  dark_option()});
  return options;
}

}  // namespace

Verb fit() {
  return {
      .name = "fit",
      .summary = "parameters of a model from measured data",
      .details =
          "Least squares (Levenberg–Marquardt) by exact derivatives, over time or frequency, of linear and nonlinear models: "
          "values, standard deviations, 95 % intervals and correlations. With bounds the search starts several times. What the "
          "data do not determine is said, with what they do determine of it. Columns NAME_std divide residuals. Status 1 where "
          "it does not converge: the best values found are printed.",
      .options = options_of_fit(),
      .examples = {"sfg fit servo.dot --data step.csv --vary K --vary T=0.01:10 -o found.dot -o fit.svg",
                   "sfg fit filter.cir --data bode.csv --from V1 --to 'v(out)' --vary C1 --vary 'C2=C1/2'"},
      .run = run_fit,
      .refuses = {{"--ratio", "data are of responses to inputs: name the input, --from"}},
      .parameters = Parameters::tuned};
}

}  // namespace sfg::command
