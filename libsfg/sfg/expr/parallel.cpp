#include "sfg/expr/parallel.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "sfg/expr/name.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/print_math.hpp"
#include "sfg/ring/modular.hpp"

namespace sfg {

namespace {

using exact::Rational;
using ring::Polynomial;

constexpr std::size_t longest_fraction = 400, most_factors = 12;

/// A product of powers of irreducible polynomials.
struct Product {
  Rational constant = 1;
  std::vector<std::pair<Polynomial, std::int64_t>> factors;  ///< negative powers stand below
};

Product factored(const RationalFunction& value) {
  const auto above = value.numerator().factor(), below = value.denominator().factor();
  Product result{above.constant / below.constant, {}};
  for (const auto& [factor, power] : above.factors) result.factors.emplace_back(factor, static_cast<std::int64_t>(power));
  for (const auto& [factor, power] : below.factors) result.factors.emplace_back(factor, -static_cast<std::int64_t>(power));
  std::ranges::stable_sort(result.factors, [](const auto& a, const auto& b) {  // in the order of names, sums behind
    const auto letter = [](const Polynomial& p) { return p.term_count() == 1 ? print(p) : std::string(); };
    const std::string first = letter(a.first), second = letter(b.first);
    return !first.empty() && (second.empty() || name_less(first, second));
  });
  return result;
}

/// Sets of letters of which no function of one depends on another: f falls apart where ∂²f/∂x∂y = 0 between them. Looked at with
/// random residues, so that nothing is expanded; what is found is verified by whoever adds the parts up.
class Letters {
 public:
  Letters(const Polynomial& above, const Polynomial& below)
      : above_(above), below_(below), set_(above.context()->variables().size()) {
    for (std::size_t v = 0; v < set_.size(); ++v)
      if (above.depends_on(v) || below.depends_on(v)) used_.push_back(v);
    std::iota(set_.begin(), set_.end(), 0);
    for (std::size_t i = 0; i < used_.size(); ++i)
      for (std::size_t k = 0; k < i; ++k)
        if (root(used_[i]) != root(used_[k]) && tied(used_[i], used_[k])) set_[root(used_[i])] = root(used_[k]);
  }

  std::vector<std::vector<std::size_t>> sets() {
    std::vector<std::vector<std::size_t>> result;
    for (const std::size_t head : used_) {
      if (root(head) != head) continue;
      result.emplace_back();
      for (const std::size_t v : used_)
        if (root(v) == head) result.back().push_back(v);
    }
    return result;
  }

 private:
  std::size_t root(std::size_t v) const {
    while (set_[v] != v) v = set_[v];
    return v;
  }

  /// At random residues, those of x and y of a first or of a second choice.
  std::uint64_t value(std::size_t x, bool other_x, std::size_t y, bool other_y) const {
    std::vector<std::uint64_t> residues;
    for (std::size_t v = 0; v < set_.size(); ++v)
      residues.push_back(point_.hashed(std::to_string(v) + ((v == x && other_x) || (v == y && other_y) ? "'" : "")));
    return ring_.divide(above_.modulo(ring_.prime(), residues), below_.modulo(ring_.prime(), residues));
  }

  bool tied(std::size_t x, std::size_t y) const {
    return ring_.add(value(x, false, y, false), value(x, true, y, true)) !=
           ring_.add(value(x, false, y, true), value(x, true, y, false));
  }

  ring::ModularRing ring_;
  ModularPoint point_{ring_.prime(), 1};
  const Polynomial &above_, &below_;
  std::vector<std::size_t> set_, used_;
};

bool all_positive(const Polynomial& polynomial) {
  bool result = true;
  polynomial.visit_terms([&](const Rational& coefficient, std::span<const std::uint64_t>) { result &= coefficient.sign() > 0; });
  return result;
}

/// Fractions of one letter set each that add up to a fraction, without a number beside them; nothing where it does not fall apart
/// so.
class Apart {
 public:
  explicit Apart(const RationalFunction& value) : value_(value) {}

  std::vector<RationalFunction> parts() const {
    const auto sets = Letters(value_.numerator(), value_.denominator()).sets();
    if (sets.size() < 2) return {};
    std::vector<RationalFunction> result;
    RationalFunction rest = value_;
    for (const std::vector<std::size_t>& set : sets) {
      const std::optional<RationalFunction> one = part(set);
      if (!one || !all_positive(one->numerator()) || !all_positive(one->denominator())) return {};
      rest = RationalFunction(value_.space(), rest.numerator() * one->denominator() - one->numerator() * rest.denominator(),
                              rest.denominator() * one->denominator())
                 .reduced();
      result.push_back(*one);
    }
    return rest.numerator().is_zero() ? result : std::vector<RationalFunction>{};
  }

 private:
  /// The letters outside of the set at 1, less the number that this leaves: the one with which fewest terms remain.
  std::optional<RationalFunction> part(const std::vector<std::size_t>& set) const {
    Polynomial above = value_.numerator(), below = value_.denominator();
    const Polynomial one = Polynomial::constant(above.context(), 1);
    for (std::size_t v = 0; v < above.context()->variables().size(); ++v) {
      if (std::ranges::find(set, v) != set.end()) continue;
      if (above.depends_on(v)) above = above.substituted(v, one);
      if (below.depends_on(v)) below = below.substituted(v, one);
    }
    if (below.is_zero()) return std::nullopt;
    const RationalFunction reduced = RationalFunction(value_.space(), std::move(above), std::move(below)).reduced();
    std::optional<RationalFunction> best;
    const auto consider = [&](const Rational& number) {
      RationalFunction less(value_.space(),
                            reduced.numerator() - Polynomial::constant(one.context(), number) * reduced.denominator(),
                            reduced.denominator());
      less = less.reduced();
      if (!best || less.numerator().term_count() < best->numerator().term_count()) best = std::move(less);
    };
    consider(0);
    const auto terms = reduced.numerator().terms();
    for (const auto& below_term : reduced.denominator().terms())
      for (const auto& term : terms)
        if (term.powers == below_term.powers) consider(term.coefficient / below_term.coefficient);
    return best;
  }

  const RationalFunction& value_;
};

/// Writes one fraction.
class Writer {
  using Found = std::vector<std::pair<Math, std::int64_t>>;  ///< what has been found, with its power

 public:
  explicit Writer(const PolynomialSpace& space) : space_(space) {}

  Math written(const RationalFunction& value) {
    Product product = factored(value);
    Found found;
    if (product.factors.size() <= most_factors) {
      for (std::size_t f = 0; f < product.factors.size();) f = take(product, f, found) ? 0 : f + 1;
    }
    return fraction(product, found);
  }

  bool any() const { return any_; }

 private:
  static Polynomial one(const Polynomial& like) { return Polynomial::constant(like.context(), 1); }

  /// Products of single factors from one side, those of most factors first.
  template <class Try>
  bool some_subset(const std::vector<std::size_t>& candidates, Try attempt) {
    std::vector<unsigned> subsets((std::size_t{1} << candidates.size()) - 1);
    std::iota(subsets.begin(), subsets.end(), 1U);
    std::ranges::stable_sort(subsets, [](unsigned a, unsigned b) { return std::popcount(a) > std::popcount(b); });
    return std::ranges::any_of(subsets, [&](unsigned subset) {
      std::vector<std::size_t> chosen;
      for (std::size_t i = 0; i < candidates.size(); ++i)
        if (subset >> i & 1U) chosen.push_back(candidates[i]);
      return attempt(chosen);
    });
  }

  static Polynomial multiplied(const Product& product, const std::vector<std::size_t>& chosen) {
    Polynomial result = one(product.factors.front().first);
    for (const std::size_t i : chosen) result *= product.factors[i].first;
    return result;
  }

  /// Factors on the other side of one, with letters in common.
  static std::vector<std::size_t> opposite(const Product& product, std::size_t f, bool sums) {
    std::vector<std::size_t> result;
    const auto& [factor, power] = product.factors[f];
    for (std::size_t i = 0; i < product.factors.size(); ++i) {
      const auto& [other, other_power] = product.factors[i];
      if ((power < 0) == (other_power < 0) || other_power == 0 || (sums && other.term_count() < 2)) continue;
      bool common = false;
      for (std::size_t v = 0; v < space_size(factor); ++v) common |= factor.depends_on(v) && other.depends_on(v);
      if (common) result.push_back(i);
    }
    constexpr std::size_t most = 8;
    if (result.size() > most) result.resize(most);
    return result;
  }
  static std::size_t space_size(const Polynomial& polynomial) { return polynomial.context()->variables().size(); }

  /// A factor below is rather a parallel combination than a sum, one above rather a sum.
  bool take(Product& product, std::size_t f, Found& found) {
    const auto& [factor, power] = product.factors[f];
    if (power == 0 || factor.term_count() < 2 || !all_positive(factor)) return false;
    const bool done = power < 0 ? take_parallel(product, f, found) || take_sum(product, f, found)
                                : take_sum(product, f, found) || take_parallel(product, f, found);
    any_ |= done;
    return done;
  }

  /// Moves F and P to what was found.
  static void replace(Product& product, std::size_t f, const std::vector<std::size_t>& chosen, std::int64_t side) {
    for (const std::size_t i : chosen) product.factors[i].second += side;
    product.factors[f].second -= side;
  }

  std::vector<RationalFunction> apart(const Product& product, std::size_t f, const std::vector<std::size_t>& chosen) const {
    return Apart(RationalFunction(space_, product.factors[f].first, multiplied(product, chosen)).reduced()).parts();
  }

  /// P/F as x₁ ∥ x₂ ∥ …
  bool take_parallel(Product& product, std::size_t f, Found& found) {
    const std::int64_t side = product.factors[f].second < 0 ? -1 : 1;
    return some_subset(opposite(product, f, false), [&](const std::vector<std::size_t>& chosen) {
      const std::vector<RationalFunction> parts = apart(product, f, chosen);
      const auto reciprocal = [](const RationalFunction& part) { return !part.denominator().is_constant(); };
      const auto whole = [](const RationalFunction& part) { return part.numerator().is_constant(); };
      if (parts.size() < 2 || std::ranges::count_if(parts, reciprocal) < 2) return false;
      if (side > 0 && !std::ranges::all_of(parts, whole)) return false;  // 1/(R1 ∥ R2), but G/C + 1/(R·C) as it is
      found.emplace_back(combination(parts), -side);
      replace(product, f, chosen, side);
      return true;
    });
  }

  Math combination(const std::vector<RationalFunction>& reciprocals) {
    std::vector<Math> parts;
    for (const RationalFunction& part : reciprocals)
      parts.push_back(written(RationalFunction(space_, part.denominator(), part.numerator()).reduced()));
    std::ranges::stable_sort(parts, [](const Math& a, const Math& b) { return is_simple(a) > is_simple(b); });
    Math result = std::move(parts.front());
    for (std::size_t i = 1; i < parts.size(); ++i) result = Math::relation(std::move(result), parallel_sign, std::move(parts[i]));
    return result;
  }
  /// 1/x: a sum of two such is a parallel combination itself.
  static bool is_reciprocal(const Math& m) { return m.kind == Math::Kind::quotient && m.parts[0] == Math::number("1"); }
  static bool is_simple(const Math& m) { return m.kind == Math::Kind::name; }

  /// F/P as a sum of which a part is a parallel combination.
  bool take_sum(Product& product, std::size_t f, Found& found) {
    const std::int64_t side = product.factors[f].second < 0 ? -1 : 1;
    return some_subset(opposite(product, f, true), [&](const std::vector<std::size_t>& chosen) {
      const std::vector<RationalFunction> parts = apart(product, f, chosen);
      if (parts.size() < 2) return false;
      Writer inner(space_);
      std::vector<Math> terms;
      for (const RationalFunction& part : parts) terms.push_back(inner.written(part));
      if (!inner.any() || std::ranges::count_if(terms, is_reciprocal) > 1) return false;
      found.emplace_back(Math::sum(std::move(terms)), side);
      replace(product, f, chosen, side);
      return true;
    });
  }

  static Math raised(Math base, std::int64_t power) {
    return power == 1 ? std::move(base) : Math::power(std::move(base), Math::number(std::to_string(power)));
  }

  static Math side(const Rational& number, const Product& product, const Found& found, int direction) {
    std::vector<Math> list;
    if (number != 1) list.push_back(Math::number(number.text()));
    for (const bool sums : {false, true})
      for (const auto& [factor, power] : product.factors)
        if (power * direction > 0 && (factor.term_count() > 1) == sums) list.push_back(raised(math(factor), power * direction));
    for (const auto& [combination, power] : found)
      if (power * direction > 0) list.push_back(raised(combination, power * direction));
    return list.empty() ? Math::number("1") : Math::product(std::move(list));
  }

  static Math fraction(const Product& product, const Found& found) {
    Math above = side(product.constant.numerator().abs(), product, found, 1);
    Math below = side(product.constant.denominator(), product, found, -1);
    const bool whole = below.kind == Math::Kind::number && below.text == "1";
    Math value = whole ? std::move(above) : Math::quotient(std::move(above), std::move(below));
    return product.constant.sign() < 0 ? Math::negative(std::move(value)) : value;
  }

  const PolynomialSpace& space_;
  bool any_ = false;
};

}  // namespace

std::optional<Math> parallel_form(const RationalFunction& value) {
  if (value.numerator().is_zero() || value.numerator().term_count() + value.denominator().term_count() > longest_fraction)
    return std::nullopt;
  Writer writer(value.space());
  Math result = writer.written(value);
  return writer.any() ? std::optional(std::move(result)) : std::nullopt;
}

bool shows_parallel(const Math& formula) {
  return (formula.kind == Math::Kind::relation && formula.text == parallel_sign) ||
         std::ranges::any_of(formula.parts, shows_parallel);
}

Math parallel_math(const GiNaC::ex& e, std::string_view main) {
  const auto is_root = [](const GiNaC::ex& part) {
    return GiNaC::is_exactly_a<GiNaC::power>(part) && abs(GiNaC::ex_to<GiNaC::numeric>(part.op(1))) == GiNaC::numeric(1, 2);
  };
  const auto has_exponent = [](const GiNaC::ex& part) { return GiNaC::is_exactly_a<GiNaC::numeric>(part.op(1)); };
  GiNaC::ex rational = 1;
  std::vector<Math> above, below;
  const std::size_t parts = GiNaC::is_exactly_a<GiNaC::mul>(e) ? e.nops() : 1;
  for (std::size_t i = 0; i < parts; ++i) {
    const GiNaC::ex part = parts > 1 ? e.op(i) : e;
    if (GiNaC::is_exactly_a<GiNaC::power>(part) && has_exponent(part) && is_root(part))
      (GiNaC::ex_to<GiNaC::numeric>(part.op(1)).is_positive() ? above : below)
          .push_back(Math::root(parallel_math(part.op(0), main)));
    else
      rational *= part;
  }
  const PolynomialSpace space(std::span(&rational, 1));
  Math rest = parallel_form(space.rational(rational).reduced()).value_or(math(rational, main));
  if (above.empty() && below.empty()) return rest;
  const bool negative = rest.is_negative();
  if (negative) rest = rest.parts.front();
  if (!rational.is_equal(1) || above.empty()) above.insert(above.begin(), std::move(rest));
  Math value = Math::product(std::move(above));
  if (!below.empty()) value = Math::quotient(std::move(value), Math::product(std::move(below)));
  return negative ? Math::negative(std::move(value)) : value;
}

}  // namespace sfg
