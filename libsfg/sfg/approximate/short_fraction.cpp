// A set of terms that are kept of either side is what is searched; values are sums of doubles there. What is found is cancelled
// and evaluated exactly at the end.
#include "sfg/approximate/short_fraction.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "sfg/error.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/print.hpp"

namespace sfg {

namespace {

using exact::Rational;
using ring::Polynomial;

constexpr std::size_t followed_beside = 12;  ///< choices with the same number of letters
constexpr std::size_t most_searched = 150;   ///< terms of both sides

Rational value_at(const Polynomial& polynomial, const std::vector<Rational>& letters) {
  Rational sum;
  polynomial.visit_terms([&](const Rational& coefficient, std::span<const std::uint64_t> exponents) {
    Rational term = coefficient;
    for (std::size_t i = 0; i < exponents.size(); ++i)
      if (exponents[i] > 0) term *= letters[i].power(static_cast<long>(exponents[i]));
    sum += term;
  });
  return sum;
}

Rational value_of_letter(const GiNaC::ex& name, const GiNaC::exmap& values) {
  const GiNaC::ex letter = name.subs(values, GiNaC::subs_options::no_pattern);
  const auto number = rational_value(letter);
  if (!number) throw NoAnswer("'" + print(letter) + "' has no value", Advice::substitute_others);
  return *number;
}

/// Of the letters that occur; others are 0.
std::vector<Rational> letters_of(const RationalFunction& value, const GiNaC::exmap& values) {
  std::vector<Rational> result(value.space().size());
  for (std::size_t i = 0; i < result.size(); ++i)
    if (value.numerator().depends_on(i) || value.denominator().depends_on(i))
      result[i] = value_of_letter(value.space().generator(i), values);
  return result;
}

Rational quotient_at(const RationalFunction& value, const std::vector<Rational>& letters) {
  const Rational below = value_at(value.denominator(), letters);
  if (below.is_zero()) throw NoAnswer("a denominator vanishes at the stated values");
  return value_at(value.numerator(), letters) / below;
}

double relative(const Rational& value, const Rational& wanted) { return ((value - wanted) / wanted).abs().to_double(); }

/// The terms of both sides; a choice says which are kept.
class TermSearch {
 public:
  struct Choice {
    std::vector<bool> kept;
    double error = 0;
    std::size_t letters = 0, terms = 0;
  };

  /// @param reach  how far off a choice may be that others follow from
  TermSearch(const RationalFunction& value, const std::vector<Rational>& letters, const Rational& wanted, double limit,
             double reach)
      : value_(value), wanted_(wanted.to_double()), limit_(limit), reach_(reach), exponents_(value.space().size()) {
    for (const Polynomial* side : {&value.numerator(), &value.denominator()})
      side->visit_terms([&](const Rational& coefficient, std::span<const std::uint64_t> exponents) {
        Rational term = coefficient;
        for (std::size_t i = 0; i < exponents.size(); ++i) {
          if (exponents[i] > 0) term *= letters[i].power(static_cast<long>(exponents[i]));
          exponents_[i].push_back(exponents[i]);
        }
        numbers_.push_back(term);
        above_.push_back(side == &value.numerator());
      });
    for (std::size_t i = 0; i < exponents_.size(); ++i)
      if (value.numerator().depends_on(i) || value.denominator().depends_on(i)) letters_.push_back(i);
    scale();
    start();
  }

  /// The best of each number of letters, most letters first.
  std::vector<Choice> operator()(const Budget& budget) const {
    std::map<std::size_t, std::vector<Choice>, std::greater<>> beside;
    std::set<std::vector<bool>> seen{first_.kept};
    beside[first_.letters] = {first_};
    for (std::size_t letters = first_.letters + 1; letters-- > 0;) {
      const auto found = beside.find(letters);
      if (found == beside.end()) continue;
      for (std::size_t i = 0; i < found->second.size(); ++i) {  // grows: a choice may lead to another of as many letters
        budget.check("looking for a short formula");
        const Choice from = found->second[i];
        for (Choice& next : without_a_letter(from))
          if (seen.insert(next.kept).second) insert(beside[next.letters], std::move(next), next.letters == letters ? i + 1 : 0);
      }
    }
    std::vector<Choice> result;
    for (auto& [letters, choices] : beside)
      for (Choice& choice : choices) result.push_back(std::move(choice));
    return result;
  }

  /// Without the terms, the smallest first, that the limit leaves room for.
  Choice without_terms(Choice choice) const {
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t i = 0; i < numbers_.size(); ++i)
      if (choice.kept[i]) order.emplace_back(std::abs(terms_[i]), i);
    std::ranges::sort(order);
    for (const auto& [size, i] : order) {
      choice.kept[i] = false;
      if (!(std::abs(error(choice.kept)) <= limit_)) choice.kept[i] = true;
    }
    return measured(std::move(choice.kept));
  }

  RationalFunction fraction(const Choice& choice) const {
    std::vector<Polynomial::Term> sides[2];
    std::size_t i = 0;
    for (const Polynomial* side : {&value_.numerator(), &value_.denominator()})
      for (Polynomial::Term& term : side->terms())
        if (choice.kept[i++]) sides[side == &value_.denominator()].push_back(std::move(term));
    const auto& context = value_.space().context();
    return RationalFunction(value_.space(), Polynomial::sum_of(context, sides[0]), Polynomial::sum_of(context, sides[1]))
        .reduced();
  }

 private:
  /// Of either side the greatest term is 1, so that no double overflows.
  void scale() {
    Rational greatest[2];
    for (std::size_t i = 0; i < numbers_.size(); ++i) greatest[above_[i]] = std::max(greatest[above_[i]], numbers_[i].abs());
    ratio_ = (greatest[1] / greatest[0]).to_double();
    for (std::size_t i = 0; i < numbers_.size(); ++i) terms_.push_back((numbers_[i] / greatest[above_[i]]).to_double());
  }
  /// A long one first loses what is smallest, for a fifth of the error.
  void start() {
    std::vector<bool> all(numbers_.size(), true);
    const double room = std::max(0.2 * limit_, std::min(limit_, 1.2 * std::abs(error(all))));
    std::size_t left = all.size();
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t i = 0; i < all.size(); ++i) order.emplace_back(std::abs(terms_[i]), i);
    std::ranges::sort(order);
    double sums[2] = {0, 0};
    for (std::size_t i = 0; i < all.size(); ++i) sums[above_[i]] += terms_[i];
    for (const auto& [size, i] : order) {
      if (left <= most_searched) break;
      double& sum = sums[above_[i]];
      sum -= terms_[i];
      if (std::abs(sums[1] / sums[0] * ratio_ / wanted_ - 1) <= room) {
        all[i] = false;
        --left;
      } else {
        sum += terms_[i];
      }
    }
    first_ = measured(std::move(all));
  }

  double error(const std::vector<bool>& kept) const {
    double sums[2] = {0, 0};
    for (std::size_t i = 0; i < kept.size(); ++i)
      if (kept[i]) sums[above_[i]] += terms_[i];
    return sums[1] / sums[0] * ratio_ / wanted_ - 1;
  }

  Choice measured(std::vector<bool> kept) const {
    Choice result{std::move(kept), 0, 0, 0};
    result.error = error(result.kept);
    result.terms = static_cast<std::size_t>(std::ranges::count(result.kept, true));
    for (const std::size_t letter : letters_) result.letters += occurs(letter, result.kept);
    return result;
  }
  /// A power that all terms of both sides share cancels.
  bool occurs(std::size_t letter, const std::vector<bool>& kept) const {
    bool first = true;
    std::uint64_t power = 0;
    for (std::size_t i = 0; i < kept.size(); ++i) {
      if (!kept[i]) continue;
      if (!first && exponents_[letter][i] != power) return true;
      power = exponents_[letter][i];
      first = false;
    }
    return false;
  }

  /// Every letter as if it were far greater, or smaller, than what it is added to: on both sides or on one.
  std::vector<Choice> without_a_letter(const Choice& from) const {
    std::vector<Choice> result;
    for (const std::size_t letter : letters_)
      for (const bool highest : {true, false})
        for (const int sides : {3, 1, 2}) {
          std::vector<bool> kept = from.kept;
          for (const bool above : {true, false})
            if ((sides & (above ? 1 : 2)) != 0) keep_extreme(kept, letter, above, highest);
          if (kept == from.kept || !(std::abs(error(kept)) <= reach_)) continue;
          result.push_back(measured(std::move(kept)));
        }
    return result;
  }
  void keep_extreme(std::vector<bool>& kept, std::size_t letter, bool above, bool highest) const {
    std::optional<std::uint64_t> extreme;
    const auto& powers = exponents_[letter];
    for (std::size_t i = 0; i < kept.size(); ++i)
      if (kept[i] && above_[i] == above && (!extreme || (highest ? powers[i] > *extreme : powers[i] < *extreme)))
        extreme = powers[i];
    for (std::size_t i = 0; i < kept.size(); ++i)
      if (above_[i] == above && powers[i] != *extreme) kept[i] = false;
  }

  /// Those with the smallest error stay; what was looked at already, before `begin`, too.
  static void insert(std::vector<Choice>& list, Choice choice, std::size_t begin) {
    const auto place = std::upper_bound(list.begin() + static_cast<std::ptrdiff_t>(begin), list.end(), choice,
                                        [](const Choice& a, const Choice& b) { return std::abs(a.error) < std::abs(b.error); });
    list.insert(place, std::move(choice));
    if (list.size() > begin + followed_beside) list.pop_back();
  }

  const RationalFunction& value_;
  double wanted_, limit_, reach_, ratio_ = 1;
  std::vector<std::vector<std::uint64_t>> exponents_;  ///< by letter and term
  std::vector<std::size_t> letters_;                   ///< those that occur
  std::vector<Rational> numbers_;                      ///< the terms, numerator first
  std::vector<double> terms_;                          ///< the same, in the scale of their side
  std::vector<bool> above_;
  Choice first_;
};

}  // namespace

LetterKind kind_of(const GiNaC::ex& letter, const GiNaC::exmap& values) {
  const std::string name = print(letter);  // gm of gm_XQ2, R of R12
  return {name.substr(0, name.find_first_of("_0123456789")), value_of_letter(letter, values).text()};
}

Rational value_of(const RationalFunction& value, const GiNaC::exmap& values) {
  return quotient_at(value, letters_of(value, values));
}

RationalFunction matched(const RationalFunction& value, const GiNaC::exmap& values,
                         std::vector<std::pair<std::string, std::string>>& same) {
  std::map<LetterKind, std::size_t> first;
  Polynomial above = value.numerator(), below = value.denominator();
  const PolynomialSpace& space = value.space();
  for (std::size_t i = 0; i < space.size(); ++i) {
    if (!above.depends_on(i) && !below.depends_on(i)) continue;
    const auto [entry, is_first] = first.try_emplace(kind_of(space.generator(i), values), i);
    if (is_first) continue;
    const Polynomial other = Polynomial::variable(space.context(), entry->second);
    above = above.substituted(i, other);
    below = below.substituted(i, other);
    same.emplace_back(print(space.generator(i)), print(space.generator(entry->second)));
  }
  return RationalFunction(space, std::move(above), std::move(below)).reduced();
}

namespace {

/// The best of those that count, where there is one; `result` has the fraction, and receives it.
bool shorten(ShortFraction& result, const TermSearch& search, const std::vector<Rational>& letters, const Rational& wanted,
             double limit, const Budget& budget, const std::function<bool(const RationalFunction&)>& counts) {
  std::optional<std::pair<std::size_t, std::size_t>> best;
  for (const TermSearch::Choice& each : search(budget)) {
    if (!(std::abs(each.error) <= limit) || (best && each.letters > best->first + 2)) continue;
    const RationalFunction found = search.fraction(search.without_terms(each));
    const std::size_t count = symbol_names(found.expression()).size();
    const std::pair rank{count, found.numerator().term_count() + found.denominator().term_count()};
    if (best && rank >= *best) continue;
    if (!(relative(quotient_at(found, letters), wanted) <= limit) || !counts(found)) continue;
    best = rank;
    result.value = found;
  }
  result.at_values = quotient_at(result.value, letters);
  result.relative_error = relative(result.at_values, wanted);
  std::erase_if(result.same, [names = symbol_names(result.value.expression())](const auto& pair) {
    return std::ranges::find(names, pair.second) == names.end();
  });
  return best.has_value();
}

/// How far the relative sensitivities of a fraction are off at most.
double sensitivity_error(const RationalFunction& value, const GiNaC::exmap& values, const std::map<LetterKind, double>& exact) {
  const Rational step = Rational(1) / Rational(1 << 20);
  const std::vector<Rational> letters = letters_of(value, values);
  const Rational here = quotient_at(value, letters);
  std::map<LetterKind, double> off = exact;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    if (!value.numerator().depends_on(i) && !value.denominator().depends_on(i)) continue;
    std::vector<Rational> moved = letters;
    moved[i] *= Rational(1) + step;
    off[kind_of(value.space().generator(i), values)] -= ((quotient_at(value, moved) / here - Rational(1)) / step).to_double();
  }
  double greatest = 0;
  for (const auto& [kind, each] : off) greatest = std::max(greatest, std::abs(each));
  return greatest;
}

}  // namespace

ShortFraction shortened(const RationalFunction& value, const GiNaC::exmap& values, const Rational& wanted, double limit,
                        const Budget& budget) {
  ShortFraction result{value.reduced(), {}, 0, {}};
  const std::vector<Rational> letters = letters_of(result.value, values);
  result.value = matched(result.value, values, result.same);
  const RationalFunction all = result.value;
  const double near = limit * (1 - 1e-9);
  shorten(result, TermSearch(all, letters, wanted, near, near), letters, wanted, limit, budget,
          [](const RationalFunction&) { return true; });
  return result;
}

std::optional<ShortFraction> shortened_from_afar(const RationalFunction& value, const GiNaC::exmap& values,
                                                 const Rational& wanted, double limit,
                                                 const std::map<LetterKind, double>& sensitivities, const Budget& budget) {
  constexpr double half = 0.5, farthest = 0.9;
  ShortFraction result{value.reduced(), {}, 0, {}};
  const std::vector<Rational> letters = letters_of(result.value, values);
  result.value = matched(result.value, values, result.same);
  const RationalFunction all = result.value;
  const double near = limit * (1 - 1e-9), far = relative(quotient_at(all, letters), wanted);
  if (!(far <= farthest)) return std::nullopt;
  const auto error = [&](const RationalFunction& found) { return sensitivity_error(found, values, sensitivities); };
  const TermSearch search(all, letters, wanted, near, std::max(near, far));
  if (!shorten(result, search, letters, wanted, limit, budget, [&](const auto& found) { return error(found) < half; }))
    return std::nullopt;
  result.sensitivity_error = error(result.value);
  return result;
}

}  // namespace sfg
