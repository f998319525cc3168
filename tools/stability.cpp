// routh and rlocus: what the characteristic polynomial says.
#include "sfg/analysis/characteristic.hpp"
#include "sfg/analysis/root_locus.hpp"
#include "sfg/analysis/routh.hpp"
#include "sfg/draw/figures.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/write/control.hpp"
#include "tools/plot.hpp"

namespace sfg::command {

namespace {

/// A characteristic polynomial as an expression, with the names in it.
struct Characteristic {
  GiNaC::ex polynomial;
  GiNaC::ex variable;
  std::string name;  ///< of the operator
  SymbolTable symbols;
};

Characteristic stated(Task& task) {
  Characteristic result;
  result.name = task.arguments.text("variable", "s");
  result.variable = result.symbols.symbol(result.name);
  const auto file = std::make_shared<const std::string>("--polynomial");
  result.polynomial = parse(task.arguments.text("polynomial"), result.symbols, SourceSpan{file, 1, 1, 1});
  return result;
}

Characteristic of_graph(Task& task) {
  SignalFlowGraph graph = graph_of(task);
  task.working("finding the characteristic polynomial");
  const CharacteristicPolynomial found = characteristic_polynomial(graph, task.budget);
  Characteristic result;
  result.polynomial = found.space.expression(found.polynomial);
  result.variable = found.space.generator(0);
  result.name = graph.variable;
  result.symbols = std::move(graph.symbols);
  return result;
}

Characteristic characteristic_of(Task& task) { return task.arguments.has("polynomial") ? stated(task) : of_graph(task); }

std::vector<ring::RationalPolynomial> in_parameter(const Characteristic& characteristic, const std::string& name) {
  const Symbol* parameter = characteristic.symbols.find(name);
  if (!parameter) throw UsageError("--in " + name + ": there is no parameter of that name", "name one of the gains' symbols");
  GiNaC::exmap values = characteristic.symbols.values();
  values.erase(parameter->expr);
  values.erase(characteristic.variable);
  const GiNaC::ex numbered = characteristic.polynomial.subs(values, GiNaC::subs_options::no_pattern);
  return coefficients_in(numbered, characteristic.variable, parameter->expr);
}

int run_routh(Task& task) {
  const Answer answer = answer_of(task.arguments);
  const Characteristic characteristic = characteristic_of(task);
  const auto coefficients = polynomial_coefficients(characteristic.polynomial, characteristic.variable);
  if (!coefficients || coefficients->empty())
    throw NoAnswer("Routh's array needs a polynomial in " + characteristic.name + ", not zero", "replace dead time by --pade N");
  const std::string parameter = task.arguments.text("in");
  const RouthArray array = sfg::routh(*coefficients, characteristic.name);
  std::vector<OpenRange> ranges;
  if (!parameter.empty()) ranges = stable_ranges(in_parameter(characteristic, parameter));
  if (answer == Answer::json)
    write_json(task.out, array, parameter, ranges);
  else
    write_text(task.out, array, parameter, ranges);
  return 0;
}

std::pair<double, double> range_of(const Arguments& arguments, const std::vector<ring::RationalPolynomial>& coefficients) {
  if (!arguments.has("range")) return {0.0, locus_range(coefficients)};
  const std::string text = arguments.text("range");
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) throw UsageError("option '--range " + text + "': not a range", "write --range 0:100");
  return {value_of("--range", text.substr(0, colon)), value_of("--range", text.substr(colon + 1))};
}

int run_rlocus(Task& task) {
  const Answer answer = answer_of(task.arguments);
  const std::string parameter = task.arguments.text("in");
  if (parameter.empty()) throw UsageError("a root locus needs its parameter", "add --in K");
  const auto coefficients = in_parameter(characteristic_of(task), parameter);
  const auto [low, high] = range_of(task.arguments, coefficients);
  task.working("following the roots");
  const RootLocus locus = root_locus(coefficients, low, high);
  if (answer == Answer::json)
    write_json(task.out, locus, parameter);
  else if (answer == Answer::picture)
    put(task, locus_figure(locus, parameter, {.dark = task.arguments.has("dark")}));
  else
    write_text(task.out, locus, parameter);
  return 0;
}

Option polynomial_option() { return {"--polynomial", "EXPR", "this polynomial instead of the determinant of a graph"}; }

}  // namespace

Verb routh() {
  return {.name = "routh",
          .summary = "Routh's array and the conditions of stability",
          .details = "Of the determinant of the graph, or of --polynomial. Special cases are said; roots are counted exactly.",
          .options = {polynomial_option(), {"--in", "K", "the open ranges of this parameter with every root left of the axis"}},
          .examples = {"sfg routh loop.dot --in K", "sfg routh --polynomial 's^3 + 3*s^2 + 2*s + K' --in K"},
          .run = run_routh,
          .needs_input = false};
}

Verb rlocus() {
  return {.name = "rlocus",
          .summary = "the root locus in a parameter",
          .details = "Breakaway points, asymptotes and axis crossings are computed, not read off the picture.",
          .options = {{"--in", "K", "the parameter that varies"},
                      {"--range", "LO:HI", "its range (default: from 0 to beyond what matters)"},
                      polynomial_option(),
                      dark_option()},
          .examples = {"sfg rlocus loop.dot --in K -o locus.svg"},
          .run = run_rlocus,
          .needs_input = false};
}

}  // namespace sfg::command
