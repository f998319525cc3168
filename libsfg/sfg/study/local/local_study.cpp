#include "sfg/study/local/local_study.hpp"

#include <ginac/ginac.h>

#include <cmath>

#include "sfg/error.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/exact_value.hpp"
#include "sfg/numeric/numbers.hpp"
#include "sfg/study/local/exact_sensitivity.hpp"
#include "sfg/study/local/exact_slopes.hpp"
#include "sfg/study/local/side_slopes.hpp"
#include "sfg/study/measures/exact_measure.hpp"
#include "sfg/study/measures/noise_measure.hpp"

namespace sfg {

namespace {

/// Why a base measure may have no value.
const char* reason(MeasureKind kind) {
  switch (kind) {
    case MeasureKind::dc:
    case MeasureKind::gain:
    case MeasureKind::db:
    case MeasureKind::phase: return "there is a pole or a zero of the transfer function";
    case MeasureKind::peak:
    case MeasureKind::peak_frequency: return "the magnitude has no greatest value: a pole on the axis, or a limit at infinity";
    case MeasureKind::bandwidth: return "the magnitude never falls to 1/√2 of that at rest";
    case MeasureKind::gain_margin:
    case MeasureKind::phase_crossover: return "the open loop does not cross the negative real axis";
    case MeasureKind::phase_margin:
    case MeasureKind::gain_crossover:
    case MeasureKind::delay_margin: return "the open loop does not cross the unit circle";
    case MeasureKind::modulus_margin: return "the open loop has no distance from −1";
    case MeasureKind::disk_margin: return "the closed loop is not stable";
    case MeasureKind::dc_error: return "the open loop is -1 at rest";
    case MeasureKind::position_constant:
    case MeasureKind::velocity_constant:
    case MeasureKind::acceleration_constant:
    case MeasureKind::type: return "it is infinite: the open loop has more poles at rest";
    case MeasureKind::rise:
    case MeasureKind::settling:
    case MeasureKind::overshoot:
    case MeasureKind::final: return "the step response does not settle, or settles at 0";
    case MeasureKind::step: return "the step response has no value there";
    case MeasureKind::abscissa: return "there is no pole";
    case MeasureKind::damping: return "no pole oscillates";
    case MeasureKind::mode_frequency:
    case MeasureKind::mode_damping: return "there are not so many modes";
    case MeasureKind::noise: return "the circuit is not stable, or the mean square of its noise diverges over the band";
  }
  return "";
}

[[noreturn]] void refuse_measure(const Measure& measure, const std::string& why) {
  throw NoAnswer("the measure '" + measure.text + "' does not exist for these values: " + why, Advice::substitute_others);
}

/// The certified passes at the stated values.
class StatedValues {
 public:
  StatedValues(const MeasuredSystem& system, const ExactTransfer& T, const ExactTransfer& loop, const Budget& budget)
      : system_(system), T_(T), loop_(loop), budget_(budget) {}

  std::optional<double> operator()(const BaseMeasure& base) {
    return of_noise(base.kind) ? noise_rms(noisy(), base, budget_) : exact_measure(T_, loop_, base);
  }
  double noise_slope(const BaseMeasure& base, const std::string& parameter) {
    return noise_slopes(noisy(), base, std::span(&parameter, 1), budget_).front();
  }

 private:
  const NoisyOutput& noisy() { return noisy_ ? *noisy_ : noisy_.emplace(noisy_output(system_)); }

  const MeasuredSystem& system_;
  const ExactTransfer &T_, &loop_;
  const Budget& budget_;
  std::optional<NoisyOutput> noisy_;
};

/// The value of a measure by the certified passes.
double certified(const Measure& measure, StatedValues& stated, const GiNaC::exmap& parameters) {
  GiNaC::exmap values = parameters;
  for (std::size_t i = 0; i < measure.bases.size(); ++i) {
    const auto found = stated(measure.bases[i]);
    const std::string part = measure.base() ? "" : to_string(measure.bases[i]) + ": ";
    if (!found) refuse_measure(measure, part + reason(measure.bases[i].kind));
    if (measure.base()) return *found;
    values[measure.symbols[i]] = numeric_value(exact::Rational::of(*found));
  }
  const auto found = double_value(measure.expression.subs(values, GiNaC::subs_options::no_pattern));
  if (!found || !std::isfinite(*found)) refuse_measure(measure, "the expression has no real value");
  return *found;
}

/// Says which measure a certified pass has no answer to.
double named_value(const Measure& measure, StatedValues& stated, const GiNaC::exmap& parameters) {
  const std::string quoted = "the measure '" + measure.text + "'";
  try {
    return certified(measure, stated, parameters);
  } catch (const NoAnswer& failure) {
    const std::string why = failure.what();
    if (why.starts_with(quoted)) throw;
    throw NoAnswer(quoted + ": " + why, failure.remedy(), failure.where());
  }
}

/// The derivative of a measure, or of an expression of several, from those of its parts.
double chained(const Measure& measure, StatedValues& stated, const GiNaC::exmap& parameters, std::size_t parameter,
               ExactSlopes& exactly) {
  GiNaC::exmap values = parameters;
  for (std::size_t i = 0; i < measure.bases.size(); ++i)
    values[measure.symbols[i]] = numeric_value(exact::Rational::of(stated(measure.bases[i]).value_or(0)));
  const auto value = [&](const GiNaC::ex& e) {
    return double_value(e.subs(values, GiNaC::subs_options::no_pattern)).value_or(undefined);
  };
  const auto slope = [&](const BaseMeasure& base, double of) {
    const GiNaC::ex& symbol = exactly.parameter(parameter).symbol;
    return of_noise(base.kind) ? stated.noise_slope(base, GiNaC::ex_to<GiNaC::symbol>(symbol).get_name())
                               : exactly(base, of, parameter);
  };
  if (measure.base()) return slope(*measure.base(), value(measure.symbols.front()));
  double sum = value(total_derivative(measure.expression, exactly.parameter(parameter).symbol, exactly.derived()));
  for (std::size_t i = 0; i < measure.bases.size(); ++i) {
    const GiNaC::ex& part = measure.symbols[i];
    sum += value(measure.expression.diff(GiNaC::ex_to<GiNaC::symbol>(part))) * slope(measure.bases[i], value(part));
  }
  return sum;
}

}  // namespace

LocalStudy local_study(const MeasuredSystem& system, const std::vector<StudyParameter>& parameters,
                       const std::vector<Measure>& measures, const Budget& budget) {
  const SignalFlowGraph& graph = system.graph;
  const GiNaC::exmap values = graph.symbols.values();
  LocalStudy result{graph[system.question.input].name, graph[system.question.output].name, {}};
  std::vector<StudyParameter> with_values;
  std::vector<std::string> symbols;
  std::vector<double> nominal;  // what relative derivatives refer to
  std::vector<bool> factor;
  for (const StudyParameter& parameter : parameters) {
    if (!values.contains(parameter.symbol)) continue;
    result.parameters.push_back(parameter.name);
    with_values.push_back(parameter);
    symbols.push_back(GiNaC::ex_to<GiNaC::symbol>(parameter.symbol).get_name());
    nominal.push_back(double_value(parameter.nominal.subs(values, GiNaC::subs_options::no_pattern)).value_or(undefined));
    factor.push_back(parameter.role == StudyParameter::Role::factor);
  }
  const TransferOptions options{.budget = budget};
  const ExactTransfer T = exact_transfers(graph, std::span(&system.question, 1), options).front();
  const ExactTransfer loop =
      system.loop ? exact_transfers(system.loop->first, std::span(&system.loop->second, 1), options).front() : T;
  StatedValues stated(system, T, loop, budget);
  for (const Measure& measure : measures)
    result.measures.push_back({measure.text, measure.unit, named_value(measure, stated, values), {}, {}, {}});
  if (measures.empty()) return result;
  const MeasureProgram program(system, measures, symbols, budget);
  const LocalMeasures found = program.at(program.nominal());
  SideSlopes to_sides(program);
  ExactSlopes exactly({graph, with_values}, system.question, T, options);
  for (std::size_t m = 0; m < measures.size(); ++m) {
    MeasureSensitivity& row = result.measures[m];
    for (std::size_t k = 0; k < symbols.size(); ++k) {
      double slope = found.derivative[m * symbols.size() + k] + 0.0;  // by the symbol
      if (std::isnan(slope)) slope = chained(measures[m], stated, values, k, exactly);
      SidedSlope sided = to_sides(m, k, row.value, slope);
      slope = sided.slope;
      for (std::optional<double>* each : {&sided.below, &sided.above})
        if (*each && factor[k]) **each /= nominal[k];
      row.sided.push_back(std::move(sided));
      const double scale = factor[k] ? 1 : nominal[k];
      row.derivative.push_back(factor[k] ? slope / nominal[k] + 0.0 : slope);
      row.relative.push_back(row.value == 0 ? undefined : scale / row.value * slope + 0.0);
    }
  }
  return result;
}

}  // namespace sfg
