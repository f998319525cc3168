#include "sfg/control/routh.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <stdexcept>
#include <type_traits>

#include "sfg/expr/exact_constant.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"

namespace sfg {

namespace {

using exact::ExactPolynomial;
using exact::Rational;
using exact::RationalPolynomial;
using Row = std::vector<GiNaC::ex>;

bool all_zero(const Row& row) {
  return std::all_of(row.begin(), row.end(), [](const GiNaC::ex& e) { return e.is_zero(); });
}

GiNaC::ex element(const Row& row, std::size_t i) { return i < row.size() ? row[i] : GiNaC::ex(0); }

/// In lowest terms; 0 where it vanishes by an identity of its functions.
GiNaC::ex settled_form(const GiNaC::ex& e) {
  const GiNaC::ex form = normal_form(e);
  return vanishes(form) ? GiNaC::ex(0) : form;
}

/// The next row from the two above it: (a·d − b·c) / a in the customary scheme.
Row next_row(const Row& upper, const Row& lower) {
  Row row;
  for (std::size_t i = 0; i + 1 < upper.size(); ++i)
    row.push_back(settled_form((lower[0] * upper[i + 1] - upper[0] * element(lower, i + 1)) / lower[0]));
  if (row.empty()) row.push_back(0);
  while (row.size() > 1 && row.back().is_zero()) row.pop_back();
  return row;
}

/// Derivative of the auxiliary polynomial whose coefficients are the row of s^degree.
Row auxiliary_derivative(const Row& row, std::size_t degree) {
  Row result;
  for (std::size_t i = 0; i < row.size() && 2 * i < degree; ++i)
    result.push_back(normal_form(row[i] * GiNaC::ex(static_cast<long>(degree - 2 * i))));
  return result;
}

std::string power_name(const std::string& variable, std::size_t power) {
  return power == 0 ? "1" : power == 1 ? variable : variable + "^" + std::to_string(power);
}

/// Of a constant; nothing when there is a name in it.
std::optional<int> known_sign(const GiNaC::ex& quantity) {
  const auto number = exact_number(quantity, exact::ExactField());
  if (!number) return std::nullopt;
  try {
    return number->sign();
  } catch (const exact::Undecided& why) {
    throw undecided("an element of Routh's array", quantity, why);
  }
}

/// What must be positive. Positive factors are left out.
class Conditions {
 public:
  /// Demands that `quantity` is positive, given that all demands before hold.
  void demand(const GiNaC::ex& quantity) {
    const auto [n, d] = fraction(quantity);
    if (const auto sign = known_sign(quantity)) {
      if (*sign <= 0) refuse(quantity);
      return;
    }
    std::vector<GiNaC::ex> all{n, d};
    const std::vector<std::string> own = symbol_names(quantity);
    std::vector<GiNaC::ex> comparable;  // conditions with other names divide nothing here
    for (const GiNaC::ex& known : list_)
      if (std::ranges::includes(own, symbol_names(known))) comparable.push_back(known);
    all.insert(all.end(), comparable.begin(), comparable.end());
    const PolynomialSpace space(all);
    const ring::Polynomial whole = square_free(space.rational(n * d).numerator());
    ring::Polynomial rest = whole;
    for (bool again = true; again;) {
      again = false;
      for (const GiNaC::ex& known : comparable) {
        const ring::Polynomial positive = space.rational(known).numerator();
        if (const auto quotient = exact_quotient(rest, positive); quotient && !positive.is_constant()) {
          rest = *quotient;
          again = true;
        }
      }
    }
    if (rest.is_constant()) {
      if (rest.content().sign() <= 0) refuse(signed_part(whole, space));
      return;
    }
    list_.push_back(signed_part(rest, space));
  }

  const std::vector<GiNaC::ex>& list() const { return list_; }
  bool possible() const { return possible_; }
  /// "K > 0 and 6 - K > 0", "always", "never".
  std::string sentence() const {
    if (!possible_) return "never";
    std::string text;
    for (const GiNaC::ex& condition : list_) text += (text.empty() ? "" : " and ") + print(condition) + " > 0";
    return text.empty() ? "always" : text;
  }

 private:
  /// Listed like the others, so that whoever tests the list comes to the same verdict.
  void refuse(const GiNaC::ex& never_positive) {
    list_.push_back(never_positive);
    possible_ = false;
  }
  static GiNaC::ex signed_part(const ring::Polynomial& p, const PolynomialSpace& space) {
    const bool negative = p.content().sign() < 0;
    return space.expression(negative ? -p.primitive() : p.primitive());
  }
  /// The product of the factors of odd multiplicity, with the sign: same sign wherever it is not zero.
  static ring::Polynomial square_free(const ring::Polynomial& p) {
    const auto factors = p.factor();
    ring::Polynomial result = ring::Polynomial::constant(p.context(), factors.constant.sign() < 0 ? -1 : 1);
    for (const auto& [factor, multiplicity] : factors.factors)
      if (multiplicity % 2 == 1) result *= factor;
    return result;
  }

  std::vector<GiNaC::ex> list_;
  bool possible_ = true;
};

/// That the first column has the sign of `factor` throughout.
Conditions column_with_sign(const RouthArray& array, const GiNaC::ex& factor) {
  Conditions conditions;
  for (const Row& row : array.rows) conditions.demand(normal_form(factor * row.front()));
  return conditions;
}

/// The conditions of stability. All elements of the first column have one sign; where that of the first one is not known, there
/// are two alternatives, and both are met where the products with the first one are positive.
/// @param leading  the sign that the first one must have
void judge(RouthArray& array, std::optional<int> leading) {
  if (array.never_stable) {
    array.conditions = {0};
    array.stable_if = "never";
    return;
  }
  const Conditions conditions = column_with_sign(array, leading ? GiNaC::ex(*leading) : array.rows.front().front());
  array.conditions = conditions.list();
  array.never_stable = !conditions.possible();
  array.stable_if = conditions.sentence();
  if (leading || array.conditions.empty() || array.never_stable) return;
  const Conditions plus = column_with_sign(array, 1), minus = column_with_sign(array, -1);
  array.never_stable = !plus.possible() && !minus.possible();
  array.stable_if = !minus.possible()  ? plus.sentence()
                    : !plus.possible() ? minus.sentence()
                                       : "(" + plus.sentence() + ") or (" + minus.sentence() + ")";
}

std::optional<RationalPolynomial> number_polynomial(std::span<const GiNaC::ex> coefficients) {
  std::vector<exact::ExactNumber> result;
  const exact::ExactField field;
  for (const GiNaC::ex& c : coefficients) {
    auto value = exact_number(c, field);
    if (!value) return {};
    result.push_back(std::move(*value));
  }
  return rounded(exact::ExactPolynomial(std::move(result)), exact::Boundary::imaginary_axis);
}

/// The rows, the special cases and the exact counts; the conditions remain to be judged.
RouthArray array_of(std::span<const GiNaC::ex> given, const std::string& variable) {
  Row coefficients(given.begin(), given.end());
  for (GiNaC::ex& coefficient : coefficients)
    if (vanishes(coefficient)) coefficient = 0;
  const auto first = std::ranges::find_if(coefficients, [](const GiNaC::ex& e) { return !e.is_zero(); });
  if (!given.empty() && !given.front().is_zero()) coefficients.erase(coefficients.begin(), first);
  if (coefficients.empty() || coefficients.front().is_zero())
    throw std::invalid_argument("routh: the leading coefficient is zero");
  RouthArray array;
  array.variable = variable;
  array.polynomial.assign(coefficients.begin(), coefficients.end());
  const std::size_t n = coefficients.size() - 1;
  const GiNaC::ex epsilon = GiNaC::symbol("ε");
  array.rows.resize(std::min<std::size_t>(2, n + 1));
  for (std::size_t i = 0; i <= n; ++i) array.rows[std::min<std::size_t>(i % 2, n)].push_back(coefficients[i]);
  for (std::size_t k = 1; k <= n; ++k) {
    if (k > 1) array.rows.push_back(next_row(array.rows[k - 2], array.rows[k - 1]));
    Row& row = array.rows[k];
    const std::string name = power_name(variable, n - k);
    if (all_zero(row)) {
      row = auxiliary_derivative(array.rows[k - 1], n - k + 1);
      array.notes.push_back("row " + name +
                            " vanishes: it is replaced by the derivative of the auxiliary polynomial of the row above; roots lie "
                            "symmetric about the origin");
      array.never_stable = true;
    } else if (row.front().is_zero()) {
      row.front() = epsilon;
      array.notes.push_back("the first element of row " + name + " vanishes: it is replaced by a small positive ε");
      array.never_stable = true;
    }
  }
  if (const auto polynomial = number_polynomial(coefficients)) array.counts = polynomial->root_counts();
  return array;
}

}  // namespace

RouthArray routh(std::span<const GiNaC::ex> coefficients, const std::string& variable) {
  RouthArray array = array_of(coefficients, variable);
  judge(array, known_sign(coefficients.front()));
  return array;
}

namespace {

/// [i][k]: coefficient of w^i in (1 + w)^k (1 − w)^(n − k).
std::vector<std::vector<long>> bilinear_weights(std::size_t n) {
  std::vector<std::vector<long>> weights(n + 1, std::vector<long>(n + 1));
  for (std::size_t k = 0; k <= n; ++k) {
    std::vector<long> p{1};
    for (std::size_t j = 0; j < n; ++j) {
      p.push_back(0);
      for (std::size_t i = p.size() - 1; i > 0; --i) p[i] += (j < k ? 1 : -1) * p[i - 1];
    }
    for (std::size_t i = 0; i <= n; ++i) weights[i][k] = p[i];
  }
  return weights;
}

template <class Coefficient, class Number>
std::vector<Coefficient> image(std::span<const Coefficient> coefficients, Number number) {
  constexpr std::size_t highest_order = 60;  // binomial coefficients fit a long
  if (coefficients.empty()) return {};
  const std::size_t n = coefficients.size() - 1;
  if (n > highest_order) throw LimitReached("the bilinear map is limited to order 60", "ask for the poles");
  const auto weights = bilinear_weights(n);
  std::vector<Coefficient> result(n + 1);
  for (std::size_t i = 0; i <= n; ++i)
    for (std::size_t k = 0; k <= n; ++k) result[n - i] = result[n - i] + coefficients[n - k] * number(weights[i][k]);
  return result;
}

}  // namespace

std::vector<GiNaC::ex> bilinear_image(std::span<const GiNaC::ex> coefficients) {
  std::vector<GiNaC::ex> result = image(coefficients, [](long weight) { return GiNaC::ex(weight); });
  for (GiNaC::ex& c : result) c = normal_form(c);
  return result;
}

std::vector<RationalPolynomial> bilinear_image(std::span<const RationalPolynomial> coefficients) {
  return image(coefficients, [](long weight) { return RationalPolynomial::constant(weight); });
}

std::vector<ExactPolynomial> bilinear_image(std::span<const ExactPolynomial> coefficients) {
  return image(coefficients, [](long weight) { return ExactPolynomial({exact::ExactNumber(weight)}); });
}

CircleCounts circle_counts(const RationalPolynomial& p) {
  std::vector<RationalPolynomial> coefficients;
  for (const Rational& c : p.coefficients()) coefficients.push_back(RationalPolynomial::constant(c));
  std::vector<Rational> numbers;
  for (const RationalPolynomial& c : bilinear_image(coefficients)) numbers.push_back(c.coefficient(0));
  const RationalPolynomial mapped(numbers);
  const auto counts = mapped.root_counts();
  return {counts.right, counts.axis + static_cast<std::size_t>(p.degree() - mapped.degree()), counts.left};
}

RouthArray routh_discrete(std::span<const GiNaC::ex> coefficients) {
  std::vector<GiNaC::ex> mapped = bilinear_image(coefficients);
  std::size_t at_minus_one = 0;
  while (mapped.size() > 1 && mapped.front().is_zero()) {
    mapped.erase(mapped.begin());
    ++at_minus_one;
  }
  RouthArray array = array_of(mapped, "w");
  array.boundary = exact::Boundary::unit_circle;
  array.notes.insert(array.notes.begin(),
                     "of the image under z = (1 + w)/(1 - w), which takes the inside of the unit circle to the left half plane");
  if (at_minus_one > 0) {
    array.notes.push_back("z = -1 is a root: it lies on the unit circle");
    if (array.counts) array.counts->axis += at_minus_one;
    array.never_stable = true;
  }
  // (−1)^n P(−1), the leading coefficient of the image, has the sign of that of P for a stable P: so has the whole column.
  judge(array, known_sign(coefficients.front()));
  return array;
}

namespace {

std::vector<GiNaC::ex> coefficients_of(const ring::Polynomial& polynomial, const PolynomialSpace& space) {
  std::vector<GiNaC::ex> result;
  for (const ring::Polynomial& c : polynomial.coefficients(0)) result.push_back(space.expression(c));
  return result;
}

RouthArray routh_in(std::span<const GiNaC::ex> coefficients, const Operator& op) {
  return op.discrete() ? routh_discrete(coefficients) : routh(coefficients, op.symbol());
}

/// A product is stable when each of its factors is: their conditions together say more, and more simply, than those of the whole.
void judge_by_factors(RouthArray& whole, std::span<const RouthArray> factors) {
  whole.conditions.clear();
  whole.never_stable = false;
  std::vector<std::string> sentences;
  for (const RouthArray& factor : factors) {
    whole.never_stable = whole.never_stable || factor.never_stable;
    for (const GiNaC::ex& condition : factor.conditions) {
      const auto same = [&](const GiNaC::ex& known) { return known.is_equal(condition); };
      if (std::none_of(whole.conditions.begin(), whole.conditions.end(), same)) whole.conditions.push_back(condition);
    }
    if (factor.stable_if != "always") sentences.push_back(factor.stable_if);
  }
  whole.stable_if = whole.never_stable ? "never" : sentences.empty() ? "always" : "";
  for (const std::string& sentence : sentences) {
    if (whole.never_stable) break;
    const bool enclosed = sentences.size() > 1 && sentence.find(" or ") != std::string::npos;
    whole.stable_if += (whole.stable_if.empty() ? "" : " and ") + (enclosed ? "(" + sentence + ")" : sentence);
  }
}

/// Where factors come from that the loops alone do not explain: elements outside of them, and what cancels inside.
std::vector<std::string> origins(const CharacteristicPolynomial& characteristic) {
  std::vector<std::string> notes;
  for (const auto& element : characteristic.outside)
    notes.push_back("the factor " + print(element.factor) + " comes from outside of the loops: '" + element.from + "' -> '" +
                    element.to + "'");
  if (const ring::Polynomial cancelled = characteristic.cancelled(); cancelled.depends_on(0))
    notes.push_back("the factor " + print(cancelled) +
                    " cancels between poles and zeros of the loops: its roots are modes of the graph and are counted");
  return notes;
}

}  // namespace

RouthArray routh(const CharacteristicPolynomial& characteristic, const Operator& op) {
  const PolynomialSpace& space = characteristic.space;
  RouthArray array = routh_in(coefficients_of(characteristic.whole(), space), op);
  const ring::Polynomial cancelled = characteristic.cancelled();
  std::vector<ring::Polynomial> parts{*exact_quotient(characteristic.polynomial, cancelled), cancelled};
  for (const auto& element : characteristic.outside) parts.push_back(element.factor);
  std::vector<RouthArray> factors;
  for (const ring::Polynomial& part : parts)
    if (part.depends_on(0)) factors.push_back(routh_in(coefficients_of(part, space), op));
  if (parts.size() > 2 || !cancelled.is_constant()) judge_by_factors(array, factors);
  for (std::string& note : origins(characteristic)) array.notes.push_back(std::move(note));
  return array;
}

namespace {

template <class P>
P one() {
  return P(std::vector{typename std::conditional_t<std::is_same_v<P, ExactPolynomial>, exact::ExactNumber, Rational>(1)});
}

/// Determinant of a matrix of polynomials, fraction-free (Bareiss 1968).
template <class P>
P determinant(std::vector<std::vector<P>> m) {
  P previous = one<P>();
  bool negative = false;
  for (std::size_t k = 0; k < m.size(); ++k) {
    std::size_t pivot = k;
    while (pivot < m.size() && m[pivot][k].is_zero()) ++pivot;
    if (pivot == m.size()) return {};
    if (pivot != k) {
      std::swap(m[pivot], m[k]);
      negative = !negative;
    }
    for (std::size_t i = k + 1; i < m.size(); ++i)
      for (std::size_t j = k + 1; j < m.size(); ++j) m[i][j] = divided(m[k][k] * m[i][j] - m[i][k] * m[k][j], previous).first;
    previous = m[k][k];
  }
  return negative ? P() - previous : previous;
}

/// Hurwitz' matrix of order n − 1: entry (i, j) is the coefficient a_(n−2j+i), 1-based.
template <class P>
P hurwitz_determinant(std::span<const P> coefficients) {
  const std::size_t n = coefficients.size() - 1;
  if (n < 2) return one<P>();
  std::vector<std::vector<P>> m(n - 1, std::vector<P>(n - 1));
  for (std::size_t i = 1; i < n; ++i)
    for (std::size_t j = 1; j < n; ++j) {
      const long index = 2 * static_cast<long>(j) - static_cast<long>(i);  // coefficient of s^(n − index)
      if (index >= 0 && index <= static_cast<long>(n)) m[i - 1][j - 1] = coefficients[static_cast<std::size_t>(index)];
    }
  return determinant(std::move(m));
}

bool stable_at(std::span<const RationalPolynomial> coefficients, const Rational& k) {
  std::vector<Rational> values;
  for (const RationalPolynomial& c : coefficients) values.push_back(c.at(k));
  if (values.front().sign() == 0) return false;
  const auto counts = RationalPolynomial(values).root_counts();
  return counts.right == 0 && counts.axis == 0;
}

bool stable_at(std::span<const ExactPolynomial> coefficients, const Rational& k) {
  std::vector<exact::ExactNumber> values;
  for (const ExactPolynomial& c : coefficients) values.push_back(c.at(exact::ExactNumber(k)));
  if (values.front().is_zero()) return false;
  const auto counts = rounded(ExactPolynomial(std::move(values)), exact::Boundary::imaginary_axis).root_counts();
  return counts.right == 0 && counts.axis == 0;
}

template <class P>
P boundary_polynomial(std::span<const P> coefficients) {
  if (coefficients.empty() || coefficients.front().is_zero())
    throw std::invalid_argument("stable_ranges: the leading coefficient is zero");
  return coefficients.front() * coefficients.back() * hurwitz_determinant(coefficients);
}

/// `boundary`: boundary_polynomial of the coefficients, with its roots where they are.
template <class P>
std::vector<OpenRange> stable_between_roots(const RationalPolynomial& boundary, std::span<const P> coefficients) {
  std::vector<OpenRange> ranges;
  if (boundary.is_zero()) return ranges;  // a root on the axis, or a symmetric pair, for every value
  const std::vector<exact::RealRoot> ends = real_roots(boundary);
  for (std::size_t i = 0; i <= ends.size(); ++i) {
    const exact::RealRoot* low = i == 0 ? nullptr : &ends[i - 1];
    const exact::RealRoot* high = i == ends.size() ? nullptr : &ends[i];
    if (!stable_at(coefficients, exact::rational_between(low, high))) continue;
    ranges.push_back({low ? std::optional(*low) : std::nullopt, high ? std::optional(*high) : std::nullopt});
  }
  return ranges;
}

}  // namespace

std::vector<exact::RealRoot> boundary_values(std::span<const RationalPolynomial> coefficients) {
  return real_roots(boundary_polynomial(coefficients));
}

std::vector<OpenRange> stable_ranges(std::span<const RationalPolynomial> coefficients) {
  return stable_between_roots(boundary_polynomial(coefficients), coefficients);
}

std::vector<OpenRange> stable_ranges(std::span<const ExactPolynomial> coefficients) {
  std::vector<RationalPolynomial> rational;
  for (const ExactPolynomial& c : coefficients)
    if (auto over_rationals = c.rational()) rational.push_back(std::move(*over_rationals));
  if (rational.size() == coefficients.size()) return stable_ranges(rational);
  return stable_between_roots(rounded(boundary_polynomial(coefficients), exact::Boundary::imaginary_axis), coefficients);
}

std::array<std::vector<Rational>, 4> kharitonov(std::span<const Rational> low, std::span<const Rational> high) {
  if (low.size() != high.size() || low.empty())
    throw std::invalid_argument("kharitonov: two lists of the same length are wanted");
  static constexpr bool upper[4][4] = {
      {false, false, true, true}, {true, true, false, false}, {false, true, true, false}, {true, false, false, true}};
  std::array<std::vector<Rational>, 4> result;
  const std::size_t n = low.size() - 1;
  for (std::size_t k = 0; k < 4; ++k)
    for (std::size_t i = 0; i <= n; ++i) result[k].push_back((upper[k][(n - i) % 4] ? high : low)[i]);
  return result;
}

}  // namespace sfg
