#include "sfg/transfer/factored.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <set>
#include <span>

#include "sfg/error.hpp"
#include "sfg/expr/exact_value.hpp"
#include "sfg/expr/kernel.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/expr/root_terms.hpp"

namespace sfg {

namespace {

using ring::Polynomial;

constexpr std::uint64_t most_terms = 20'000;  ///< beyond, factoring takes minutes

/// Whether it contains a function of the variable, a dead time say.
bool transcendental(const PolynomialSpace& space, const Polynomial& polynomial) {
  for (std::size_t i = 1; i < space.size(); ++i)
    if (polynomial.depends_on(i) && space.generator(i).has(space.generator(0))) return true;
  return false;
}

/// Square roots and quotients of coefficients, in lowest terms.
class Roots {
 public:
  Roots(const PolynomialSpace& space, const PositiveLetters& letters) : space_(space), letters_(letters) {}

  /// √(above/below): what is known to be positive comes out of the root by even powers.
  GiNaC::ex root(const Polynomial& above, const Polynomial& below) {
    const RationalFunction value = RationalFunction(space_, above, below).reduced();
    Parts parts;
    take(parts, value.numerator(), 1);
    take(parts, value.denominator(), -1);
    const GiNaC::numeric number = parts.number;
    const GiNaC::ex half = GiNaC::numeric(1, 2);
    const GiNaC::ex size = GiNaC::pow(GiNaC::ex(abs(number)), half);
    const GiNaC::ex inside = (number.is_negative() ? -1 : 1) * parts.above;
    if (inside.is_equal(1)) return size * parts.outside / GiNaC::pow(parts.below, half);
    return size * parts.outside * GiNaC::pow(inside / parts.below, half);
  }

  GiNaC::ex quotient(const Polynomial& above, const Polynomial& below) const {
    return RationalFunction(space_, above, below).reduced().expression();
  }

  bool is_positive(const Polynomial& polynomial) {
    bool positive = true;
    polynomial.visit_terms([&](const exact::Rational& coefficient, std::span<const std::uint64_t> exponents) {
      if (coefficient.sign() < 0) positive = false;
      for (std::size_t v = 0; v < exponents.size(); ++v)
        if (exponents[v] != 0 && !is_positive(v)) positive = false;
    });
    return positive;
  }

  /// To be called where positivity made a difference.
  void note(const Polynomial& polynomial) {
    for (std::size_t v = 0; v < space_.size(); ++v)
      if (polynomial.depends_on(v) && !has_positive_value(v)) assumed_.insert(space_.context()->variables()[v]);
  }
  std::vector<std::string> assumed() const { return {assumed_.begin(), assumed_.end()}; }

 private:
  struct Parts {
    GiNaC::ex outside = 1, above = 1, below = 1;
    GiNaC::numeric number = 1;
  };

  bool has_positive_value(std::size_t variable) const {
    const auto value = letters_.values.find(space_.generator(variable));
    return value != letters_.values.end() && GiNaC::is_exactly_a<GiNaC::numeric>(value->second) &&
           GiNaC::ex_to<GiNaC::numeric>(value->second).is_positive();
  }
  bool is_positive(std::size_t variable) const {
    const GiNaC::ex& letter = space_.generator(variable);
    if (letters_.values.contains(letter)) return has_positive_value(variable);
    return letters_.all && GiNaC::is_a<GiNaC::symbol>(letter);
  }

  void take(Parts& parts, const Polynomial& side, int direction) {
    const auto factors = side.factor();
    parts.number = parts.number * GiNaC::pow(numeric_value(factors.constant), GiNaC::numeric(direction));
    for (const auto& [base, multiplicity] : factors.factors) {
      const auto power = [&, value = space_.expression(base)](std::uint64_t n) {
        return GiNaC::pow(value, GiNaC::numeric(static_cast<unsigned long>(n)));
      };
      std::uint64_t inside = multiplicity;
      if (multiplicity > 1 && is_positive(base)) {
        note(base);
        inside = multiplicity % 2;
        parts.outside *= direction > 0 ? power(multiplicity / 2) : 1 / power(multiplicity / 2);
      }
      (direction > 0 ? parts.above : parts.below) *= power(inside);
    }
  }

  const PolynomialSpace& space_;
  const PositiveLetters& letters_;
  std::set<std::string> assumed_;
};

/// Of a·s² + b·s + c; √(b²/(4ac)) cancels more than b/(2√(ac)), and is the same where b is positive.
FactoredTransfer::SecondOrder second_order(const Polynomial& a, const Polynomial& b, const Polynomial& c, Roots& roots) {
  const Polynomial one = Polynomial::constant(a.context(), 1), two = Polynomial::constant(a.context(), 2);
  const Polynomial four = Polynomial::constant(a.context(), 4);
  FactoredTransfer::SecondOrder result{roots.root(c, a), 0, {}};
  if (b.is_zero()) return result;
  if (roots.is_positive(b)) {
    result.damping = roots.root(b * b, four * a * c);
    result.quality = roots.root(a * c, b * b);
    return result;
  }
  const GiNaC::ex middle = roots.root(a * c, one);
  const auto lowest = [&](const GiNaC::ex& quotient) { return has_roots(middle) ? quotient : normal_form(quotient); };
  result.damping = lowest(roots.quotient(b, two) / middle);
  result.quality = lowest(middle / roots.quotient(b, one));
  return result;
}

FactoredTransfer::Factor factor(const PolynomialSpace& space, const Polynomial& polynomial, std::uint64_t multiplicity,
                                Roots& roots) {
  FactoredTransfer::Factor result{space.expression(polynomial), polynomial, multiplicity, polynomial.degree(0), {}, {}};
  if ((result.order != 1 && result.order != 2) || transcendental(space, polynomial)) return result;
  const std::vector<Polynomial> c = polynomial.coefficients(0);
  if (result.order == 1)
    result.first = FactoredTransfer::FirstOrder{roots.quotient(c[0], c[1]), roots.quotient(c[1], c[0])};
  else
    result.second = second_order(c[0], c[1], c[2], roots);
  return result;
}

/// Takes the powers of the variable and the constant out of a polynomial's factors.
struct Split {
  exact::Rational constant;
  std::int64_t power = 0;
  std::vector<FactoredTransfer::Factor> factors;
};

Split split(const PolynomialSpace& space, const Polynomial& polynomial, Roots& roots, const Budget& budget) {
  if (polynomial.term_count() > most_terms)
    throw LimitReached("a polynomial of " + std::to_string(polynomial.term_count()) + " terms is too large to be factored",
                       Advice::ask_unfactored | "put in numbers");
  budget.check("factoring");
  const auto factors = polynomial.factor();
  Split result{factors.constant, 0, {}};
  const Polynomial variable = Polynomial::variable(space.context(), 0);
  for (const auto& [base, multiplicity] : factors.factors) {
    if (base == variable) {
      result.power += static_cast<std::int64_t>(multiplicity);
      continue;
    }
    const bool turned = base.reads_negative();
    if (turned && multiplicity % 2 == 1) result.constant = -result.constant;
    result.factors.push_back(factor(space, turned ? -base : base, multiplicity, roots));
  }
  std::stable_sort(result.factors.begin(), result.factors.end(), [](const auto& a, const auto& b) { return a.order < b.order; });
  return result;
}

/// Takes the sign of the gain into a factor above that has one of its own: G − 1 rather than −(1 − G).
void lead_positively(exact::Rational& gain, std::vector<FactoredTransfer::Factor>& factors, const PolynomialSpace& space) {
  const auto turns = [](const FactoredTransfer::Factor& factor) {
    bool negative_term = false;
    factor.polynomial.visit_terms(
        [&](const exact::Rational& coefficient, std::span<const std::uint64_t>) { negative_term |= coefficient.sign() < 0; });
    return factor.order == 0 && factor.multiplicity % 2 == 1 && negative_term;
  };
  const auto found = std::ranges::find_if(factors, turns);
  if (found == factors.end()) return;
  gain = -gain;
  found->polynomial = -found->polynomial;
  found->value = space.expression(found->polynomial);
}

/// The order of the zero at 0 and the coefficient the series begins with.
std::pair<std::int64_t, GiNaC::ex> series_at_zero(const PolynomialSpace& space, const Polynomial& polynomial) {
  const GiNaC::ex& variable = space.generator(0);
  const GiNaC::ex value = space.expression(polynomial);
  constexpr int most = 40;
  for (int order = 0; order < most; ++order) {
    const GiNaC::ex coefficient =
        (value.diff(GiNaC::ex_to<GiNaC::symbol>(variable), static_cast<unsigned>(order)) / GiNaC::factorial(order))
            .subs(variable == 0, GiNaC::subs_options::no_pattern);
    if (!vanishes(coefficient)) return {order, coefficient};
  }
  throw NoAnswer("the value at " + print(variable) + " = 0 cannot be decided");
}

void find_value_at_zero(FactoredTransfer& result, const RationalFunction& value) {
  std::int64_t power = result.power;
  GiNaC::ex above, below;
  if (transcendental(value.space(), value.numerator()) || transcendental(value.space(), value.denominator())) {
    const auto [n, over] = series_at_zero(value.space(), value.numerator());
    const auto [d, under] = series_at_zero(value.space(), value.denominator());
    power = n - d;
    above = over, below = under;
  } else if (power == 0) {
    above = value.space().expression(value.numerator().coefficients(0).back());
    below = value.space().expression(value.denominator().coefficients(0).back());
  }
  if (power < 0)
    result.pole_at_zero = -power;
  else
    result.dc_gain = power > 0 ? GiNaC::ex(0) : normal_form(above / below);
}

/// τ of the factors e^(−τs), together.
void find_dead_time(FactoredTransfer& result, const GiNaC::ex& variable) {
  GiNaC::ex delay = 0;
  const auto add = [&](const std::vector<FactoredTransfer::Factor>& side, int sign) {
    for (const FactoredTransfer::Factor& factor : side) {
      if (!GiNaC::is_the_function<GiNaC::exp_SERIAL>(factor.value)) continue;
      const GiNaC::ex exponent = factor.value.op(0).expand();
      if (exponent.degree(variable) == 1) delay -= sign * exponent.coeff(variable, 1) * factor.multiplicity;
    }
  };
  add(result.above, 1);
  add(result.below, -1);
  if (!delay.is_zero()) result.dead_time = delay;
}

}  // namespace

FactoredTransfer factored(const TransferFunction& transfer, const PositiveLetters& letters, const Budget& budget) {
  const PolynomialSpace& space = transfer.value.space();
  FactoredTransfer result;
  result.question = transfer.question;
  result.variable = space.context()->variables()[0];
  if (transfer.value.numerator().is_zero()) {
    result.dc_gain = 0;
    return result;
  }
  Roots roots(space, letters);
  Split above = split(space, transfer.value.numerator(), roots, budget);
  Split below = split(space, transfer.value.denominator(), roots, budget);
  result.gain = above.constant / below.constant;
  if (result.gain.sign() < 0) lead_positively(result.gain, above.factors, space);
  result.taken_as_positive = roots.assumed();
  result.power = above.power - below.power;
  result.above = std::move(above.factors);
  result.below = std::move(below.factors);
  find_value_at_zero(result, transfer.value);
  find_dead_time(result, space.generator(0));
  return result;
}

}  // namespace sfg
