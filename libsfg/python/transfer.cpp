#include "python/transfer.hpp"

#include <ginac/operators.h>

#include <algorithm>
#include <cmath>

#include "sfg/expr/parse.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/graph/from_equations.hpp"
#include "sfg/graph/graph_names.hpp"
#include "sfg/model/settings.hpp"
#include "sfg/response/compiled_response.hpp"
#include "sfg/response/time_response.hpp"
#include "sfg/transfer/exact_transfer.hpp"

namespace sfg::python {

namespace {

/// The one node that is stated.
std::string the_one(const SignalFlowGraph& graph, const std::vector<NodeId>& nodes, const char* what) {
  if (nodes.size() == 1) return graph[nodes.front()].name;
  std::string listed;
  for (const NodeId node : nodes) listed += (listed.empty() ? "" : ", ") + graph[node].name;
  throw Error(
      graph.where,
      nodes.empty() ? std::string("the graph has no ") + what : std::string("the graph has several ") + what + "s: " + listed,
      std::string("name the ") + what);
}

Question question_of(SignalFlowGraph& graph, const NamedQuestion& asked) {
  const std::string input = asked.input.empty() ? the_one(graph, graph.stated_inputs(), "input") : asked.input;
  const std::string output = asked.output.empty() ? the_one(graph, graph.stated_outputs(), "output") : asked.output;
  if (!graph.find(output) && !is_name(output)) output_signal(graph, output);
  const Question::Mode mode = asked.inject              ? Question::Mode::inject
                              : asked.reference.empty() ? Question::Mode::source
                                                        : Question::Mode::ratio;
  if (mode == Question::Mode::source && !graph.entering(graph.at(input)).empty())
    throw Error(graph[graph.at(input)].where, "node '" + input + "' has entering branches: a gain from there is ambiguous",
                "give ratio=SOURCE for the ratio of the two signals' responses to SOURCE, or inject=True for the response to a "
                "unit signal added there");
  return question(graph, input, output, mode, asked.reference);
}

std::vector<std::string> printed(const PolynomialSpace& space, const ring::Polynomial& polynomial, const GiNaC::ex& main,
                                 const std::string& variable) {
  const auto coefficients = polynomial_coefficients(space.expression(polynomial), main);
  if (!coefficients)
    throw NoAnswer("the transfer function is no fraction of polynomials in " + variable, "ask for its text, or for numbers");
  std::vector<std::string> texts;
  for (const GiNaC::ex& coefficient : *coefficients) texts.push_back(print(coefficient));
  if (texts.empty()) texts.emplace_back("0");
  return texts;
}

/// Samples of a discrete system are at whole numbers of its period.
void require_samples(const Operator& op, std::span<const double> times) {
  const double period = op.period().to_double();
  for (const double time : times) {
    const double k = time / period;
    if (std::abs(k - std::round(k)) > 1e-9 * std::max(1.0, std::abs(k)))
      throw Error(SourceSpan{}, "time " + print(time) + ": there is no sample then",
                  "give multiples of the sample time, " + op.period().text() + " s");
  }
}

/// The graph with values put in.
SignalFlowGraph with(SignalFlowGraph graph, const std::vector<std::string>& values) {
  if (values.empty()) return graph;
  const GiNaC::exmap put = settings(values, graph.symbols);
  SymbolTable symbols = without(graph.symbols, put);
  graph = graph.substituted(put);
  graph.symbols = std::move(symbols);
  return graph;
}

/// A polynomial by Horner's rule; nothing where it is none in s, or a long one.
std::optional<GiNaC::ex> nested(const PolynomialSpace& space, const ring::Polynomial& polynomial, const GiNaC::ex& s) {
  constexpr std::size_t most_terms = 48, most_powers = 9;
  if (polynomial.term_count() > most_terms) return {};
  const auto coefficients = polynomial_coefficients(space.expression(polynomial), s);
  if (!coefficients || coefficients->size() > most_powers) return {};
  GiNaC::ex value = 0;
  for (const GiNaC::ex& coefficient : *coefficients) value = value * s + coefficient;
  return value;
}

/// A graph of one branch with a short closed form, which takes fewer operations than the elimination of the nodes of another.
std::optional<SignalFlowGraph> short_form(const SignalFlowGraph& graph, const Question& question, const RationalFunction& value) {
  const GiNaC::ex s = graph.op.in(graph.symbols);
  const auto numerator = nested(value.space(), value.numerator(), s);
  const auto denominator = nested(value.space(), value.denominator(), s);
  if (!numerator || !denominator || question.input == question.output) return {};
  SignalFlowGraph made = SignalFlowGraph::like(graph);
  made.add_branch(made.node(graph[question.input].name), made.node(graph[question.output].name), *numerator / *denominator);
  return made;
}

}  // namespace

TransferOf::TransferOf(SignalFlowGraph graph, const NamedQuestion& asked)
    : graph_(std::move(graph)), question_(question_of(graph_, asked)) {}

std::pair<std::string, bool> TransferOf::mode() const {
  return {question_.mode == Question::Mode::ratio ? graph_[*question_.reference].name : "",
          question_.mode == Question::Mode::inject};
}

const TransferFunction& TransferOf::closed(const Budget& budget) {
  if (!closed_) closed_ = transfer_function(graph_, question_, {.budget = budget});
  return *closed_;
}

std::string TransferOf::text(const Budget& budget) {
  const RationalFunction& value = closed(budget).value;
  return quotient_text(print(value.numerator()), print(value.denominator()));
}

std::string TransferOf::latex(const Budget& budget) {
  const NamesInUse names(names_of(graph_));
  return print(closed(budget).value.expression(), Notation::latex, graph_.op.symbol());
}

std::pair<std::vector<std::string>, std::vector<std::string>> TransferOf::coefficients(const Budget& budget) {
  const RationalFunction& value = closed(budget).value;
  const GiNaC::ex s = graph_.op.in(graph_.symbols);
  return {printed(value.space(), value.numerator(), s, graph_.op.symbol()),
          printed(value.space(), value.denominator(), s, graph_.op.symbol())};
}

Evaluation TransferOf::evaluation(const std::vector<std::string>& free, const std::vector<std::string>& values,
                                  const Budget& budget) const {
  const auto form = closed_ ? short_form(graph_, question_, closed_->value) : std::nullopt;
  const SignalFlowGraph graph = with(form ? *form : graph_, values);
  const Question asked = form ? sfg::question(graph, input(), output()) : question_;
  std::vector<std::string> known;  // names that are none are refused as in a statement of values
  for (const std::string& name : free) known.push_back(name + "=1");
  SymbolTable symbols = graph.symbols;
  static_cast<void>(settings(known, symbols));
  return Evaluation(CompiledResponse(graph, std::span(&asked, 1), {.parameters = free, .budget = budget}), free.size());
}

Samples TransferOf::response(Excitation excitation, std::span<const double> times, const std::vector<std::string>& values,
                             std::size_t pade, const Budget& budget) {
  if (graph_.op.discrete()) require_samples(graph_.op, times);
  const ExactTransfer transfer = exact_transfers(with(graph_, values), std::span(&question_, 1), {.budget = budget}).front();
  const auto before = static_cast<std::size_t>(std::ranges::lower_bound(times, 0.0) - times.begin());  // nothing has begun
  const ResponseOptions options{.amplitude = 1, .pade_order = pade, .budget = budget};
  const TimeResponse found = responses(std::span(&transfer, 1), excitation, times.subspan(before), options).front().value;
  Samples samples{std::vector<double>(before, 0.0), {}};
  samples.value.insert(samples.value.end(), found.value.begin(), found.value.end());
  for (const std::string& note : found.notes) samples.notes.push_back({{}, note, {}, Severity::warning});
  if (!found.impulses.empty() && excitation == Excitation::step)
    samples.notes.push_back({{}, "the response has impulses, which no sample shows", {}, Severity::warning});
  return samples;
}

}  // namespace sfg::python
