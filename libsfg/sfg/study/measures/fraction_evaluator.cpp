#include "sfg/study/measures/fraction_evaluator.hpp"

#include <algorithm>
#include <cmath>

#include "sfg/error.hpp"
#include "sfg/exact/rational_polynomial.hpp"
#include "sfg/exact/roots.hpp"
#include "sfg/numeric/numbers.hpp"
#include "sfg/transfer/exact_transfer.hpp"

namespace sfg {

namespace {

bool of_poles(MeasureKind kind) {
  return kind == MeasureKind::abscissa || kind == MeasureKind::damping || kind == MeasureKind::mode_frequency ||
         kind == MeasureKind::mode_damping;
}

std::vector<std::complex<double>> roots_of(std::span<const double> ascending) {
  std::vector<exact::Rational> coefficients;
  for (std::size_t i = ascending.size(); i-- > 0;) coefficients.push_back(exact::Rational::of(ascending[i]));
  while (!coefficients.empty() && coefficients.front().is_zero()) coefficients.erase(coefficients.begin());
  std::vector<std::complex<double>> roots = exact::root_values(coefficients);
  roots.resize(ascending.size() - 1, {-infinity, 0});
  return roots;
}

std::vector<double> doubles(const exact::RationalPolynomial& p) {
  std::vector<double> ascending;
  const exact::Rational size = p.is_zero() ? exact::Rational(1) : p.leading().abs();
  for (int k = 0; k <= p.degree(); ++k) ascending.push_back((p.coefficient(static_cast<std::size_t>(k)) / size).to_double());
  return ascending;
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
    CompiledFraction fraction{
        .program = CoefficientProgram(graph, question, parameters, budget), .nominal = {}, .roots = {}, .poles = {}};
    fraction.nominal = fraction.program.tape().values<double>(nominal);
    const NumberFraction T = fraction.at(fraction.nominal);
    for (const double c : fraction.nominal)
      if (!std::isfinite(c)) return {};
    if (std::ranges::all_of(T.denominator, [](double c) { return c == 0; }) || T.delay < 0) return {};
    const ExactTransfer stated = exact_transfers(graph, std::span(&question, 1), {.budget = budget}).front();
    if (stated.numerator.parts.size() > 1 || !stated.denominator.rational()) return {};
    const std::vector<double> above =
        stated.numerator.parts.empty() ? std::vector<double>() : doubles(stated.numerator.parts.front().polynomial);
    const std::vector<double> below = doubles(stated.denominator.polynomial());
    fraction.degenerate = above.size() < T.numerator.size() || below.size() < T.denominator.size();
    fraction.roots = roots_of(T.denominator);
    fraction.poles = fraction.degenerate ? roots_of(below) : fraction.roots;
    if (!fraction.program.op().discrete())
      fraction.unit = fraction.degenerate ? unit_of(above, below) : unit_of(T.numerator, T.denominator);
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

/// Whether a pole is so near to a zero that doubles do not tell them apart.
bool FractionEvaluator::cancels(std::complex<double> pole) const {
  std::complex<double> value = 0;
  double size = 0;
  const std::span<const double> n = fraction_.at(outputs_).numerator;
  for (std::size_t i = n.size(); i-- > 0;) {
    value = value * pole + n[i];
    size = size * std::abs(pole) + std::abs(n[i]);
  }
  constexpr double same = 1e-10;
  return std::abs(value) <= same * size;
}

FoundMeasure FractionEvaluator::operator()(const BaseMeasure& base) {
  if (of_poles(base.kind)) {
    const FoundMeasure found = poles_(base);
    const bool pole_of_all = base.mode == 0 && found.decided && std::isfinite(found.value);
    return pole_of_all && cancels(poles_.found()) ? FoundMeasure{found.value, false} : found;
  }
  return of_step(base.kind) ? step()(base) : axis_(base);
}

bool FractionEvaluator::slopes(const BaseMeasure& base, CoefficientSlopes& result) {
  result.numerator.resize(fraction_.program.numerator_size());
  if (of_poles(base.kind)) return poles_.slopes(base, result);
  return of_step(base.kind) ? step_.slopes(base, result) : axis_.slopes(base, result);
}

}  // namespace sfg
