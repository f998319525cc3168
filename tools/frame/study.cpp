#include "tools/frame/study.hpp"

#include "sfg/control/open_loop.hpp"
#include "sfg/error.hpp"
#include "sfg/expr/tolerance.hpp"
#include "tools/frame/load.hpp"
#include "tools/frame/plot.hpp"

namespace sfg::command {

namespace {

/// What is wrong with a word of the command line, quoted by the message.
template <class Work>
auto as_usage(const char* option, Work work) {
  try {
    return work();
  } catch (const Error& error) {
    const Diagnostic& problem = error.diagnostics().front();
    throw UsageError(std::string(option) + ": " + problem.message, problem.hint);
  }
}

/// NAME=VALUE, or a value for everything.
std::pair<std::string, std::string> split(const std::string& text) {
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

}  // namespace

MeasuredSystem measured_system_of(Task& task) {
  MeasuredSystem system{sampled(task.arguments, regular_graph_of(task)), {}, {}};
  const std::vector<Question> questions = questions_of(task.arguments, system.graph);
  if (questions.size() != 1) throw UsageError("a study is of one transfer function", "name it by --from and --to");
  system.question = questions.front();
  if (task.arguments.has("break")) {
    OpenLoop loop = loop_opened_at(system.graph, task.arguments.text("break"));
    system.loop = {std::move(loop.graph), loop.question};
  }
  return system;
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
    const auto [name, word] = split(text);
    const Tolerance tolerance = as_usage("--tolerance", [&] { return parse_tolerance(word); });
    if (name.empty()) {
      stated.everything = tolerance;
    } else {
      require_parameter("--tolerance", name, symbols);
      stated.tolerances[name] = tolerance;
    }
  }
  for (const std::string& text : arguments.list("distribution")) {
    const auto [name, word] = split(text);
    if (name.empty()) throw UsageError("--distribution " + text + " names no parameter", "write --distribution NAME=normal");
    require_parameter("--distribution", name, symbols);
    stated.distributions[name] = as_usage("--distribution", [&] { return parse_distribution(word); });
  }
  return stated;
}

Study study_of(Task& task) {
  Study study{measured_system_of(task), {}, {}};
  const SymbolTable& symbols = study.system.graph.symbols;
  study.measures = measures_of(task.arguments, symbols);
  const StatedVariation stated = stated_variation(task.arguments, symbols);
  study.variation = variation_of(symbols, stated);
  return study;
}

void require_variation(const Study& study) {
  if (study.variation.parameters.empty())
    throw UsageError("nothing varies: no parameter has a tolerance",
                     "add --tolerance 5%, --tolerance NAME=5%, or tolerance = \"5%\" to parameters of the model");
}

FigureOptions figure_options(const Task& task, const Study& study) {
  FigureOptions options{.dark = task.arguments.has("dark"), .hertz = task.arguments.has("hz")};
  for (const Symbol& symbol : study.system.graph.symbols.all()) options.units[symbol.name] = symbol.unit;
  for (const Measure& measure : study.measures) options.units[measure.text] = measure.unit;
  return options;
}

std::vector<Option> measure_options() {
  return {{"--measure",
           "M",
           "a number of the transfer function: dc, gain@W, peak, bandwidth, phase-margin, rise, step@T, abscissa, "
           "frequency:N, … or an expression of them and of parameters; repeatable",
           Option::Kind::text,
           {},
           true},
          {"--break", "FROM,TO", "the margins are those of the loop opened there"}};
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
           true}};
}

}  // namespace sfg::command
