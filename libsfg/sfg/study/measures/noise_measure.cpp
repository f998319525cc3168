#include "sfg/study/measures/noise_measure.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "sfg/error.hpp"
#include "sfg/exact/integral.hpp"
#include "sfg/expr/derived_parameters.hpp"
#include "sfg/numeric/numbers.hpp"
#include "sfg/response/noise_spectrum.hpp"
#include "sfg/study/local/exact_sensitivity.hpp"

namespace sfg {

namespace {

using exact::Rational;
using exact::RationalFraction;
using exact::RationalPolynomial;

void require_rational(const std::vector<ExactTransfer>& transfers) {
  if (!std::ranges::all_of(transfers, &ExactTransfer::rational))
    throw NoAnswer("a gain is no rational function (dead time of a line, say), and the noise has no certified mean square",
                   Advice::pade);
}

RationalFraction fraction_of(const ExactTransfer& T) { return {T.numerator.polynomial(), T.denominator.polynomial()}; }

RationalFraction sum(const RationalFraction& a, const RationalFraction& b, const Rational& factor) {
  const auto scaled = RationalPolynomial::constant(factor);
  if (const auto [quotient, rest] = divided(b.denominator, a.denominator); rest.is_zero())
    return {a.numerator * quotient + scaled * b.numerator, b.denominator};
  return {a.numerator * b.denominator + scaled * b.numerator * a.denominator, a.denominator * b.denominator};
}

/// Σ density · |f(jw)|² of independent sources, those of one denominator together.
class Spectra {
 public:
  void add(const RationalFraction& density, const RationalFraction& f) {
    RationalPolynomial above = density.numerator * squared_modulus(f.numerator),
                       below = density.denominator * squared_modulus(f.denominator);
    above *= RationalPolynomial::constant(Rational(1) / below.leading());
    below = below.monic();
    const auto known = std::ranges::find(parts_, below, &RationalFraction::denominator);
    if (known == parts_.end())
      parts_.push_back({std::move(above), std::move(below)});
    else
      known->numerator += above;
  }

  /// Over 2π; nothing where it diverges.
  std::optional<double> integral(const Rational& low, const std::optional<Rational>& high) const {
    double all = 0;
    for (const RationalFraction& part : parts_) {
      const auto found = exact::integral(part, low, high);
      if (!found) return {};
      all += *found / (2 * std::numbers::pi);
    }
    return all;
  }

 private:
  std::vector<RationalFraction> parts_;
};

/// Whether a fraction in w has one sign for all w, as its coefficients tell: even powers of one sign.
bool of_one_sign(const RationalPolynomial& p) {
  for (std::size_t k = 0; k <= static_cast<std::size_t>(std::max(p.degree(), 0L)); ++k)
    if (p.sign_of(k) != 0 && (k % 2 == 1 || p.sign_of(k) != p.sign_of(static_cast<std::size_t>(p.degree())))) return false;
  return true;
}

Rational power_of_two(double near) { return Rational(2).power(std::ilogb(near)); }

/// An integral that is certified with a relative error, and sums of them with their absolute one.
struct Bounded {
  static constexpr double relative = 2e-14;  // exact::integral
  double value = 0, size = 0;
  bool add(double factor, std::optional<double> part) {
    if (!part) return false;
    value += factor * *part;
    size += std::abs(factor * *part);
    return true;
  }
};

class MeanSquare {
 public:
  MeanSquare(const NoisyOutput& noisy, const BaseMeasure& base, const Budget& budget)
      : noisy_(noisy), low_(Rational::of(base.at)), budget_(budget), symbols_(noisy.graph.symbols) {
    if (std::isfinite(base.up_to)) high_ = Rational::of(base.up_to);
    w_ = symbols_.symbol(noise_frequency);
    constants_ = noise_constants(symbols_, noisy.temperature);
    for (const NoiseSource& source : noisy.sources) questions_.push_back({noisy.graph.at(source.signal), noisy.output});
  }

  /// Over 2π; nothing where it diverges.
  std::optional<double> total() {
    const std::vector<ExactTransfer> transfers = exact_transfers(noisy_.graph, questions_, {.budget = budget_});
    require_rational(transfers);
    const auto counts = worst_counts(transfers);
    if (counts.right > 0 || (!high_ && counts.axis > 0)) return {};
    Spectra all;
    for (std::size_t i = 0; i < noisy_.sources.size(); ++i) {
      densities_.push_back(density(noisy_.sources[i]));
      transfers_.push_back(fraction_of(transfers[i]));
      all.add(densities_[i], transfers_[i]);
    }
    const auto found = integral(all);
    total_ = found.value_or(0);
    return found;
  }

  /// ∂(total())/∂k, after total(); NaN where a derivative of a spectrum has no integral.
  double slope(const std::string& parameter) {
    const Symbol& symbol = symbols_.at(parameter);
    const std::vector<ExactTransfer> moved =
        exact_sensitivities({noisy_.graph, {}}, questions_, {parameter, symbol.expr, symbol.expr}, {.budget = budget_});
    require_rational(moved);
    Bounded slope;
    if (!add_densities(symbol.expr, slope) || !add_transfers(moved, slope)) return undefined;
    return std::abs(slope.value) <= Bounded::relative * slope.size ? 0 : slope.value;
  }

 private:
  RationalFraction density(const NoiseSource& source) const {
    budget_.check("the noise");
    return noise_density(source, w_, symbols_, constants_);
  }

  std::optional<double> integral(const Spectra& spectra) const { return spectra.integral(low_, high_); }

  /// Σ ∫ ∂(density)/∂k |T|²: what has one sign together, all else as the difference of (density + h ∂(density)/∂k) |T|² and
  /// density |T|².
  bool add_densities(const GiNaC::ex& k, Bounded& slope) const {
    const GiNaC::exmap derived = definitions(symbols_);
    Spectra positive, negative;
    for (std::size_t i = 0; i < noisy_.sources.size(); ++i) {
      NoiseSource changed = noisy_.sources[i];
      changed.density = total_derivative(changed.density, k, derived);
      const RationalFraction moved = density(changed), &own = densities_[i];
      if (moved.numerator.is_zero()) continue;
      const Rational size = moved.numerator.leading() / moved.denominator.leading();
      if (of_one_sign(moved.numerator) && of_one_sign(moved.denominator)) {
        (size.sign() > 0 ? positive : negative).add(moved, transfers_[i]);
        continue;
      }
      const double part = (own.numerator.leading() / own.denominator.leading() / size).to_double();
      const Rational h = part == 0 ? Rational(1) : power_of_two(std::abs(part) / 4);
      Spectra before, after;
      before.add(own, transfers_[i]);
      after.add(sum(own, moved, h), transfers_[i]);
      if (!slope.add(-1 / h.to_double(), integral(before)) || !slope.add(1 / h.to_double(), integral(after))) return false;
    }
    return slope.add(1, integral(positive)) && slope.add(1, integral(negative));
  }

  /// Σ ∫ density 2 Re(T* ∂T/∂k) = (Σ ∫ density |T + h ∂T/∂k|² − Σ ∫ density |T|² − h² Σ ∫ density |∂T/∂k|²)/h, with h of the size
  /// at which the first two parts are alike.
  bool add_transfers(const std::vector<ExactTransfer>& moved, Bounded& slope) const {
    Spectra squares, together;
    for (std::size_t i = 0; i < moved.size(); ++i) squares.add(densities_[i], fraction_of(moved[i]));
    const auto square = integral(squares);
    if (!square || *square == 0 || total_ == 0) return square.has_value();
    const Rational h = power_of_two(std::sqrt(total_ / *square));
    for (std::size_t i = 0; i < moved.size(); ++i) together.add(densities_[i], sum(transfers_[i], fraction_of(moved[i]), h));
    const double step = h.to_double();
    slope.add(-1 / step, total_);
    slope.add(-step, square);
    return slope.add(1 / step, integral(together));
  }

  const NoisyOutput& noisy_;
  Rational low_;
  std::optional<Rational> high_;
  const Budget& budget_;
  SymbolTable symbols_;
  GiNaC::ex w_;
  GiNaC::exmap constants_;
  std::vector<Question> questions_;
  std::vector<RationalFraction> densities_, transfers_;
  double total_ = 0;
};

}  // namespace

std::optional<double> noise_rms(const NoisyOutput& noisy, const BaseMeasure& base, const Budget& budget) {
  const auto square = MeanSquare(noisy, base, budget).total();
  return square ? std::optional(std::sqrt(*square)) : std::nullopt;
}

std::vector<double> noise_slopes(const NoisyOutput& noisy, const BaseMeasure& base, std::span<const std::string> parameters,
                                 const Budget& budget) {
  std::vector<double> slopes(parameters.size(), undefined);
  MeanSquare square(noisy, base, budget);
  const auto total = square.total();
  if (!total || *total == 0) return slopes;
  for (std::size_t k = 0; k < slopes.size(); ++k) slopes[k] = square.slope(parameters[k]) / (2 * std::sqrt(*total));
  return slopes;
}

}  // namespace sfg
