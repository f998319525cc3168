#include "sfg/transfer/factored.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <set>
#include <span>

#include "sfg/error.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/exact_value.hpp"
#include "sfg/expr/kernel.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/expr/root_terms.hpp"
#include "sfg/model/operator.hpp"

namespace sfg {

namespace {

using ring::Polynomial;

constexpr std::uint64_t most_terms = 20'000;  ///< beyond, factoring takes minutes

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
    const GiNaC::ex size = constant(abs(number));
    const GiNaC::ex inside = (number.is_negative() ? -1 : 1) * parts.above;
    if (inside.is_equal(1)) return size * parts.outside / GiNaC::pow(parts.below, half);
    return size * parts.outside * GiNaC::pow(inside / parts.below, half);
  }

  GiNaC::ex quotient(const Polynomial& above, const Polynomial& below) const {
    return RationalFunction(space_, above, below).reduced().expression();
  }

  bool is_positive(const Polynomial& polynomial) const { return letters_.makes_positive(polynomial, space_); }

  /// −1, 0 or 1 by the stated values; nothing where they do not tell.
  std::optional<int> sign(const Polynomial& polynomial) const {
    if (is_positive(polynomial)) return polynomial.is_zero() ? 0 : 1;
    const GiNaC::ex value = space_.expression(polynomial).subs(letters_.values, GiNaC::subs_options::no_pattern);
    if (vanishes(value)) return 0;
    if (const auto number = rational_value(value)) return number->sign();
    return is_positive(-polynomial) ? std::optional(-1) : std::nullopt;
  }
  /// Every letter taken as positive, as one reads them where nothing is said: k/m needs no word, K − 1 does.
  bool reads_positive(const Polynomial& polynomial) const {
    return PositiveLetters{.all = true}.makes_positive(polynomial, space_);
  }
  GiNaC::ex expression(const Polynomial& polynomial) const { return space_.expression(polynomial); }

  /// To be called where positivity made a difference.
  void note(const Polynomial& polynomial) {
    for (std::size_t v = 0; v < space_.size(); ++v)
      if (polynomial.depends_on(v) && !letters_.has_value(space_.generator(v))) assumed_.insert(space_.context()->variables()[v]);
  }
  std::vector<std::string> assumed() const { return {assumed_.begin(), assumed_.end()}; }

 private:
  /// √24/5 is 2·√6/5.
  static GiNaC::ex constant(const GiNaC::numeric& square) {
    const GiNaC::ex half = GiNaC::numeric(1, 2);
    const GiNaC::ex root = GiNaC::pow(GiNaC::ex(square.numer() * square.denom()), half);
    const auto shortest = constant_root(root);
    return (shortest ? shortest->factor * GiNaC::pow(GiNaC::ex(shortest->radicand), half) : root) / square.denom();
  }

  struct Parts {
    GiNaC::ex outside = 1, above = 1, below = 1;
    GiNaC::numeric number = 1;
  };

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

/// Of a·s² + b·s + c. Where a root is left √(b²/(4ac)) cancels more than b/(2√(ac)), and is the same for a positive b.
FactoredTransfer::SecondOrder second_order(const Polynomial& a, const Polynomial& b, const Polynomial& c, Roots& roots) {
  const auto number = [&](int n) { return Polynomial::constant(a.context(), n); };
  FactoredTransfer::SecondOrder result{roots.root(c, a), 0, {}, {}};
  if (b.is_zero()) return result;
  const GiNaC::ex middle = roots.root(a * c, number(1));
  if (!has_roots(middle)) {
    result.damping = normal_form(roots.quotient(b, number(2)) / middle);
    result.quality = normal_form(middle / roots.quotient(b, number(1)));
  } else if (roots.is_positive(b)) {
    result.damping = roots.root(b * b, number(4) * a * c);
    result.quality = roots.root(a * c, b * b);
  } else {
    result.damping = roots.quotient(b, number(2)) / middle;
    result.quality = middle / roots.quotient(b, number(1));
  }
  return result;
}

/// Of a·s + b.
FactoredTransfer::FirstOrder first_order(const Polynomial& a, const Polynomial& b, const Roots& roots) {
  const auto side = roots.sign(a * b);
  return {roots.quotient(a, b), roots.quotient(side && *side < 0 ? -b : b, a)};
}

/// What a factor says of the time domain: of a pair of roots where it is one, else of the roots.
void add_meaning(FactoredTransfer::Factor& factor, bool discrete, Roots& roots) {
  std::vector<Polynomial> c = factor.polynomial.coefficients(0);
  if (roots.sign(c[0]) == -1)
    for (Polynomial& coefficient : c) coefficient = -coefficient;
  if (factor.order == 1) {
    if (discrete)
      factor.roots = {roots.quotient(-c[1], c[0])};
    else
      factor.first = first_order(c[0], c[1], roots);
    return;
  }
  const auto number = [&](int n) { return Polynomial::constant(c[0].context(), n); };
  const Polynomial product = c[0] * c[2], discriminant = c[1] * c[1] - number(4) * product;
  const Polynomial condition = discrete ? -discriminant : product;
  const std::optional<int> sign = roots.sign(condition);
  if (sign && *sign <= 0) {
    const GiNaC::ex middle = roots.quotient(-c[1], number(2) * c[0]);
    const GiNaC::ex distance = roots.root(discriminant, number(4) * c[0] * c[0]);
    factor.roots = {middle + distance, middle - distance};
    return;
  }
  FactoredTransfer::SecondOrder second = second_order(c[0], c[1], c[2], roots);
  if (!sign && !roots.reads_positive(condition)) second.positive = roots.expression(condition);
  if (discrete)
    factor.pair = FactoredTransfer::Pair{second.frequency, GiNaC::acos(-second.damping), second.positive};
  else
    factor.second = std::move(second);
}

/// Takes the powers of the variable and the constant out of a polynomial's factors.
struct Split {
  exact::Rational constant;
  std::int64_t power = 0;
  std::vector<FactoredTransfer::Factor> factors;
};

Split split(const PolynomialSpace& space, const Polynomial& polynomial, bool discrete, Roots& roots, const Budget& budget) {
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
    const Polynomial& value = turned ? -base : base;
    result.factors.push_back({space.expression(value), value, multiplicity, value.degree(0), {}, {}, {}});
    FactoredTransfer::Factor& factor = result.factors.back();
    if ((factor.order == 1 || factor.order == 2) && !transcendental(space, value)) add_meaning(factor, discrete, roots);
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

/// The order of the zero at a point and the coefficient the series begins with.
std::pair<std::int64_t, GiNaC::ex> series_at(int point, const PolynomialSpace& space, const Polynomial& polynomial) {
  const GiNaC::ex& variable = space.generator(0);
  const GiNaC::ex value = space.expression(polynomial);
  constexpr int most = 40;
  for (int order = 0; order < most; ++order) {
    const GiNaC::ex coefficient =
        (value.diff(GiNaC::ex_to<GiNaC::symbol>(variable), static_cast<unsigned>(order)) / GiNaC::factorial(order))
            .subs(variable == point, GiNaC::subs_options::no_pattern);
    if (!vanishes(coefficient)) return {order, coefficient};
  }
  throw NoAnswer("the value at " + print(variable) + " = " + std::to_string(point) + " cannot be decided");
}

/// Coefficients of the variable's powers, at 0 or at 1.
GiNaC::ex factor_value(int point, const PolynomialSpace& space, const Polynomial& polynomial) {
  const std::vector<Polynomial> coefficients = polynomial.coefficients(0);
  Polynomial value = coefficients.back();
  if (point == 1)
    for (std::size_t i = 0; i + 1 < coefficients.size(); ++i) value += coefficients[i];
  return space.expression(value);
}

/// How often a constant signal's z is a root.
std::int64_t multiplicity_of_one(const std::vector<FactoredTransfer::Factor>& factors) {
  for (const FactoredTransfer::Factor& factor : factors)
    if (factor.order == 1 && factor.roots.size() == 1 && factor.roots.front().is_equal(1))
      return static_cast<std::int64_t>(factor.multiplicity);
  return 0;
}

void find_value_at_rest(FactoredTransfer& result, const RationalFunction& value) {
  const PolynomialSpace& space = value.space();
  std::int64_t power = result.at_rest == 0 ? result.power : multiplicity_of_one(result.above) - multiplicity_of_one(result.below);
  GiNaC::ex above, below;
  if (transcendental(space, value.numerator()) || transcendental(space, value.denominator())) {
    const auto [n, over] = series_at(result.at_rest, space, value.numerator());
    const auto [d, under] = series_at(result.at_rest, space, value.denominator());
    power = n - d;
    above = over, below = under;
  } else if (power == 0) {
    above = factor_value(result.at_rest, space, value.numerator());
    below = factor_value(result.at_rest, space, value.denominator());
  }
  if (power < 0)
    result.pole_at_rest = -power;
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

bool transcendental(const PolynomialSpace& space, const ring::Polynomial& polynomial) {
  for (std::size_t i = 1; i < space.size(); ++i)
    if (polynomial.depends_on(i) && space.generator(i).has(space.generator(0))) return true;
  return false;
}

FactoredTransfer factored(const TransferFunction& transfer, const PositiveLetters& letters, const Budget& budget) {
  const PolynomialSpace& space = transfer.value.space();
  FactoredTransfer result;
  result.question = transfer.question;
  result.variable = space.context()->variables()[0];
  const bool discrete = Operator(result.variable).discrete();
  result.at_rest = discrete ? 1 : 0;
  if (transfer.value.numerator().is_zero()) {
    result.dc_gain = 0;
    return result;
  }
  Roots roots(space, letters);
  Split above = split(space, transfer.value.numerator(), discrete, roots, budget);
  Split below = split(space, transfer.value.denominator(), discrete, roots, budget);
  result.gain = above.constant / below.constant;
  if (result.gain.sign() < 0) lead_positively(result.gain, above.factors, space);
  result.taken_as_positive = roots.assumed();
  result.power = above.power - below.power;
  result.above = std::move(above.factors);
  result.below = std::move(below.factors);
  find_value_at_rest(result, transfer.value);
  find_dead_time(result, space.generator(0));
  return result;
}

}  // namespace sfg
