#include "sfg/response/compiled_response.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <stdexcept>

#include "sfg/error.hpp"
#include "sfg/expr/compile.hpp"
#include "sfg/expr/derived_parameters.hpp"
#include "sfg/expr/exact_numbers.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/numeric/parallel.hpp"
#include "sfg/numeric/tape_slopes.hpp"
#include "sfg/transfer/graph_elimination.hpp"
#include "sfg/transfer/singular.hpp"

namespace sfg {

namespace {

using Complex = std::complex<double>;
using numeric::TapeBuilder;

constexpr double rounded_once = 0x1p-53;
constexpr double negligible = 1e-150;  // −3000 dB: below, a value has no more digits than this bound allows

std::vector<NodeId> distinct(std::vector<NodeId> nodes) {
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

std::size_t place(const std::vector<NodeId>& nodes, NodeId id) {
  return static_cast<std::size_t>(std::lower_bound(nodes.begin(), nodes.end(), id) - nodes.begin());
}

std::string offset_name(const std::string& parameter) { return "+" + parameter; }  // no name of a model begins so

/// Every parameter p of the derivatives as its value plus an offset, named by offset_name: ∂/∂p is the derivative by the offset
/// at 0, and the value may be any exact number, irrational ones included.
GiNaC::exmap with_offsets(const SymbolTable& symbols, const std::vector<std::string>& names, const GiNaC::exmap& values) {
  GiNaC::exmap result;
  for (const std::string& name : names) {
    const GiNaC::ex& parameter = symbols.at(name).expr;
    result[parameter] = values.at(parameter) + GiNaC::symbol(offset_name(name));
  }
  return result;
}

}  // namespace

CompiledResponse::CompiledResponse(const SignalFlowGraph& graph, std::span<const Question> questions,
                                   const CompiledOptions& options)
    : op_(graph.op) {
  std::vector<GiNaC::ex> kept;
  if (const Symbol* variable = graph.symbols.find(graph.op.symbol())) kept.push_back(variable->expr);
  for (const std::string& name : options.parameters) kept.push_back(graph.symbols.at(name).expr);
  const GiNaC::exmap values = values_keeping(graph.symbols, kept);
  SignalFlowGraph numbered = graph.substituted(values);
  require_answers(numbered, questions, options.budget);
  std::vector<std::string> stated;  // by which answers are differentiated, and which do not stay free
  for (const std::string& name : options.derivatives)
    if (std::ranges::find(options.parameters, name) == options.parameters.end()) stated.push_back(name);
  if (!stated.empty()) {
    for (const std::string& name : stated) kept.push_back(graph.symbols.at(name).expr);
    numbered = graph.substituted(values_keeping(graph.symbols, kept)).substituted(with_offsets(graph.symbols, stated, values));
  }

  std::vector<NodeId> drivers, outputs;
  for (const Question& question : questions) {
    drivers.push_back(driver(question));
    outputs.push_back(question.output);
    if (question.mode == Question::Mode::ratio) outputs.push_back(question.input);
    names_.emplace_back(graph[question.input].name, graph[question.output].name);
  }
  drivers = distinct(drivers);
  outputs = distinct(outputs);
  try {
    const GraphElimination elimination(numbered, drivers, outputs, options.budget, ddd::EliminationOptions::Pivots::diagonal);
    nodes_ = elimination.node_count();

    TapeBuilder builder(TapeBuilder::Folding::exact);
    builder.input(graph.op.symbol());
    for (const std::string& name : options.parameters) builder.input(name);
    parameters_ = options.parameters.size();
    std::vector<std::uint32_t> offsets;
    if (options.slope) offsets.push_back(0);  // the operator itself
    for (const std::string& name : options.derivatives) {
      const auto free = std::ranges::find(options.parameters, name) - options.parameters.begin();
      if (static_cast<std::size_t>(free) < parameters_) {
        offsets.push_back(static_cast<std::uint32_t>(1 + free));
        continue;
      }
      offsets.push_back(static_cast<std::uint32_t>(1 + parameters_ + constants_.size()));
      builder.input(offset_name(name));
      constants_.push_back({0.0, {}});
    }
    ExactNumbers exact;
    std::vector<GiNaC::ex> entries;
    for (const GiNaC::ex& entry : elimination.entries()) entries.push_back(exact(entry));
    for (const auto& [name, rational] : exact.found()) {
      builder.input(name);
      constants_.push_back({rational.to_double(), rational});
    }
    ExpressionCompiler compiler(builder);
    std::vector<TapeBuilder::Value> start;
    for (const GiNaC::ex& entry : entries) {
      options.budget.check("compiling the gains");
      start.push_back(compiler(entry));
    }
    const auto schur = ddd::eliminate(elimination.plan(), numeric::TapeRing{&builder}, start).schur;
    const auto response = [&](NodeId output, NodeId from) {
      return schur[place(outputs, output) * elimination.plan().kept() + place(drivers, from)];
    };
    std::vector<TapeBuilder::Value> results;
    for (const Question& question : questions) {
      TapeBuilder::Value result = response(question.output, driver(question));
      if (question.mode == Question::Mode::ratio) result = builder.divide(result, response(question.input, driver(question)));
      results.push_back(result);
    }
    tape_ = builder.tape(results);
    if (options.slope && options.derivatives.empty())
      tape_ = numeric::with_slopes(tape_, 0);
    else if (!offsets.empty())
      tape_ = numeric::with_jacobian(tape_, offsets);
  } catch (const ddd::TooLarge& failure) {
    throw LimitReached(failure.what(), Advice::reduce_graph);
  }
  const auto names = tape_.inputs().subspan(std::min(tape_.inputs().size(), 1 + parameters_ + constants_.size()));
  if (!names.empty()) throw missing_values({names.begin(), names.end()}, graph.symbols);
}

/// The inputs of the tape at all points.
struct CompiledResponse::Columns {
  Columns(const CompiledResponse& response, std::span<const Complex> s, std::span<const std::span<const double>> parameters)
      : points(s.size()), relative_errors(response.tape_.inputs().size(), 0.0) {
    if (parameters.size() != response.parameters_)
      throw std::invalid_argument("CompiledResponse::values: one list of values for every free parameter");
    for (const auto& list : parameters) points = std::max(points, list.size());
    for (const auto& list : parameters) lists.emplace_back(list.begin(), list.end());
    for (const ExactInput& constant : response.constants_) {
      relative_errors[1 + lists.size()] = rounded_once;
      lists.push_back({constant.value});
    }
    inputs.push_back(s);
    inputs.insert(inputs.end(), lists.begin(), lists.end());
  }

  std::size_t points;
  std::vector<std::vector<Complex>> lists;
  std::vector<std::span<const Complex>> inputs;
  std::vector<double> relative_errors;
};

CompiledValues CompiledResponse::bounded(std::span<const Complex> s, std::span<const std::span<const double>> parameters,
                                         const EvaluationOptions& options) const {
  const Columns columns(*this, s, parameters);
  CompiledValues result;
  result.points = columns.points;
  result.value.resize(result.points * tape_.outputs().size());
  result.error.resize(result.value.size());
  tape_.run_bounded(result.points, columns.inputs, columns.relative_errors, result.value, result.error, options.threads,
                    options.budget);
  return result;
}

CompiledValues CompiledResponse::values(std::span<const Complex> s, std::span<const std::span<const double>> parameters,
                                        const EvaluationOptions& options) const {
  const Columns columns(*this, s, parameters);
  const auto& inputs = columns.inputs;
  if (options.tolerance <= 0) {
    CompiledValues result;
    result.points = columns.points;
    result.value.resize(result.points * tape_.outputs().size());
    tape_.run_parallel<Complex>(result.points, inputs, result.value, options.threads, options.budget);
    return result;
  }
  CompiledValues result = bounded(s, parameters, options);

  std::vector<std::size_t> doubtful;
  for (std::size_t p = 0; p < result.points; ++p) {
    bool good = true;
    for (std::size_t at = p; at < result.value.size(); at += result.points) {
      const double modulus = std::abs(result.value[at]);
      double& error = result.error[at];
      if (error <= negligible && modulus <= 1e100 * negligible && error > options.tolerance * modulus) {
        error = options.tolerance;  // of a value that is nearly nothing
        continue;
      }
      error = error == 0 ? 0 : error / modulus;
      good = good && std::isfinite(modulus) && error <= options.tolerance;
    }
    if (!good) doubtful.push_back(p);
  }
  std::atomic<std::size_t> refined = 0;
  const auto refine = [&](std::size_t p, long* precision) {
    std::vector<ExactInput> exact;
    for (std::size_t i = 0; i <= parameters_; ++i) exact.push_back({inputs[i][inputs[i].size() == 1 ? 0 : p], {}});
    exact.insert(exact.end(), constants_.begin(), constants_.end());
    const auto certain = certified_values(tape_, exact, precision);
    if (!certain) return;
    for (std::size_t q = 0; q < certain->size(); ++q) {
      result.value[q * result.points + p] = (*certain)[q];
      result.error[q * result.points + p] = 0;
    }
    ++refined;
  };
  long precision = 128;
  if (!doubtful.empty()) refine(doubtful.front(), &precision);  // the others begin where the first one ended, in whatever order
  const std::size_t others = doubtful.empty() ? 0 : doubtful.size() - 1;
  numeric::parallel(others, options.threads, options.budget, "the frequency response with more digits", [&](std::size_t k) {
    long enough = precision;
    refine(doubtful[k + 1], &enough);
  });
  result.refined = refined;
  return result;
}

CompiledValues CompiledResponse::sampled(std::span<const Complex> s, std::span<const std::vector<double>> samples,
                                         const EvaluationOptions& options) const {
  if (samples.size() != parameters_ || samples.empty())
    throw std::invalid_argument("CompiledResponse::sampled: one list of values for every free parameter, of which there is one");
  const std::size_t sets = samples.front().size();
  std::vector<Complex> points;
  std::vector<std::vector<double>> lists(samples.size());
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (samples[i].size() != sets) throw std::invalid_argument("CompiledResponse::sampled: as many values of every parameter");
    for (const double value : samples[i]) lists[i].insert(lists[i].end(), s.size(), value);
  }
  for (std::size_t k = 0; k < sets; ++k) points.insert(points.end(), s.begin(), s.end());
  const std::vector<std::span<const double>> parameters(lists.begin(), lists.end());
  return values(points, parameters, options);
}

bool prefers_compiled(const SignalFlowGraph& graph, std::span<const Question> questions) {
  const std::vector<bool> relevant = relevant_nodes(graph, questions);
  constexpr long many = 60;
  return std::count(relevant.begin(), relevant.end(), true) > many;
}

}  // namespace sfg
