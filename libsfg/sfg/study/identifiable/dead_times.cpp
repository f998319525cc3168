#include "sfg/study/identifiable/dead_times.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "sfg/error.hpp"
#include "sfg/expr/print.hpp"

namespace sfg {

namespace {

using GiNaC::ex;
using ring::Polynomial;

/// c e^(−sτ) with the polynomials c in s and parameters, τ over the common denominator.
struct DelayedTerm {
  Polynomial coefficient, delay;
};

class DeadTimes {
 public:
  explicit DeadTimes(const RationalFunction& value) : value_(value), space_(value.space()), over_(one()) {
    for (std::size_t v = 1; v < space_.size(); ++v)
      if (space_.generator(v).has(space_.generator(0)) && (value.numerator().depends_on(v) || value.denominator().depends_on(v)))
        variables_.push_back(v);
  }
  bool any() const { return !variables_.empty(); }

  std::vector<Polynomial> told() {
    for (const std::size_t v : variables_) add_delay(v);
    std::vector<DelayedTerm> below = terms_of(value_.denominator()), above = terms_of(value_.numerator());
    Polynomial mean(space_.context());
    for (const DelayedTerm& term : below) mean += term.delay;
    const Polynomial count = Polynomial::constant(space_.context(), static_cast<std::int64_t>(below.size()));
    std::vector<std::pair<std::size_t, Polynomial>> moments;
    for (std::vector<DelayedTerm>* part : {&below, &above}) {
      for (DelayedTerm& term : *part) term.delay = term.delay * count - mean;
      add_moments(*part, moments);
    }
    std::size_t highest = 0;
    for (const auto& [order, moment] : moments) highest = std::max(highest, order);
    std::vector<Polynomial> result;
    for (const auto& [order, moment] : moments)
      if (!moment.is_zero()) result.push_back(moment * over_.power(highest - order));
    return result;
  }

 private:
  Polynomial one() const { return Polynomial::constant(space_.context(), 1); }

  void add_delay(std::size_t v) {
    const ex& generator = space_.generator(v);
    const ex& s = space_.generator(0);
    const auto argument =
        GiNaC::is_the_function<GiNaC::exp_SERIAL>(generator) ? polynomial_coefficients(generator.op(0), s) : std::nullopt;
    if (!argument || argument->size() != 2 || !argument->back().is_zero())
      throw NoAnswer("what a transfer function with " + print(generator) + " determines is not decided",
                     "replace what is no dead time by a rational approximation");
    const RationalFunction delay = space_.rational(-argument->front()).reduced();
    const auto parts = gcd_cofactors(over_, delay.denominator());
    for (auto& [variable, known] : delays_) known *= parts.b;
    delays_.emplace_back(v, delay.numerator() * parts.a);
    over_ *= parts.b;
  }
  std::vector<DelayedTerm> terms_of(const Polynomial& p) const {
    std::map<std::vector<std::uint64_t>, std::vector<Polynomial::Term>> by_powers;
    for (const Polynomial::Term& term : p.terms()) {
      std::vector<std::uint64_t> powers(variables_.size());
      Polynomial::Term rest{term.coefficient, {}};
      for (const auto& [variable, power] : term.powers) {
        const auto at = std::ranges::find(variables_, variable);
        if (at == variables_.end())
          rest.powers.emplace_back(variable, power);
        else
          powers[static_cast<std::size_t>(at - variables_.begin())] = power;
      }
      by_powers[powers].push_back(std::move(rest));
    }
    std::vector<DelayedTerm> result;
    for (const auto& [powers, terms] : by_powers) {
      Polynomial delay(space_.context());
      for (std::size_t k = 0; k < powers.size(); ++k)
        delay += delays_[k].second * Polynomial::constant(space_.context(), static_cast<std::int64_t>(powers[k]));
      const Polynomial coefficient = Polynomial::sum_of(space_.context(), terms);
      const auto same = std::ranges::find(result, delay, &DelayedTerm::delay);
      if (same == result.end())
        result.push_back({coefficient, delay});
      else
        same->coefficient += coefficient;
    }
    return result;
  }
  /// Of each power of s as many as 2n moments determine n terms.
  static void add_moments(const std::vector<DelayedTerm>& terms, std::vector<std::pair<std::size_t, Polynomial>>& moments) {
    std::map<std::uint64_t, std::vector<DelayedTerm>> by_power;
    for (const DelayedTerm& term : terms)
      for (auto& [power, coefficient] : term.coefficient.sparse_coefficients(0))
        by_power[power].push_back({std::move(coefficient), term.delay});
    for (const auto& [power, list] : by_power)
      for (std::size_t order = 0; order < 2 * list.size(); ++order) {
        Polynomial moment(list.front().delay.context());
        for (const DelayedTerm& term : list) moment += term.coefficient * term.delay.power(order);
        moments.emplace_back(order, std::move(moment));
      }
  }

  const RationalFunction& value_;
  const PolynomialSpace& space_;
  Polynomial over_;  ///< the common denominator of all delays
  std::vector<std::size_t> variables_;
  std::vector<std::pair<std::size_t, Polynomial>> delays_;
};

}  // namespace

bool has_dead_times(const RationalFunction& value) { return DeadTimes(value).any(); }

std::vector<Polynomial> told_with_dead_times(const RationalFunction& value) { return DeadTimes(value).told(); }

}  // namespace sfg
