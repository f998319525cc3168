#include "sfg/study/local/response_sensitivity.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>

#include "sfg/error.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/exact_value.hpp"
#include "sfg/response/time_response.hpp"
#include "sfg/study/local/exact_sensitivity.hpp"
#include "sfg/study/measures/fraction_evaluator.hpp"

namespace sfg {

namespace {

using Slopes = std::vector<std::vector<double>>;

std::string name_of(const StudyParameter& parameter) { return GiNaC::ex_to<GiNaC::symbol>(parameter.symbol).get_name(); }

std::vector<double> values_of(const SignalFlowGraph& graph, const std::vector<const StudyParameter*>& parameters) {
  const GiNaC::exmap values = graph.symbols.values();
  std::vector<double> result;
  for (const StudyParameter* parameter : parameters) result.push_back(double_value(values.at(parameter->symbol)).value_or(0));
  return result;
}

/// By the coefficients; nothing where double precision does not give y itself.
std::optional<Slopes> swept_back(const SignalFlowGraph& graph, const Question& question,
                                 const std::vector<const StudyParameter*>& parameters, const TimeResponse& y,
                                 const Budget& budget) {
  std::vector<std::string> names;
  for (const StudyParameter* parameter : parameters) names.push_back(name_of(*parameter));
  const std::vector<double> nominal = values_of(graph, parameters);
  const std::optional<CompiledFraction> fraction = compiled_fraction(graph, question, names, nominal, budget);
  if (!fraction) return {};
  const CoefficientProgram& program = fraction->program;
  if (program.delayed() && program.numerator_size() == program.denominator_size()) return {};  // a jump that moves
  FractionEvaluator evaluator(*fraction);
  evaluator.set(fraction->nominal);
  const double size = *std::ranges::max_element(y.value, {}, [](double v) { return std::abs(v); });
  Slopes result(parameters.size(), std::vector<double>(y.time.size()));
  std::vector<double> gradient(parameters.size());
  for (std::size_t i = 0; i < y.time.size(); ++i) {
    budget.check("the slopes of the step response");
    const BaseMeasure at{MeasureKind::step, y.time[i], 0};
    const FoundMeasure value = evaluator(at);
    CoefficientSlopes slopes;
    constexpr double agreeing = 1e-9;
    if (!value.decided || !(std::abs(value.value - y.value[i]) <= agreeing * std::abs(size)) || !evaluator.slopes(at, slopes))
      return {};
    fraction->sweep_back(nominal, slopes, gradient);
    for (std::size_t k = 0; k < parameters.size(); ++k) result[k][i] = gradient[k] + 0.0;
  }
  return result;
}

TimeResponse exactly(const StudiedGraph& studied, const Question& question, const StudyParameter& parameter,
                     std::span<const double> times, const TransferOptions& options) {
  TimeResponse slope = step_response(exact_sensitivity(studied, question, parameter, options), times, {.budget = options.budget});
  for (double& value : slope.value) value += 0.0;
  return slope;
}

/// Whether Σ r·∂y/∂k with random factors r is the exact derivative in that direction, where every k moves by r at once.
bool checked(const Slopes& slopes, const StudiedGraph& studied, const Question& question,
             const std::vector<const StudyParameter*>& parameters, std::span<const double> times,
             const TransferOptions& options) {
  StudiedGraph along{studied.graph, {}};
  const GiNaC::ex step = along.graph.symbols.add({.name = "step along", .value = GiNaC::ex(0)}).expr;
  const std::vector<double> nominal = values_of(studied.graph, parameters);
  std::mt19937_64 random(options.seed);
  std::vector<double> factors;
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    const double size = nominal[k] == 0 ? 1 : nominal[k];
    factors.push_back(size * static_cast<double>(1 + random() % 255) / 256);
    Symbol& symbol = *along.graph.symbols.find(name_of(*parameters[k]));
    symbol.value = *symbol.value + numeric_value(exact::Rational::of(factors.back())) * step;
  }
  const std::vector<double> exact = exactly(along, question, {"step along", step, step}, times, options).value;
  std::vector<double> sums(times.size()), sizes(times.size());
  for (std::size_t i = 0; i < times.size(); ++i)
    for (std::size_t k = 0; k < parameters.size(); ++k) {
      sums[i] += factors[k] * slopes[k][i];
      sizes[i] += std::abs(factors[k] * slopes[k][i]);
    }
  const double largest = *std::ranges::max_element(sizes);
  constexpr double agreeing = 1e-8, nothing = 1e-11;
  for (std::size_t i = 0; i < times.size(); ++i)
    if (!(std::abs(sums[i] - exact[i]) <= agreeing * sizes[i] + nothing * largest)) return false;
  return true;
}

}  // namespace

ResponseSensitivity step_sensitivity(const StudiedGraph& studied, const Question& question, std::span<const double> times,
                                     const TransferOptions& options) {
  const SignalFlowGraph& graph = studied.graph;
  const GiNaC::exmap values = graph.symbols.values();
  const ExactTransfer T = exact_transfers(graph, std::span(&question, 1), options).front();
  const TimeResponse y = step_response(T, times, {.budget = options.budget});
  ResponseSensitivity result{T.input, T.output, y.time, y.value, {}, {}, {}, true};
  std::vector<const StudyParameter*> parameters;
  for (const StudyParameter& parameter : studied.parameters) {
    if (!values.contains(parameter.symbol)) continue;
    parameters.push_back(&parameter);
    result.parameters.push_back(parameter.name);
  }
  constexpr std::size_t few = 12;
  if (parameters.size() > few) {
    if (auto slopes = swept_back(graph, question, parameters, y, options.budget);
        slopes && checked(*slopes, studied, question, parameters, times, options)) {
      result.slope = std::move(*slopes);
      result.exact = false;
      return result;
    }
  }
  for (const StudyParameter* parameter : parameters) {
    TimeResponse slope = exactly(studied, question, *parameter, times, options);
    if (!slope.impulses.empty()) result.impulsive.push_back(parameter->name);
    result.slope.push_back(std::move(slope.value));
  }
  return result;
}

}  // namespace sfg
