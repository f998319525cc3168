#include "sfg/expr/fraction_builder.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <stdexcept>

#include "sfg/error.hpp"
#include "sfg/expr/exact_value.hpp"
#include "sfg/expr/kernel.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/print_form.hpp"
#include "sfg/ring/modular.hpp"

namespace sfg {

using GiNaC::ex;
using GiNaC::ex_to;
using Number = GiNaC::numeric;
using ring::Polynomial;

namespace {

constexpr std::uint64_t lookup_prime = ring::ModularRing::mersenne61;

constexpr const char* work_name = "expanding an expression";
constexpr Advice advice = Advice::ask_other_form;

/// A bound of the number of terms of a^n·b: all exponents up to the degrees.
double box(const Polynomial& a, double n, const Polynomial& b) {
  double volume = 1;
  for (std::size_t v = 0; v < a.context()->variables().size(); ++v)
    volume *= static_cast<double>(a.degree(v)) * n + static_cast<double>(b.degree(v)) + 1;
  return volume;
}

[[noreturn]] void divide_by_zero() {
  throw Error(SourceSpan{}, "division by zero: a denominator vanishes for all values of its symbols", "correct the expression");
}

}  // namespace

FractionBuilder::FractionBuilder(const VariableMap& variables, const Budget& budget) : variables_(variables), budget_(budget) {
  std::uint64_t state = 0x9E3779B97F4A7C15;
  for (std::size_t v = 0; v < variables_.generators.size(); ++v) {
    factors_.push_back(Polynomial::variable(variables_.context, v));
    state = state * 6364136223846793005 + 1442695040888963407;
    point_.push_back(state % lookup_prime);
  }
}

std::pair<Polynomial, Polynomial> FractionBuilder::operator()(const ex& e) {
  Fraction result = fraction(e);
  cancel(result);
  Polynomial denominator = expanded(result.denominator);
  settle(result.numerator, denominator);
  return {std::move(result.numerator), std::move(denominator)};
}

FractionBuilder::Fraction FractionBuilder::fraction(const ex& e) {
  Polynomial::Term term{1, {}};
  if (append_monomial(e, term)) return {Polynomial::sum_of(variables_.context, {&term, 1}), {}};
  if (GiNaC::is_exactly_a<GiNaC::add>(e)) return sum(e);
  if (GiNaC::is_exactly_a<GiNaC::mul>(e)) return product(e);
  if (GiNaC::is_exactly_a<Number>(e)) return complex_number(ex_to<Number>(e));
  if (const auto exponent = whole_exponent(e)) return power(shared_fraction(e.op(0)), *exponent);
  return generator(e);
}

FractionBuilder::Fraction FractionBuilder::shared_fraction(const ex& e) {
  if (!GiNaC::is_exactly_a<GiNaC::add>(e)) return fraction(e);
  const GiNaC::basic* key = &ex_to<GiNaC::basic>(e);
  if (const auto known = shared_.find(key); known != shared_.end()) return known->second.second;
  Fraction result = sum(e);
  shared_.emplace(key, std::pair(e, result));
  return result;
}

bool FractionBuilder::append_monomial(const ex& e, Polynomial::Term& term) const {
  if (GiNaC::is_exactly_a<GiNaC::add>(e)) return false;
  if (GiNaC::is_exactly_a<GiNaC::mul>(e)) {
    for (std::size_t i = 0; i < e.nops(); ++i)
      if (!append_monomial(e.op(i), term)) return false;
    return true;
  }
  if (GiNaC::is_exactly_a<Number>(e)) {
    const auto number = exact_number(e);
    if (number) term.coefficient = exact_value(*number);  // a product has one number
    return number.has_value();
  }
  const auto exponent = whole_exponent(e);
  if (exponent && (*exponent < 0 || GiNaC::is_exactly_a<GiNaC::add>(e.op(0)) || GiNaC::is_exactly_a<GiNaC::mul>(e.op(0)) ||
                   GiNaC::is_exactly_a<GiNaC::power>(e.op(0)) || GiNaC::is_exactly_a<Number>(e.op(0))))
    return false;
  if (is_root(e) && GiNaC::is_exactly_a<Number>(e.op(0))) return false;  // √8 brings a factor with it
  const VariableMap::Place place = variables_.place(exponent ? e.op(0) : e);
  if (place.power <= 0) return false;
  term.powers.emplace_back(place.variable,
                           static_cast<std::uint64_t>(place.power) * static_cast<std::uint64_t>(exponent.value_or(1)));
  return true;
}

FractionBuilder::Fraction FractionBuilder::generator(const ex& e) {
  if (const auto root = constant_root(e)) {
    const Polynomial factor = Polynomial::constant(variables_.context, exact_value(root->factor));
    if (root->radicand == Number(1)) return {factor, {}};
    const auto found = variables_.root_of.find(ex(root->radicand));
    if (found == variables_.root_of.end()) throw std::invalid_argument("PolynomialSpace::rational: a root is not in the space");
    const VariableMap::Root& known = variables_.roots[found->second];
    return {factor * factors_[known.variable].power(static_cast<std::uint64_t>(known.degree / 2)), {}};
  }
  const VariableMap::Place place = variables_.place(e);
  if (place.power == 0) throw std::invalid_argument("PolynomialSpace::rational: '" + print(e) + "' is not in the space");
  const auto power = static_cast<std::uint64_t>(std::abs(place.power));
  if (place.power < 0) return {one(), {{place.variable, power}}};
  return {factors_[place.variable].power(power), {}};
}

FractionBuilder::Fraction FractionBuilder::complex_number(const Number& z) {
  const auto root = variables_.root_of.find(ex(-1));
  if (root == variables_.root_of.end()) throw std::invalid_argument("PolynomialSpace::rational: sqrt(-1) is not in the space");
  const VariableMap::Root& unit = variables_.roots[root->second];
  const Polynomial i = factors_[unit.variable].power(static_cast<std::uint64_t>(unit.degree / 2));
  return {Polynomial::constant(variables_.context, exact_value(z.real())) +
              Polynomial::constant(variables_.context, exact_value(z.imag())) * i,
          {}};
}

FractionBuilder::Fraction FractionBuilder::sum(const ex& e) {
  std::vector<Polynomial::Term> monomials;
  std::map<Factors, std::vector<Polynomial>> by_denominator;
  Factors common;
  for (std::size_t i = 0; i < e.nops(); ++i) {
    const ex part = e.op(i);
    Polynomial::Term term{1, {}};
    if (append_monomial(part, term)) {
      monomials.push_back(std::move(term));
    } else {
      Fraction f = fraction(part);
      by_denominator[f.denominator].push_back(std::move(f.numerator));
    }
  }
  if (!monomials.empty()) by_denominator[{}].push_back(Polynomial::sum_of(variables_.context, monomials));
  std::map<std::size_t, std::uint64_t> greatest;
  for (const auto& [denominator, terms] : by_denominator)
    for (const auto& [factor, multiplicity] : denominator) greatest[factor] = std::max(greatest[factor], multiplicity);
  common.assign(greatest.begin(), greatest.end());

  std::vector<Polynomial> numerators;
  for (auto& [denominator, terms] : by_denominator) {
    for (const auto& [factor, multiplicity] : denominator) greatest[factor] -= multiplicity;
    const Polynomial missing = expanded(Factors(greatest.begin(), greatest.end()));
    for (const auto& [factor, multiplicity] : denominator) greatest[factor] += multiplicity;
    numerators.push_back(multiply(ring::sum(variables_.context, std::move(terms)), missing));
  }
  Fraction result{ring::sum(variables_.context, std::move(numerators)), std::move(common)};
  if (result.numerator.is_zero()) result.denominator.clear();
  return result;
}

FractionBuilder::Fraction FractionBuilder::product(const ex& e) {
  Polynomial::Term monomial{1, {}};
  Fraction result{one(), {}};
  std::map<std::size_t, std::uint64_t> denominator;
  for (std::size_t i = 0; i < e.nops(); ++i) {
    const ex part = e.op(i);
    Polynomial::Term with_part = monomial;
    if (append_monomial(part, with_part)) {
      monomial = std::move(with_part);
      continue;
    }
    Fraction f = GiNaC::is_exactly_a<GiNaC::add>(part) ? shared_fraction(part) : fraction(part);
    result.numerator = multiply(result.numerator, f.numerator);
    for (const auto& [factor, multiplicity] : f.denominator) denominator[factor] += multiplicity;
  }
  result.numerator = multiply(result.numerator, Polynomial::sum_of(variables_.context, {&monomial, 1}));
  if (!result.numerator.is_zero()) result.denominator.assign(denominator.begin(), denominator.end());
  return result;
}

FractionBuilder::Fraction FractionBuilder::power(Fraction base, long exponent) {
  if (exponent < 0) base = inverse(base);
  const auto n = static_cast<std::uint64_t>(std::abs(exponent));
  base.numerator = raised(base.numerator, n);
  for (auto& [factor, multiplicity] : base.denominator) multiplicity *= n;
  if (n == 0) base.denominator.clear();
  return base;
}

FractionBuilder::Fraction FractionBuilder::inverse(const Fraction& f) {
  Polynomial top = f.numerator, bottom = one();
  if (!variables_.roots.empty()) {
    settle_roots(top, bottom);
    if (top.is_zero()) divide_by_zero();
  }
  if (f.numerator.is_zero()) divide_by_zero();
  Fraction result{expanded(f.denominator), {}};
  Polynomial constant = one();
  split(f.numerator, 1, result.denominator, constant);
  std::ranges::sort(result.denominator);
  result.numerator = *exact_quotient(result.numerator, constant);
  return result;
}

void FractionBuilder::split(Polynomial p, std::uint64_t multiplicity, Factors& factors, Polynomial& constant) {
  for (std::size_t i = 0; i < variables_.roots.size() && p.term_count() >= 2; ++i) {
    const auto& base = polynomial_base(i);
    if (!base) continue;
    std::uint64_t count = 0;
    for (auto quotient = exact_quotient(p, *base); quotient; quotient = exact_quotient(p, *base), ++count) p = *quotient;
    const auto degree = static_cast<std::uint64_t>(variables_.roots[i].degree);
    if (count != 0) factors.emplace_back(variables_.roots[i].variable, count * degree * multiplicity);
  }
  const Polynomial powers = p.monomial_content();
  if (!powers.is_constant()) {
    const std::vector<Polynomial::Term> term = powers.terms();
    for (const auto& [variable, power] : term.front().powers) factors.emplace_back(variable, power * multiplicity);
    p = *exact_quotient(p, powers);
  }
  constexpr std::size_t most_tried = 64;  // more factors than this: a division each costs more than a missed common one
  for (std::size_t i = variables_.generators.size();
       i < factors_.size() && factors_.size() <= most_tried + variables_.generators.size(); ++i) {
    std::uint64_t count = 0;
    while (p.term_count() >= 2) {
      auto quotient = exact_quotient(p, factors_[i]);
      if (!quotient) break;
      p = *std::move(quotient);
      ++count;
    }
    if (count != 0) factors.emplace_back(i, count * multiplicity);
  }
  constant *= Polynomial::constant(variables_.context, p.content());
  p = p.primitive();
  if (!p.is_one()) factors.emplace_back(factor_number(p), multiplicity);
}

std::size_t FractionBuilder::factor_number(const Polynomial& p) {
  const std::uint64_t value = p.modulo(lookup_prime, point_);
  const auto [begin, end] = factor_at_.equal_range(value);
  for (auto i = begin; i != end; ++i)
    if (factors_[i->second] == p) return i->second;
  factors_.push_back(p);
  factor_at_.emplace(value, factors_.size() - 1);
  return factors_.size() - 1;
}

void FractionBuilder::cancel(Fraction& f) const {
  if (f.numerator.is_zero()) return;
  for (auto& [factor, multiplicity] : f.denominator) {
    while (multiplicity > 0) {
      auto quotient = exact_quotient(f.numerator, factors_[factor]);
      if (!quotient) break;
      f.numerator = *std::move(quotient);
      --multiplicity;
    }
  }
  std::erase_if(f.denominator, [](const auto& factor) { return factor.second == 0; });
}

Polynomial FractionBuilder::expanded(const Factors& factors) const {
  Polynomial result = one();
  for (const auto& [factor, multiplicity] : factors)
    if (multiplicity != 0) result = multiply(result, raised(factors_[factor], multiplicity));
  return result;
}

Polynomial FractionBuilder::multiply(const Polynomial& a, const Polynomial& b) const {
  constexpr double most_products = 4e6;  // multiplied without a look at the clock: well under a second
  constexpr double most_work = 1000;     // products for every term that is allowed
  if (a.term_count() < b.term_count()) return multiply(b, a);
  if (b.is_one() || a.is_zero()) return a;
  if (b.is_zero()) return b;
  const double products = static_cast<double>(a.term_count()) * static_cast<double>(b.term_count());
  const auto limit = static_cast<double>(budget_.limits().terms);
  if (products <= most_products || box(a, 1, b) <= limit) {
    Polynomial result = a * b;
    budget_.check_terms(result.term_count(), work_name, advice);
    return result;
  }
  if (products > most_work * limit) budget_.check_terms(static_cast<std::uint64_t>(std::min(products, 1e18)), work_name, advice);
  Polynomial result = zero();
  for (const Polynomial& piece :
       b.pieces(static_cast<std::size_t>(std::max(1.0, most_products / static_cast<double>(a.term_count()))))) {
    result.add_product(a, piece);
    budget_.check(work_name);
    budget_.check_terms(result.term_count(), work_name, advice);
  }
  return result;
}

Polynomial FractionBuilder::raised(const Polynomial& base, std::uint64_t exponent) const {
  const auto n = static_cast<double>(exponent), t = static_cast<double>(base.term_count());
  if (t >= 2 && exponent >= 2) {
    double products = 1;  // the number of products of n factors of t kinds
    for (double k = 1; k < t && products < 1e18; ++k) products *= (n + k) / k;
    budget_.check_terms(static_cast<std::uint64_t>(std::min({products, box(base, n, one()), 1e18})), work_name, advice);
  }
  return base.power(exponent);
}

const std::optional<Polynomial>& FractionBuilder::polynomial_base(std::size_t root) {
  const auto [entry, is_new] = bases_.try_emplace(root);  // while it is being found: none
  if (is_new) {
    Fraction value = shared_fraction(variables_.roots[root].base);
    if (value.denominator.empty() && value.numerator.term_count() >= 2) entry->second = std::move(value.numerator);
  }
  return entry->second;
}

Polynomial FractionBuilder::taken_powers(Polynomial& denominator) {
  Polynomial taken = one();
  const std::vector<std::size_t> powers = denominator.monomial_content().degrees();
  for (std::size_t i = 0; i < variables_.roots.size(); ++i) {
    const auto [variable, degree, base] = variables_.roots[i];
    const std::uint64_t power = powers[variable];
    if (power % static_cast<std::uint64_t>(degree) != 0 && polynomial_base(i)) taken *= factors_[variable].power(power);
  }
  denominator = *exact_quotient(denominator, taken);
  return taken;
}

bool FractionBuilder::cancel_roots(Polynomial& numerator, Polynomial& denominator) {
  bool changed = false;
  for (std::size_t i = 0; i < variables_.roots.size() && !numerator.is_zero(); ++i) {
    const std::size_t variable = variables_.roots[i].variable;
    const Polynomial& root = factors_[variable];
    const auto& base = polynomial_base(i);
    for (std::size_t power = denominator.monomial_content().degree(variable); power > 0;) {
      if (const auto rest = exact_quotient(numerator, root)) {
        numerator = *rest;
        denominator = *exact_quotient(denominator, root);
        --power;
      } else if (const auto other = base ? exact_quotient(numerator, *base) : std::nullopt) {
        numerator = *other * root.power(static_cast<std::uint64_t>(variables_.roots[i].degree));
      } else {
        break;
      }
      changed = true;
    }
  }
  return changed;
}

void FractionBuilder::settle(Polynomial& numerator, Polynomial& denominator) {
  if (variables_.roots.empty()) return;
  do {
    const Polynomial taken = taken_powers(denominator);
    settle_roots(numerator, denominator);
    denominator *= taken;
    if (denominator.is_zero()) divide_by_zero();
  } while (cancel_roots(numerator, denominator));
}

void FractionBuilder::settle_roots(Polynomial& numerator, Polynomial& denominator) {
  for (std::size_t i = 0; i < variables_.roots.size(); ++i) {
    const auto [variable, root_degree, base] = variables_.roots[i];
    const auto degree = static_cast<std::uint64_t>(root_degree);
    const std::uint64_t most = std::max(numerator.degree(variable), denominator.degree(variable)) / degree;
    if (most == 0) continue;
    Fraction value = fraction(base);
    const Polynomial bottom = expanded(value.denominator);
    for (Polynomial* p : {&numerator, &denominator}) {
      Polynomial settled = zero();
      for (const auto& [exponent, coefficient] : p->sparse_coefficients(variable)) {
        const std::uint64_t whole = exponent / degree;
        Polynomial term = multiply(coefficient, raised(value.numerator, whole));
        term = multiply(term, raised(bottom, most - whole));
        settled.add_product(term, factors_[variable].power(exponent % degree));
      }
      *p = std::move(settled);
    }
  }
}

}  // namespace sfg
