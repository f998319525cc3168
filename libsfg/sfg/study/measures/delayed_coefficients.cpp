#include "sfg/study/measures/delayed_coefficients.hpp"

#include <ginac/ginac.h>

#include <algorithm>

#include "sfg/error.hpp"
#include "sfg/expr/print.hpp"

namespace sfg {

namespace {

GiNaC::ex delay_of(const GiNaC::ex& kernel, const GiNaC::ex& s) {
  if (GiNaC::is_the_function<GiNaC::exp_SERIAL>(kernel)) {
    const GiNaC::ex exponent = kernel.op(0).expand();
    if (exponent.degree(s) == 1 && exponent.ldegree(s) == 1) return -exponent.coeff(s, 1);
  }
  throw NoAnswer("expression '" + print(kernel) + "' is neither rational in " + print(s) + " nor a dead time");
}

}  // namespace

std::vector<DelayedCoefficients> delayed_coefficients(const PolynomialSpace& space, const ring::Polynomial& polynomial,
                                                      const GiNaC::ex& s) {
  std::vector<DelayedCoefficients> found;
  for (const ring::Polynomial::Term& term : polynomial.terms()) {
    CoefficientProduct product{term.coefficient, {}};
    std::uint64_t power = 0;
    GiNaC::ex delay = 0;
    for (const auto& [index, exponent] : term.powers) {
      const GiNaC::ex& generator = space.generator(index);
      if (generator.is_equal(s))
        power = exponent;
      else if (generator.has(s))
        delay += static_cast<unsigned long>(exponent) * delay_of(generator, s);
      else
        product.powers.emplace_back(index, exponent);
    }
    auto part =
        std::ranges::find_if(found, [&](const DelayedCoefficients& each) { return (each.delay - delay).expand().is_zero(); });
    if (part == found.end()) part = found.insert(found.end(), {.delay = delay.expand()});
    part->by_power[power].push_back(std::move(product));
  }
  return found;
}

std::size_t DelayedCoefficients::order_at_rest(bool discrete) const {
  if (by_power.empty()) return 0;
  if (!discrete) return static_cast<std::size_t>(by_power.begin()->first);
  // coefficient by coefficient in powers of z − 1: z^i has binomial(i, k) of the k-th
  std::map<std::uint64_t, exact::Rational> weights;
  for (const auto& [power, sum] : by_power) weights[power] = 1;
  for (std::uint64_t k = 0;; ++k) {
    std::map<std::vector<std::pair<std::size_t, std::uint64_t>>, exact::Rational> total;
    for (const auto& [power, sum] : by_power)
      for (const CoefficientProduct& product : sum) total[product.powers] += weights[power] * product.coefficient;
    if (!std::ranges::all_of(total, [](const auto& entry) { return entry.second.is_zero(); })) return static_cast<std::size_t>(k);
    for (auto& [power, weight] : weights)
      weight = power > k ? weight * exact::Rational(static_cast<long>(power - k)) / exact::Rational(static_cast<long>(k + 1)) : 0;
  }
}

CoefficientWriter::Value CoefficientWriter::operator()(CoefficientSum sum) {
  std::map<std::size_t, std::size_t> uses;
  for (const CoefficientProduct& product : sum)
    for (const auto& [index, exponent] : product.powers) ++uses[index];
  if (uses.empty()) {
    exact::Rational total = 0;
    for (const CoefficientProduct& product : sum) total += product.coefficient;
    return number_(total);
  }
  const std::size_t letter = std::ranges::max_element(uses, {}, [](const auto& entry) { return entry.second; })->first;
  CoefficientSum with, without;
  std::uint64_t common = UINT64_MAX;
  for (CoefficientProduct& product : sum) {
    const auto at = std::ranges::find(product.powers, letter, [](const auto& entry) { return entry.first; });
    if (at == product.powers.end()) {
      without.push_back(std::move(product));
    } else {
      common = std::min(common, at->second);
      with.push_back(std::move(product));
    }
  }
  for (CoefficientProduct& product : with)
    std::erase_if(product.powers, [&](auto& entry) { return entry.first == letter && (entry.second -= common) == 0; });
  const Value factor = builder_.power(letter_(space_.generator(letter)), static_cast<std::int32_t>(common));
  const Value taken = builder_.multiply(factor, (*this)(std::move(with)));
  return without.empty() ? taken : builder_.add(taken, (*this)(std::move(without)));
}

void CoefficientWriter::append(const DelayedCoefficients& polynomial, std::vector<Value>& to) {
  for (std::size_t power = 0; power < polynomial.size(); ++power) {
    const auto known = polynomial.by_power.find(power);
    to.push_back(known == polynomial.by_power.end() ? builder_.constant(0) : (*this)(known->second));
  }
}

exact::Rational greatest_coefficient(const ring::Polynomial& polynomial) {
  exact::Rational found = 0;
  for (const ring::Polynomial::Term& term : polynomial.terms()) found = std::max(found, term.coefficient.abs());
  return found.is_zero() ? exact::Rational(1) : found;
}

}  // namespace sfg
