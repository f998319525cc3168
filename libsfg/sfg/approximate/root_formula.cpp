#include "sfg/approximate/root_formula.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <span>

#include "sfg/approximate/rest_formula.hpp"
#include "sfg/approximate/root_pruning.hpp"
#include "sfg/error.hpp"
#include "sfg/graph/from_equations.hpp"
#include "sfg/transfer/characteristic.hpp"

namespace sfg {

namespace {

using ring::Polynomial;

/// Fractions of neighbouring coefficients: −d_k/d_(k+1), or d_k/d_(k+2) and d_k d_(k+2)/d_(k+1)².
std::vector<RationalFunction> fractions(const PolynomialSpace& space, std::span<const Polynomial> d, std::size_t count) {
  const auto over = [&](const Polynomial& a, const Polynomial& b) { return RationalFunction(space, a, b); };
  if (count == 1) return {over(-d[0], d[1])};
  return {over(d[0], d[2]), over(d[0] * d[2], d[1] * d[1])};
}

/// Looks for the formulas of one root.
class RootSearch {
 public:
  RootSearch(const SoughtRoot& root, const EquationSystem& system, const GiNaC::exmap& values, double error, const Budget& budget)
      : root_(root), system_(system), values_(values), error_(error), budget_(budget) {}

  std::vector<std::optional<ShortFraction>> operator()() const {
    std::vector<std::optional<ShortFraction>> best(root_.count());
    std::vector<Factor> factors;
    const auto all_short = [&] {
      return std::ranges::all_of(best, [](const auto& found) { return found && letter_count(*found) <= few_letters; });
    };
    // the square of what is wanted may be further off: 1 − (1 − e)² is the nearer side
    const double limit = root_.count() == 1 ? error_ : error_ * (2 - error_);
    for (const double share : error_shares) {
      if (all_short()) return best;
      try {
        const PrunedEquations simple = pruned_for_root(system_, values_, root_.value, share * error_, budget_);
        const CharacteristicPolynomial found = characteristic_polynomial(from_equations(simple.system).graph, budget_);
        try_neighbours({found.space, found.whole(), {}}, limit, best);
        for (Factor& factor : factors_of(found.space, found.whole())) {
          try_neighbours(factor, limit, best);
          factors.push_back(std::move(factor));
        }
      } catch (const LimitReached&) {
        budget_.check("the approximation");
      } catch (const Failure&) {  // equations that were simplified too much: dependent, or Δ = 0
      }
    }
    if (root_.count() == 1 && !best.front()) try_from_afar(factors, best.front());
    return best;
  }

 private:
  using Same = std::vector<std::pair<std::string, std::string>>;

  /// A polynomial that has the root, or nearly.
  struct Factor {
    PolynomialSpace space;
    Polynomial polynomial;
    Same same;  ///< letters that were matched in it
  };

  /// What no longer acts on each other falls apart where it is short, that of matched parts with equal letters.
  std::vector<Factor> factors_of(const PolynomialSpace& space, const Polynomial& whole) const {
    constexpr std::size_t most_factored = 300;
    if (whole.term_count() > most_factored) return {};
    std::vector<Factor> result;
    Same same;
    const RationalFunction plain(space, whole, Polynomial::constant(space.context(), 1));
    // the operator is a letter without a value: it is none of one kind with another
    GiNaC::exmap values = values_;
    values[space.generator(0)] = 0;
    for (const auto& [factor, exponent] : matched(plain, values, same).numerator().factor().factors)
      if (factor.depends_on(0)) result.push_back({space, factor, same});
    return result;
  }

  /// The neighbouring coefficients of a polynomial as fractions, from the lowest power on; none where one is 0.
  static std::vector<std::vector<RationalFunction>> neighbours(const Factor& factor, std::size_t count) {
    std::vector<Polynomial> d = factor.polynomial.coefficients(0);
    std::ranges::reverse(d);
    std::vector<std::vector<RationalFunction>> result;
    for (std::size_t k = 0; k + count < d.size(); ++k) {
      const std::span<const Polynomial> some = std::span(d).subspan(k, count + 1);
      if (std::ranges::none_of(some, &Polynomial::is_zero)) result.push_back(fractions(factor.space, some, count));
    }
    return result;
  }
  static void keep_shorter_of(const Factor& factor, std::optional<ShortFraction>& best, ShortFraction found) {
    const auto names = symbol_names(found.value.expression());
    for (const auto& pair : factor.same)
      if (std::ranges::find(names, pair.second) != names.end()) found.same.push_back(pair);
    keep_shorter(best, std::move(found));
  }
  void try_neighbours(const Factor& factor, double limit, std::vector<std::optional<ShortFraction>>& best) const {
    for (const auto& candidates : neighbours(factor, root_.count()))
      for (std::size_t i = 0; i < candidates.size(); ++i)
        if (auto shorter = shortened_if_near(candidates[i], values_, root_.wanted[i], limit, budget_))
          keep_shorter_of(factor, best[i], std::move(*shorter));
  }
  /// A real root among others of like size, of which no two coefficients tell it alone.
  void try_from_afar(const std::vector<Factor>& factors, std::optional<ShortFraction>& best) const {
    const auto sensitivities = root_sensitivities(system_, values_, root_.value);
    for (const Factor& factor : factors)
      for (const auto& candidates : neighbours(factor, 1))
        if (auto found = shortened_from_afar(candidates.front(), values_, root_.wanted.front(), error_, sensitivities, budget_))
          keep_shorter_of(factor, best, std::move(*found));
  }

  const SoughtRoot& root_;
  const EquationSystem& system_;
  const GiNaC::exmap& values_;
  double error_;
  const Budget& budget_;
};

}  // namespace

std::vector<std::optional<ShortFraction>> root_formulas(const SoughtRoot& root, const EquationSystem& system,
                                                        const GiNaC::exmap& values, double error, const Budget& budget) {
  return RootSearch(root, system, values, error, budget)();
}

}  // namespace sfg
