#include "sfg/expr/rational.hpp"

#include <ginac/ginac.h>

#include <set>
#include <stdexcept>
#include <tuple>

#include "sfg/error.hpp"
#include "sfg/expr/exact_constant.hpp"
#include "sfg/expr/exact_value.hpp"
#include "sfg/expr/fraction_builder.hpp"
#include "sfg/expr/independent_functions.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/random_point.hpp"
#include "sfg/expr/variable_map.hpp"
#include "sfg/ring/modular.hpp"

namespace sfg {

using GiNaC::ex;
using ring::Polynomial;

struct PolynomialSpace::Impl {
  VariableMap variables;
};

PolynomialSpace::PolynomialSpace(std::span<const ex> expressions, const ex& main)
    : impl_(std::make_shared<const Impl>(Impl{VariableMap(expressions, main)})) {}

const Polynomial::Context& PolynomialSpace::context() const noexcept { return impl_->variables.context; }
std::size_t PolynomialSpace::size() const noexcept { return impl_->variables.generators.size(); }
const ex& PolynomialSpace::generator(std::size_t index) const { return impl_->variables.generators.at(index); }

std::optional<std::size_t> PolynomialSpace::index(const ex& generator) const {
  const VariableMap::Place place = impl_->variables.place(generator);
  if (place.power != 1) return std::nullopt;
  return place.variable;
}

RationalFunction PolynomialSpace::rational(const ex& e, const Budget& budget) const {
  auto [numerator, denominator] = FractionBuilder(impl_->variables, budget)(e);
  return {*this, std::move(numerator), std::move(denominator)};
}

bool PolynomialSpace::has_roots() const noexcept { return !impl_->variables.roots.empty(); }

void PolynomialSpace::settle_roots(Polynomial& numerator, Polynomial& denominator) const {
  const Budget budget;
  FractionBuilder(impl_->variables, budget).settle(numerator, denominator);
}

ex PolynomialSpace::expression(const Polynomial& p) const {
  GiNaC::exvector terms;
  terms.reserve(p.term_count());
  p.visit_terms([&](const exact::Rational& coefficient, std::span<const std::uint64_t> exponents) {
    GiNaC::exvector factors;
    for (std::size_t v = 0; v < exponents.size(); ++v)
      if (exponents[v] != 0)
        factors.push_back(GiNaC::power(generator(v), GiNaC::numeric(static_cast<unsigned long>(exponents[v]))));
    factors.push_back(numeric_value(coefficient));
    terms.push_back(GiNaC::mul(factors));
  });
  return GiNaC::add(terms);
}

RationalFunction::RationalFunction(PolynomialSpace space, Polynomial numerator, Polynomial denominator)
    : space_(std::move(space)), numerator_(std::move(numerator)), denominator_(std::move(denominator)) {
  if (numerator_.context() != space_.context() || denominator_.context() != space_.context())
    throw std::invalid_argument("RationalFunction: polynomials of another space");
  if (denominator_.is_zero()) throw std::invalid_argument("RationalFunction: the denominator is 0");
}

namespace {

std::pair<Polynomial, Polynomial> coprime(const Polynomial& a, const Polynomial& b) {
  auto result = gcd_cofactors(a, b);
  return {std::move(result.a), std::move(result.b)};
}

}  // namespace

RationalFunction RationalFunction::reduced() const {
  auto [common, top, bottom] = gcd_cofactors(numerator_, denominator_);
  if (space_.has_roots()) {
    space_.settle_roots(top, bottom);
    std::tie(top, bottom) = coprime(top, bottom);
  }
  settle_contents(top, bottom);
  return {space_, std::move(top), std::move(bottom)};
}

Polynomial RationalFunction::common_factor() const { return gcd(numerator_, denominator_).primitive(); }

ex RationalFunction::expression() const {
  const ex top = space_.expression(numerator_);
  return denominator_.is_one() ? top : ex(top / space_.expression(denominator_));
}

std::string RationalFunction::text() const { return quotient_text(print(numerator_), print(denominator_)); }

std::string quotient_text(const std::string& numerator, const std::string& denominator) {
  if (denominator == "1") return numerator;
  const bool is_sum = numerator.find(' ') != std::string::npos, is_atom = denominator.find_first_of("*/ ") == std::string::npos;
  return (is_sum ? "(" + numerator + ")" : numerator) + "/" + (is_atom ? denominator : "(" + denominator + ")");
}

namespace {

/// Zero as sin² + cos² − 1 is: in letters between which no identity holds, at random points.
bool vanishes_by_identities(const ex& e, std::uint64_t points) {
  IndependentFunctions functions(std::span(&e, 1));
  if (!functions.needed()) return false;
  const ex own = functions(e);
  if (functions.has_open_signs()) return false;
  for (std::uint64_t seed = 1; seed <= points; ++seed)
    if (const auto at = random_point(seed)(own); !at || *at != 0) return false;
  return true;
}

}  // namespace

bool vanishes(const ex& e) {
  if (e.is_zero()) return true;
  if (has_irrational_constant(e)) {  // residues know nothing of what relates sqrt(2), sqrt(3) and sqrt(6)
    const RationalFunction whole = PolynomialSpace(std::span(&e, 1)).rational(e);
    return settled(whole.numerator(), whole.space()).is_zero();
  }
  constexpr int points = 4;
  const auto value = [&](std::uint64_t seed) { return ModularPoint(ring::ModularRing::mersenne61, seed)(e); };
  for (std::uint64_t seed = 1; seed <= points; ++seed)
    if (const auto at = value(seed); at && *at != 0) return vanishes_by_identities(e, points);
  try {
    return PolynomialSpace(std::span(&e, 1)).rational(e).numerator().is_zero();
  } catch (const LimitReached&) {
    return true;  // zero at every point tried: wrong with a chance below (degree · 2^-61)^points
  }
}

namespace {

RationalFunction reduced_fraction(const ex& e, const ex& main) {
  return settled(PolynomialSpace(std::span(&e, 1), main).rational(e).reduced());
}

/// Of a sum of c x^k with rational numbers c, as it stands; nothing of any other expression.
std::optional<std::vector<ex>> plain_coefficients(const ex& e, const ex& x) {
  constexpr int most = 1000;
  std::map<int, GiNaC::numeric> found;
  const auto take = [&](const ex& term) {
    GiNaC::numeric number = 1;
    int power = 0;
    const auto factor = [&](const ex& f) {
      if (GiNaC::is_a<GiNaC::numeric>(f)) {
        number = number.mul(GiNaC::ex_to<GiNaC::numeric>(f));
        return number.is_rational();
      }
      const bool raised = GiNaC::is_a<GiNaC::power>(f);
      if (!(raised ? f.op(0) : f).is_equal(x)) return false;
      if (raised && !(f.op(1).info(GiNaC::info_flags::posint) && f.op(1) <= most)) return false;
      power += raised ? GiNaC::ex_to<GiNaC::numeric>(f.op(1)).to_int() : 1;
      return true;
    };
    const bool product = GiNaC::is_a<GiNaC::mul>(term);
    for (std::size_t i = 0; i < (product ? term.nops() : 1); ++i)
      if (!factor(product ? term.op(i) : term)) return false;
    found[power] = found[power].add(number);
    return true;
  };
  const bool sum = GiNaC::is_a<GiNaC::add>(e);
  for (std::size_t i = 0; i < (sum ? e.nops() : 1); ++i)
    if (!take(sum ? e.op(i) : e)) return {};
  std::erase_if(found, [](const auto& term) { return term.second.is_zero(); });
  std::vector<ex> result(found.empty() ? 0 : static_cast<std::size_t>(found.rbegin()->first) + 1, 0);
  for (const auto& [power, number] : found) result[result.size() - 1 - static_cast<std::size_t>(power)] = number;
  return result;
}

void collect_names(const ex& e, std::set<std::string>& names) {
  if (GiNaC::is_a<GiNaC::symbol>(e)) names.insert(GiNaC::ex_to<GiNaC::symbol>(e).get_name());
  for (std::size_t i = 0; i < e.nops(); ++i) collect_names(e.op(i), names);
}

}  // namespace

ex normal_form(const ex& e, const ex& main) { return reduced_fraction(e, main).expression(); }

std::pair<ex, ex> fraction(const ex& e, const ex& main) {
  const RationalFunction f = reduced_fraction(e, main);
  return {f.space().expression(f.numerator()), f.space().expression(f.denominator())};
}

std::optional<std::vector<ex>> polynomial_coefficients(const ex& e, const ex& x) {
  if (!GiNaC::is_a<GiNaC::symbol>(x)) throw std::invalid_argument("polynomial_coefficients: x is not a symbol");
  if (auto plain = plain_coefficients(e, x)) return plain;
  const RationalFunction f = reduced_fraction(e, x);
  if (f.denominator().depends_on(0)) return std::nullopt;
  for (std::size_t v = 1; v < f.space().size(); ++v)
    if (f.space().generator(v).has(x) && (f.numerator().depends_on(v) || f.denominator().depends_on(v))) return std::nullopt;
  std::vector<ex> result;
  for (const Polynomial& coefficient : f.numerator().coefficients(0))
    result.push_back(RationalFunction(f.space(), coefficient, f.denominator()).reduced().expression());
  return result;
}

std::vector<std::string> symbol_names(const ex& e) {
  std::set<std::string> names;
  collect_names(e, names);
  return {names.begin(), names.end()};
}

}  // namespace sfg
