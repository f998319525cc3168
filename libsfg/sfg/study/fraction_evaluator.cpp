#include "sfg/study/fraction_evaluator.hpp"

#include <cmath>

#include "sfg/error.hpp"
#include "sfg/exact/roots.hpp"

namespace sfg {

namespace {

bool of_poles(MeasureKind kind) {
  return kind == MeasureKind::abscissa || kind == MeasureKind::damping || kind == MeasureKind::mode_frequency ||
         kind == MeasureKind::mode_damping;
}

std::vector<std::complex<double>> roots_of(std::span<const double> ascending) {
  std::vector<exact::Rational> coefficients;
  for (std::size_t i = ascending.size(); i-- > 0;) coefficients.push_back(exact::Rational::of(ascending[i]));
  return exact::root_values(coefficients);
}

/// The geometric mean of what the roots are in rad/s, as a power of 2.
double unit_of(std::span<const double> numerator, std::span<const double> denominator) {
  double sum = 0;
  std::size_t count = 0;
  const auto add = [&](std::span<const double> p) {
    std::size_t low = 0;
    while (low < p.size() && p[low] == 0) ++low;
    if (low + 1 >= p.size()) return;
    sum += std::log2(std::abs(p[low])) - std::log2(std::abs(p.back()));
    count += p.size() - 1 - low;
  };
  add(numerator);
  add(denominator);
  const double mean = count == 0 ? 0 : sum / static_cast<double>(count);
  return std::isfinite(mean) ? std::exp2(std::round(mean)) : 1;
}

}  // namespace

std::optional<CompiledFraction> compiled_fraction(const SignalFlowGraph& graph, const Question& question,
                                                  const std::vector<std::string>& parameters, std::span<const double> nominal,
                                                  const Budget& budget) {
  try {
    CompiledFraction fraction{CoefficientProgram(graph, question, parameters, budget), {}, {}, 1};
    fraction.nominal = fraction.program.tape().values<double>(nominal);
    const NumberFraction T = fraction.at(fraction.nominal);
    for (const double c : fraction.nominal)
      if (!std::isfinite(c)) return {};
    if (T.denominator.empty() || T.denominator.back() == 0 || (!T.numerator.empty() && T.numerator.back() == 0) || T.delay < 0)
      return {};
    fraction.poles = roots_of(T.denominator);
    if (!fraction.program.op().discrete()) fraction.unit = unit_of(T.numerator, T.denominator);
    return fraction;
  } catch (const NoAnswer&) {
  } catch (const LimitReached&) {
    budget.check("the measures");
  }
  return {};
}

void CompiledFraction::sweep_back(std::span<const double> point, const CoefficientSlopes& slopes,
                                  std::span<double> derivative) const {
  const numeric::Tape& tape = program.tape();
  std::vector<double> seeds(slopes.numerator);
  seeds.insert(seeds.end(), slopes.denominator.begin(), slopes.denominator.end());
  if (program.delayed()) seeds.push_back(slopes.delay);
  std::vector<double> outputs(tape.outputs().size()), workspace(2 * tape.instructions().size());
  tape.gradient<double>(point, seeds, outputs, derivative, workspace);
}

FoundMeasure FractionEvaluator::operator()(const BaseMeasure& base) {
  if (of_poles(base.kind)) return poles_(base);
  return of_step(base.kind) ? step()(base) : axis_(base);
}

bool FractionEvaluator::slopes(const BaseMeasure& base, CoefficientSlopes& result) {
  result.numerator.resize(fraction_.program.numerator_size());
  if (of_poles(base.kind)) return poles_.slopes(base, result);
  return of_step(base.kind) ? step_.slopes(base, result) : axis_.slopes(base, result);
}

}  // namespace sfg
