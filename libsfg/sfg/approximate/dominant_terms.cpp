#include "sfg/approximate/approximate.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sfg/error.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/print.hpp"

namespace sfg {

namespace {

using ring::Polynomial;
using Real = long double;  ///< products of thirty capacitances leave the range of a double
using LongComplex = std::complex<Real>;

Real number(const exact::Rational& exact) {
  constexpr long decades = 300;
  const double nearest = exact.to_double();
  if (std::isinf(nearest)) return number(exact / exact::Rational(10).power(decades)) * 1e300L;
  if (nearest == 0 && !exact.is_zero()) return number(exact * exact::Rational(10).power(decades)) * 1e-300L;
  return nearest + static_cast<Real>((exact - exact::Rational::of(nearest)).to_double());
}

/// The terms of one polynomial with their values at every frequency.
struct Side {
  std::vector<Polynomial::Term> terms;
  std::vector<LongComplex> values;  ///< terms × frequencies
  std::vector<LongComplex> sum;
  std::vector<bool> kept;
  std::size_t left = 0;  ///< number of those kept

  Side(const Polynomial& polynomial, const std::vector<std::vector<std::complex<double>>>& generators, std::size_t frequencies)
      : terms(polynomial.terms()), sum(frequencies), kept(terms.size(), true), left(terms.size()) {
    for (const Polynomial::Term& term : terms)
      for (std::size_t f = 0; f < frequencies; ++f) {
        LongComplex value = number(term.coefficient);
        for (const auto& [index, exponent] : term.powers)
          for (std::uint64_t i = 0; i < exponent; ++i) value *= LongComplex(generators[index][f]);
        values.push_back(value);
        sum[f] += value;
      }
  }
  const LongComplex& at(std::size_t term, std::size_t f) const { return values[term * sum.size() + f]; }
  /// Greatest part of the sum over the frequencies.
  Real share(std::size_t term) const {
    Real greatest = 0;
    for (std::size_t f = 0; f < sum.size(); ++f) greatest = std::max(greatest, std::abs(at(term, f)) / std::abs(sum[f]));
    return std::isnan(greatest) ? std::numeric_limits<Real>::infinity() : greatest;
  }
  void drop(std::size_t term) {
    kept[term] = false;
    --left;
    for (std::size_t f = 0; f < sum.size(); ++f) sum[f] -= at(term, f);
  }
  Polynomial remaining(const Polynomial::Context& context) const {
    std::vector<Polynomial::Term> chosen;
    for (std::size_t i = 0; i < terms.size(); ++i)
      if (kept[i]) chosen.push_back(terms[i]);
    return Polynomial::sum_of(context, chosen);
  }
};

std::complex<double> rounded(const LongComplex& z) { return {static_cast<double>(z.real()), static_cast<double>(z.imag())}; }

/// Whether T stays within the limits without one more term.
bool dispensable(const Side& side, std::size_t term, const Side& numerator, const Side& denominator,
                 std::span<const TrueValue> truth, const ErrorLimit& limit) {
  if (side.left == 1) return false;
  for (std::size_t f = 0; f < truth.size(); ++f) {
    LongComplex n = numerator.sum[f], d = denominator.sum[f];
    (&side == &numerator ? n : d) -= side.at(term, f);
    if (!within(rounded(n / d), truth[f].value, limit)) return false;
  }
  return true;
}

struct Candidate {
  Side* side;
  std::size_t term;
  Real share;
};

std::vector<Candidate> candidates(Side& numerator, Side& denominator) {
  std::vector<Candidate> all;
  for (Side* side : {&numerator, &denominator})
    for (std::size_t i = 0; i < side->terms.size(); ++i)
      if (side->kept[i]) all.push_back({side, i, side->share(i)});
  std::stable_sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) { return a.share < b.share; });
  return all;
}

/// Tries every term that is left; true when one was dropped.
bool drop_once(Side& numerator, Side& denominator, std::span<const TrueValue> truth, const ErrorLimit& limit,
               const Budget& budget) {
  bool dropped = false;
  std::size_t tried = 0;
  for (const Candidate& candidate : candidates(numerator, denominator)) {
    if (++tried % 1000 == 0) budget.check("choosing the dominant terms");
    if (!dispensable(*candidate.side, candidate.term, numerator, denominator, truth, limit)) continue;
    candidate.side->drop(candidate.term);
    dropped = true;
  }
  return dropped;
}

}  // namespace

std::vector<std::vector<std::complex<double>>> generator_values(const PolynomialSpace& space, const GiNaC::exmap& values,
                                                                std::span<const TrueValue> truth) {
  std::vector<std::vector<std::complex<double>>> result(space.size());
  const GiNaC::ex& variable = space.generator(0);
  for (std::size_t i = 0; i < space.size(); ++i) {
    const GiNaC::ex numbered = i == 0 ? variable : space.generator(i).subs(values, GiNaC::subs_options::no_pattern);
    for (const TrueValue& at : truth) {
      const auto value = complex_value(numbered, variable, {0, at.frequency});
      if (!value) throw NoAnswer("expression '" + print(numbered) + "' has no numeric value");
      result[i].push_back(*value);
    }
  }
  return result;
}

bool within(std::complex<double> value, std::complex<double> truth, const ErrorLimit& limit) {
  const std::complex<double> ratio = value / truth;
  return std::abs(20 * std::log10(std::abs(ratio))) <= limit.magnitude_db &&
         std::abs(std::arg(ratio)) * 180 / std::numbers::pi <= limit.phase_deg;
}

RationalFunction dominant_terms(const RationalFunction& value, const GiNaC::exmap& values, std::span<const TrueValue> truth,
                                const ErrorLimit& limit, const Budget& budget) {
  const auto generators = generator_values(value.space(), values, truth);
  Side numerator(value.numerator(), generators, truth.size()), denominator(value.denominator(), generators, truth.size());
  while (drop_once(numerator, denominator, truth, limit, budget)) {  // what was left out since may have made room
  }
  const auto& context = value.space().context();
  RationalFunction result =
      RationalFunction(value.space(), numerator.remaining(context), denominator.remaining(context)).reduced();
  // A factor of both sides was in every term; without it others may go.
  const bool shorter = result.numerator().term_count() + result.denominator().term_count() < numerator.left + denominator.left;
  return shorter ? dominant_terms(result, values, truth, limit, budget) : result;
}

}  // namespace sfg
