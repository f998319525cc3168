// routh and rlocus: what the characteristic polynomial says.
#include "sfg/control/delayed_ranges.hpp"
#include "sfg/control/interval_family.hpp"
#include "sfg/control/routh.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/derived_parameters.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/model/settings.hpp"
#include "sfg/plot/figures.hpp"
#include "sfg/transfer/characteristic.hpp"
#include "sfg/write/margins.hpp"
#include "tools/frame/pictures.hpp"
#include "tools/frame/plot.hpp"
#include "tools/frame/usage.hpp"

namespace sfg::command {

namespace {

/// A characteristic polynomial as an expression, with the names in it.
struct Characteristic {
  GiNaC::ex polynomial;
  GiNaC::ex variable;
  Operator op;
  SymbolTable symbols;
  std::vector<GiNaC::ex> outside;  ///< factors of elements outside of the loops, which `polynomial` has not
  std::optional<CharacteristicPolynomial> of_graph;

  GiNaC::ex whole() const {
    GiNaC::ex product = polynomial;
    for (const GiNaC::ex& factor : outside) product *= factor;
    return product;
  }
};

/// --polynomial is the whole input.
void refuse_other_input(const Arguments& arguments) {
  if (!arguments.input().empty())
    throw UsageError("--polynomial stands in place of the input '" + arguments.input() + "'", "leave one of them out");
  refuse_any(arguments, {"from", "to", "break", "of", "numbers", "format", "operating-point", "temperature", "pade"},
             " does not belong to --polynomial");
}

Characteristic stated(Task& task) {
  refuse_other_input(task.arguments);
  Characteristic result;
  result.op = task.arguments.text("variable", "s");
  result.variable = result.op.declare(result.symbols);
  const auto file = std::make_shared<const std::string>("--polynomial");
  result.polynomial = parse(task.arguments.text("polynomial"), result.symbols, SourceSpan{file, 1, 1, 1});
  if (task.arguments.has("set")) {
    const GiNaC::exmap values = as_usage("", [&] { return settings(task.arguments.list("set"), result.symbols); });
    result.polynomial = result.polynomial.subs(values, GiNaC::subs_options::no_pattern);
    result.symbols = without(result.symbols, values);
  }
  return result;
}

/// A root locus is one of numbers: with the values of all other parameters put in first, the polynomial stays short.
SignalFlowGraph in_one_parameter(SignalFlowGraph graph, const std::string& name) {
  const Symbol* parameter = graph.symbols.find(name);
  const Symbol* variable = graph.symbols.find(graph.op.symbol());
  if (parameter == nullptr || variable == nullptr || !bases_of(graph.symbols, *parameter).empty()) return graph;
  SymbolTable symbols = graph.symbols;
  graph = graph.substituted(values_keeping(symbols, std::array{parameter->expr, variable->expr}));
  graph.symbols = std::move(symbols);
  return graph;
}

/// Of a locus the values go in later, but for what follows from its parameter: --numbers changes nothing.
SignalFlowGraph locus_graph(Task& task) {
  const Arguments plain = task.arguments.with("numbers", {}).with("of", {});  // 1 + L is made of L
  Task with_symbols{plain, task.budget, task.out, task.notes, task.working};
  with_symbols.given = task.given;
  return in_one_parameter(approximated(task, graph_of(with_symbols)), task.arguments.text("in"));
}

Characteristic of_graph(Task& task, SignalFlowGraph graph) {
  note_ends(task, graph, "stability is that of the whole graph");
  task.working("finding the characteristic polynomial");
  CharacteristicPolynomial found = characteristic_polynomial(graph, task.budget);
  Characteristic result;
  result.polynomial = found.space.expression(found.polynomial);
  result.variable = found.space.generator(0);
  result.op = graph.op;
  result.symbols = std::move(graph.symbols);
  for (const auto& element : found.outside) result.outside.push_back(found.space.expression(element.factor));
  result.of_graph = std::move(found);
  return result;
}

/// Of a loop: 1 + L in lowest terms. What is hidden in L stands still, or is no matter of this loop.
Characteristic of_loop(Task& task, const SignalFlowGraph& open) {
  task.arguments.text("of");  // S and T have these roots, L has them where it is closed
  task.working("finding the loop");
  const TransferFunction loop = transfer_function(open, questions(open).front(), {.budget = task.budget});
  Characteristic result;
  const PolynomialSpace& space = loop.value.space();
  result.polynomial = (space.expression(loop.value.numerator()) + space.expression(loop.value.denominator())).expand();
  result.op = open.op;
  result.symbols = open.symbols;
  result.variable = result.op.declare(result.symbols);
  if (const GiNaC::ex hidden = space.expression(loop.cancelled); hidden.has(result.variable))
    task.notes.push_back(
        {open.where, "the roots of " + print(hidden) + " are poles of the graph, too: they cancel in L, and 1 + L has not them",
         "leave --break out for all poles", Severity::warning});
  return result;
}

Characteristic characteristic_of(Task& task) {
  return task.arguments.has("polynomial") ? stated(task) : of_graph(task, approximated(task, graph_of(task)));
}

/// What follows from others cannot vary while they stand still.
void require_independent(const Symbol& parameter, const SymbolTable& symbols, const std::string& option) {
  std::string bases;
  for (const std::string& name : bases_of(symbols, parameter)) bases += (bases.empty() ? "'" : ", '") + name + "'";
  if (!bases.empty())
    throw UsageError(
        "parameter '" + parameter.name + "' of " + option + " is derived: " + parameter.name + " = " + print(*parameter.value),
        "vary " + bases + ", or make it a parameter of its own by --set " + parameter.name + "=…");
}

const Symbol& parameter_named(const Characteristic& characteristic, const std::string& option, const std::string& name) {
  const Symbol* parameter = characteristic.symbols.find(name);
  if (parameter && name != characteristic.op.symbol()) {
    require_independent(*parameter, characteristic.symbols, option);
    return *parameter;
  }
  std::vector<std::string> names;
  for (const Symbol& symbol : characteristic.symbols.all())
    if (symbol.kind == SymbolKind::parameter && symbol.name != characteristic.op.symbol()) names.push_back(symbol.name);
  const std::string near = nearest(name, names);
  throw UsageError("there is no parameter '" + name + "' for " + option,
                   near.empty() ? "name one of the gains' symbols" : "did you mean '" + near + "'?");
}

/// An expression with numbers for all names but some, and with what is derived from these in terms of them.
GiNaC::ex numbered(const Characteristic& characteristic, const GiNaC::ex& expression, std::vector<GiNaC::ex> kept) {
  kept.push_back(characteristic.variable);
  return expression.subs(values_keeping(characteristic.symbols, kept), GiNaC::subs_options::no_pattern);
}

/// Roots that stand still whatever the parameter are no locus: elements outside of the loops without it are left out.
std::vector<exact::RationalPolynomial> moving_in_parameter(const Characteristic& characteristic, const std::string& name) {
  const GiNaC::ex parameter = parameter_named(characteristic, "--in", name).expr;
  GiNaC::ex moving = numbered(characteristic, characteristic.polynomial, {parameter});
  for (const GiNaC::ex& factor : characteristic.outside)
    if (const GiNaC::ex moved = numbered(characteristic, factor, {parameter}); moved.has(parameter)) moving *= moved;
  return coefficients_in(moving, characteristic.variable, parameter);
}

std::pair<std::string, std::string> split(const std::string& option, const std::string& text, char at, const char* example) {
  const std::size_t place = text.find(at);
  if (place == std::string::npos || place == 0 || place + 1 == text.size())
    throw UsageError("option '" + option + " " + text + "' lacks a part", std::string("write ") + example);
  return {text.substr(0, place), text.substr(place + 1)};
}

using Range = StabilityRegion::Range;

Range range_in(const std::string& text, const char* example) {
  const auto [low, high] = split("--range", text, ':', example);
  const Range range{value_of("--range", low), value_of("--range", high)};
  if (range.first >= range.second) throw UsageError("option '--range " + text + "' is empty", std::string("write ") + example);
  return range;
}

/// Of NAME=LO:HI the name, and LO:HI; the range may stand alone.
std::pair<std::optional<std::string>, std::string> named_range(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) return {std::nullopt, text};
  return {text.substr(0, equals), text.substr(equals + 1)};
}

/// --range NAME=LO:HI, or in the order of the parameters; from 0 to four times the stated value where there is one.
Range region_range(const Task& task, const Symbol& parameter, std::size_t index) {
  std::size_t unnamed = 0;
  for (const std::string& text : task.arguments.list("range")) {
    const auto [name, range] = named_range(text);
    if (name ? *name == parameter.name : unnamed++ == index) return range_in(range, "--range K1=0:10");
  }
  const auto value = parameter.value ? double_value(*parameter.value) : std::nullopt;
  if (!value || *value == 0) throw UsageError("no range for " + parameter.name, "add --range " + parameter.name + "=0:10, say");
  return *value > 0 ? Range{0, 4 * *value} : Range{4 * *value, 0};
}

int run_region(Task& task, const Characteristic& characteristic, Answer answer) {
  const auto [first, second] = split("--region", task.arguments.text("region"), ',', "--region K1,K2");
  const Symbol& a = parameter_named(characteristic, "--region", first);
  const Symbol& b = parameter_named(characteristic, "--region", second);
  if (first == second) throw UsageError("--region needs two different parameters", "write --region K1,K2");
  RegionQuestion question{numbered(characteristic, characteristic.whole(), {a.expr, b.expr}),
                          characteristic.variable,
                          a.expr,
                          b.expr,
                          region_range(task, a, 0),
                          region_range(task, b, 1),
                          characteristic.op.boundary()};
  task.working("deciding columns of the region");
  const StabilityRegion region = stability_region(question, task.budget);
  std::optional<std::pair<double, double>> stated;
  if (const auto x = a.value ? double_value(*a.value) : std::nullopt, y = b.value ? double_value(*b.value) : std::nullopt; x && y)
    stated = {*x, *y};
  switch (answer) {
    case Answer::json: write_json(task.out, region, first, second); break;
    case Answer::csv: write_csv(task.out, region, first, second); break;
    case Answer::picture:
      put(task, region_figure(region, first, second, stated, {.samples = characteristic.op.discrete()}));
      break;
    case Answer::text: show(task, page(region, first, second)); break;
  }
  return 0;
}

/// --interval NAME=LO:HI; without any, the tolerances of the parameters about their values.
std::vector<ParameterInterval> intervals_of(const Task& task, const Characteristic& characteristic) {
  std::vector<ParameterInterval> result;
  for (const std::string& text : task.arguments.list("interval")) {
    const auto [name, range] = split("--interval", text, '=', "--interval K=1:2");
    const auto [low, high] = split("--interval", range, ':', "--interval K=1:2");
    const Symbol& parameter = parameter_named(characteristic, "--interval", name);
    result.push_back({parameter.expr, name, exact_value_of("--interval", low), exact_value_of("--interval", high)});
    if (value_of("--interval", low) > value_of("--interval", high))
      throw UsageError("option '--interval " + text + "' is empty", "write --interval K=1:2");
  }
  if (!result.empty()) return result;
  for (const Symbol& symbol : characteristic.symbols.all()) {
    if (symbol.tolerance && is_derived(symbol))
      throw Error(symbol.where,
                  "the parameter '" + symbol.name + "' has a tolerance of its own, but follows from others: " + symbol.name +
                      " = " + print(*symbol.value),
                  "state the tolerances of those");
    if (const auto interval = tolerance_interval(symbol))
      result.push_back({symbol.expr, symbol.name, interval->first, interval->second});
  }
  if (result.empty())
    throw UsageError("no parameter has an interval", "add --interval NAME=LO:HI, or state tolerances in the file");
  return result;
}

int run_kharitonov(Task& task, const Characteristic& characteristic, Answer answer) {
  if (characteristic.op.discrete())
    throw NoAnswer("Kharitonov's theorem is about the left half plane, not the unit circle", "ask for a region: --region K1,K2");
  const std::vector<ParameterInterval> intervals = intervals_of(task, characteristic);
  std::vector<GiNaC::ex> kept;
  for (const ParameterInterval& interval : intervals) kept.push_back(interval.symbol);
  const IntervalFamily family =
      interval_family(numbered(characteristic, characteristic.whole(), kept), characteristic.variable, intervals);
  if (answer == Answer::json)
    write_json(task.out, family, characteristic.op.symbol());
  else
    show(task, page(family, characteristic.op.symbol()));
  return 0;
}

/// With dead time there is no polynomial and no array, but the ranges of a gain are known.
int run_delayed(Task& task, const Characteristic& characteristic, const std::string& parameter, Answer answer) {
  const GiNaC::ex by = parameter_named(characteristic, "--in", parameter).expr;
  task.working("counting the roots between crossings of the axis");
  RouthArray none{.variable = characteristic.op.symbol()};
  none.notes.push_back(
      "dead time: no polynomial, so no array. The limits are where roots cross the axis; between them roots were counted");
  const std::vector<OpenRange> ranges = delayed_stable_ranges(numbered(characteristic, characteristic.whole(), {by}), by,
                                                              characteristic.op, characteristic.symbols, task.budget);
  if (answer == Answer::json)
    write_json(task.out, none, parameter, ranges);
  else
    show(task, page(none, parameter, ranges));
  return 0;
}

int run_routh(Task& task) {
  const bool region = task.arguments.has("region");
  const Answer answer = answer_of(task.arguments, region ? std::span<const Answer>(curves) : std::span<const Answer>());
  const Characteristic characteristic = characteristic_of(task);
  if (region) return run_region(task, characteristic, answer);
  if (task.arguments.has("kharitonov")) return run_kharitonov(task, characteristic, answer);
  const bool discrete = characteristic.op.discrete();
  const auto coefficients = polynomial_coefficients(characteristic.whole(), characteristic.variable);
  const std::string parameter = task.arguments.text("in");
  if (!coefficients && !parameter.empty() && !discrete) return run_delayed(task, characteristic, parameter, answer);
  if (!coefficients)
    throw NoAnswer("Routh's array needs a polynomial in " + characteristic.op.symbol(),
                   "name a parameter by --in K for its ranges, or replace dead time by --pade N");
  if (coefficients->empty()) throw NoAnswer("the characteristic polynomial is 0", "");
  const RouthArray array = characteristic.of_graph ? sfg::routh(*characteristic.of_graph, characteristic.op)
                           : discrete              ? routh_discrete(*coefficients)
                                                   : sfg::routh(*coefficients, characteristic.op.symbol());
  std::vector<OpenRange> ranges;
  if (!parameter.empty()) {
    const GiNaC::ex by = parameter_named(characteristic, "--in", parameter).expr;
    auto in = exact_coefficients_in(numbered(characteristic, characteristic.whole(), {by}), characteristic.variable, by);
    if (discrete) in = bilinear_image(in);
    if (!in.front().is_zero()) ranges = stable_ranges(in);  // else z = -1 is a root whatever the parameter
  }
  if (answer == Answer::json)
    write_json(task.out, array, parameter, ranges);
  else
    show(task, page(array, parameter, ranges));
  return 0;
}

/// K=LO:HI, or LO:HI alone.
Range stated_locus_range(const std::string& text, const std::string& parameter) {
  const auto [name, range] = named_range(text);
  if (name && *name != parameter)
    throw UsageError("option '--range " + text + "' is not of " + parameter + ", the parameter that varies",
                     "write --range " + parameter + "=0:100, or --in " + *name);
  return range_in(range, "--range K=0:100");
}

Figure locus_picture(const RootLocus& locus, const std::string& parameter, const std::string& opened) {
  Figure figure = locus_figure(locus, parameter);
  if (!opened.empty()) figure.title += " of 1 + L, opened at " + opened;
  return figure;
}

int run_rlocus(Task& task) {
  const Answer answer = answer_of(task.arguments, std::array{Answer::picture});
  const std::string parameter = task.arguments.text("in");
  if (parameter.empty()) throw UsageError("a root locus needs its parameter", "add --in K");
  const Characteristic characteristic = task.arguments.has("polynomial") ? stated(task)
                                        : task.arguments.has("break")    ? of_loop(task, locus_graph(task))
                                                                         : of_graph(task, locus_graph(task));
  const std::string opened = task.arguments.text("break");
  const exact::Boundary boundary = characteristic.op.boundary();
  const auto coefficients = moving_in_parameter(characteristic, parameter);
  const auto [low, high] = task.arguments.has("range") ? stated_locus_range(task.arguments.text("range"), parameter)
                                                       : Range{0.0, locus_range(coefficients, boundary)};
  task.working("following the roots");
  const RootLocus locus = root_locus(coefficients, low, high, boundary);
  if (answer == Answer::json)
    write_json(task.out, locus, parameter, opened);
  else if (answer == Answer::picture)
    put(task, locus_picture(locus, parameter, opened));
  else
    show(task, page(locus, parameter, opened));
  return 0;
}

Option polynomial_option() { return {"--polynomial", "EXPR", "this polynomial instead of the determinant of a graph"}; }

}  // namespace

Verb routh() {
  return {
      .name = "routh",
      .summary = "Routh's array and the conditions of stability",
      .details =
          "Of the determinant of the graph and the elements outside of its loops, or of --polynomial. Special cases are "
          "said; roots are counted exactly. Of a "
          "polynomial in "
          "z, the array of its image under z = (1 + w)/(1 - w): stable means inside the unit circle. With dead time there is no "
          "array; the ranges of --in are found all the same where it is a gain of the loop.",
      .options = {polynomial_option(),
                  {"--in", "K", "the open ranges of this parameter with every root left of the axis"},
                  {"--region", "K1,K2", "the stable region of two parameters, as a picture, CSV or JSON of its boundary"},
                  {"--range",
                   "K=LO:HI",
                   "of a parameter of --region (default: 0 to four times its value); repeatable",
                   Option::Kind::text,
                   {},
                   true},
                  {"--kharitonov", "",
                   "are all polynomials stable whose parameters lie in intervals? Kharitonov's four polynomials"},
                  {"--interval",
                   "K=LO:HI",
                   "an interval for --kharitonov (default: the tolerances of the file); repeatable",
                   Option::Kind::text,
                   {},
                   true},
                  pade_option(),
                  notation_option(),
                  width_option(),
                  theme_option(),
                  dark_option()},
      .examples = {"sfg routh loop.dot --in K", "sfg routh --polynomial 's^3 + 3*s^2 + 2*s + K' --in K",
                   "sfg routh --polynomial 's^3 + a*s^2 + b*s + 1' --region a,b --range 0:4 --range 0:4 -o region.svg",
                   "sfg routh --polynomial 's^3 + a*s^2 + b*s + 1' --kharitonov --interval a=2:3 --interval b=1:2"},
      .run = run_routh,
      .needs_input = false,
      .refuses = {{"--ratio", "no response is asked for"}, {"--inject", "no response is asked for"}},
      .ways = {{"ranges of parameters", {"--in", "--region", "--kharitonov"}, nullptr, Parameters::ranged}}};
}

Verb rlocus() {
  return {.name = "rlocus",
          .summary = "the root locus in a parameter",
          .details =
              "With --break of 1 + L alone, whatever --of says: the poles of S and T. Breakaway points, asymptotes and axis "
              "crossings are computed, not read off the picture.",
          .options = {{"--in", "K", "the parameter that varies"},
                      {"--range", "K=LO:HI", "its range (default: from 0 to beyond what matters)"},
                      polynomial_option(),
                      loop_options().front(),
                      loop_options().back(),
                      pade_option(),
                      notation_option(),
                      width_option(),
                      theme_option(),
                      dark_option()},
          .examples = {"sfg rlocus loop.dot --in K -o locus.svg"},
          .run = run_rlocus,
          .needs_input = false,
          .refuses = {{"--ratio", "no response is asked for"}, {"--inject", "no response is asked for"}},
          .of_values = true,
          .parameters = Parameters::ranged};
}

}  // namespace sfg::command
