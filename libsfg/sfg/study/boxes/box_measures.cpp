#include "sfg/study/boxes/box_measures.hpp"

#include <ginac/ginac.h>

#include <numbers>
#include <optional>

#include "sfg/error.hpp"
#include "sfg/expr/compile.hpp"
#include "sfg/expr/derived_parameters.hpp"
#include "sfg/study/boxes/box_axis.hpp"
#include "sfg/study/boxes/box_poles.hpp"
#include "sfg/study/boxes/box_step.hpp"
#include "sfg/study/boxes/box_transfer.hpp"
#include "sfg/study/boxes/tape_jets.hpp"

namespace sfg {

using ring::Interval;
using ring::Jet;
using ring::ParameterBox;

namespace {

const Jet degree_jet(Interval::rounded(180 / std::numbers::pi));
const Jet decibels(Interval::rounded(20 / std::numbers::ln10) + Interval(-1e-14, 1e-14));

/// Whether there are bounds of it: all but the figures of sampled steps, which jump, and what dead time makes transcendental.
bool bounded(const BaseMeasure& base, const CoefficientProgram& T, const CoefficientProgram& loop) {
  switch (base.kind) {
    case MeasureKind::rise:
    case MeasureKind::settling:
    case MeasureKind::overshoot: return !T.op().discrete();
    case MeasureKind::gain_margin: return !loop.delayed() || !loop.op().discrete();
    case MeasureKind::modulus_margin:
    case MeasureKind::disk_margin:
    case MeasureKind::phase_crossover:
    case MeasureKind::delay_margin: return !loop.delayed();
    case MeasureKind::step: return !T.op().discrete() || !T.delayed();
    case MeasureKind::noise: return false;
    default: return true;
  }
}

}  // namespace

struct BoxMeasures::Impl {
  /// A measure as it is evaluated: base measures, and the expression of them and of the parameters.
  struct Program {
    std::vector<BaseMeasure> bases;
    std::optional<numeric::Tape> expression;
  };

  explicit Impl(CoefficientProgram program) : coefficients(std::move(program)) {}

  CoefficientProgram coefficients;
  std::optional<CoefficientProgram> loop;
  std::vector<Program> measures;
  /// What is told apart by its value at the centre of a box: the turns of a phase, a mode among others.
  std::vector<std::pair<BaseMeasure, MeasureProgram>> told_apart;

  double at_centre(const BaseMeasure& base, std::span<const Jet> parameters) const {
    std::vector<double> point;
    for (const Jet& parameter : parameters) point.push_back(parameter.centre().middle());
    double value = std::numeric_limits<double>::quiet_NaN();
    for (const auto& [known, program] : told_apart)
      if (known == base) program.evaluate(1, point, std::span(&value, 1));
    return value;
  }

  Jet base(const BaseMeasure& base, const BoxTransfer& T, const BoxTransfer& L, const ParameterBox& box,
           std::span<const Jet> parameters) const {
    switch (base.kind) {
      case MeasureKind::dc: return dc_over(T);
      case MeasureKind::gain: return gain_over(T, base.at);
      case MeasureKind::db: return decibels * log(gain_over(T, base.at));
      case MeasureKind::phase: return degree_jet * phase_over(T, base.at, at_centre(base, parameters) * std::numbers::pi / 180);
      case MeasureKind::peak: return BoxAxis(box, T).peak().height;
      case MeasureKind::peak_frequency: return BoxAxis(box, T).peak().frequency;
      case MeasureKind::bandwidth: return BoxAxis(box, T).bandwidth();
      case MeasureKind::gain_margin: return BoxAxis(box, L).gain_margin();
      case MeasureKind::phase_margin: return BoxAxis(box, L).phase_margin();
      case MeasureKind::modulus_margin: return BoxAxis(box, L).modulus_margin();
      case MeasureKind::disk_margin: return BoxAxis(box, L).disk_margin();
      case MeasureKind::dc_error: return dc_error_over(L);
      case MeasureKind::position_constant: return error_constant_over(L, 0);
      case MeasureKind::velocity_constant: return error_constant_over(L, 1);
      case MeasureKind::acceleration_constant: return error_constant_over(L, 2);
      case MeasureKind::type: return type_over(L);
      case MeasureKind::delay_margin: return BoxAxis(box, L).delay_margin();
      case MeasureKind::gain_crossover: return BoxAxis(box, L).gain_crossover();
      case MeasureKind::phase_crossover: return BoxAxis(box, L).phase_crossover();
      case MeasureKind::abscissa: return BoxPoles(box, T).abscissa();
      case MeasureKind::damping: return BoxPoles(box, T).damping();
      case MeasureKind::mode_frequency: return BoxPoles(box, T).mode_frequency(at_centre(base, parameters), base.mode);
      case MeasureKind::mode_damping:
        return BoxPoles(box, T).mode_damping(at_centre({MeasureKind::mode_frequency, 0, base.mode}, parameters), base.mode);
      case MeasureKind::final: return BoxStep(box, T).final();
      case MeasureKind::step: return BoxStep(box, T).at(base.at);
      case MeasureKind::rise: return BoxStep(box, T).rise();
      case MeasureKind::settling: return BoxStep(box, T).settling();
      case MeasureKind::overshoot: return BoxStep(box, T).overshoot();
      case MeasureKind::noise: break;  // not bounded()
    }
    return Jet::rough(Interval::everything());
  }
};

namespace {

/// T; the open loop where nothing but its margins is asked, so that T may be what has no coefficients.
CoefficientProgram coefficients_for(const MeasuredSystem& system, std::span<const Measure> measures,
                                    const std::vector<std::string>& parameters, const Budget& budget) {
  const bool margins_alone =
      system.loop && std::ranges::all_of(measures, [](const Measure& measure) {
        return std::ranges::all_of(measure.bases, [](const BaseMeasure& base) { return is_margin(base.kind); });
      });
  if (margins_alone) return {system.loop->first, system.loop->second, parameters, budget};
  return {system.graph, system.question, parameters, budget};
}

}  // namespace

BoxMeasures::BoxMeasures(const MeasuredSystem& system, std::span<const Measure> measures,
                         const std::vector<std::string>& parameters, const Budget& budget)
    : impl_(std::make_unique<Impl>(coefficients_for(system, measures, parameters, budget))) {
  const SymbolTable& symbols = system.graph.symbols;
  std::vector<GiNaC::ex> kept;
  for (const std::string& name : parameters) kept.push_back(symbols.at(name).expr);
  if (system.loop) impl_->loop.emplace(system.loop->first, system.loop->second, parameters, budget);
  for (const Measure& measure : measures) {
    Impl::Program program{measure.bases, {}};
    for (const BaseMeasure& base : measure.bases) {
      if (!bounded(base, impl_->coefficients, impl_->loop ? *impl_->loop : impl_->coefficients))
        throw NoAnswer("there are no guaranteed bounds of " + to_string(base) +
                           (of_noise(base.kind)          ? ""
                            : system.graph.op.discrete() ? " of a sampled system"
                                                         : " with dead time"),
                       of_noise(base.kind) ? "ask for samples of the tolerances" : "");
      BaseMeasure asked = base;
      if (base.kind == MeasureKind::mode_damping) asked.kind = MeasureKind::mode_frequency;
      if (asked.kind != MeasureKind::phase && asked.kind != MeasureKind::mode_frequency) continue;
      const GiNaC::symbol symbol(to_string(asked));
      const Measure alone{to_string(asked), {asked}, {symbol}, symbol};
      impl_->told_apart.emplace_back(asked, MeasureProgram(system, {alone}, parameters, budget));
    }
    if (measure.base() == nullptr) {
      std::vector<GiNaC::ex> inputs = measure.symbols;
      inputs.insert(inputs.end(), kept.begin(), kept.end());
      const GiNaC::ex expression = measure.expression.subs(values_keeping(symbols, kept), GiNaC::subs_options::no_pattern);
      program.expression = compile(std::span(&expression, 1), inputs);
    }
    impl_->measures.push_back(std::move(program));
  }
}
BoxMeasures::~BoxMeasures() = default;

Jet BoxMeasures::over(std::size_t measure, const ParameterBox& box, std::span<const Jet> parameters) const {
  const Impl::Program& program = impl_->measures[measure];
  const BoxTransfer T = box_transfer(impl_->coefficients, parameters);
  const BoxTransfer L = impl_->loop ? box_transfer(*impl_->loop, parameters) : T;
  std::vector<Jet> values;
  for (const BaseMeasure& base : program.bases) values.push_back(impl_->base(base, T, L, box, parameters));
  if (!program.expression) return values.front();
  values.insert(values.end(), parameters.begin(), parameters.end());
  return jets(*program.expression, values).front();
}

}  // namespace sfg
