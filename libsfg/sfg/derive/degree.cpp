#include "sfg/derive/degree.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <map>
#include <utility>

#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"

namespace sfg {

namespace {

using GiNaC::ex;

bool contains_any(const ex& value, const GiNaC::exset& variables) {
  for (auto node = value.preorder_begin(); node != value.preorder_end(); ++node)
    if (variables.contains(*node)) return true;
  return false;
}

std::optional<long> whole_power(const ex& power) {
  const ex& exponent = power.op(1);
  if (!GiNaC::is_exactly_a<GiNaC::numeric>(exponent)) return std::nullopt;
  const auto& n = GiNaC::ex_to<GiNaC::numeric>(exponent);
  if (!n.is_nonneg_integer() || n > 1'000'000) return std::nullopt;
  return n.to_long();
}

/// Upper bound of the degree; `obstacle` receives what is no polynomial.
long degree_bound(const ex& value, const GiNaC::exset& variables, std::optional<ex>& obstacle) {
  if (variables.contains(value)) return 1;
  if (GiNaC::is_exactly_a<GiNaC::add>(value)) {
    long bound = 0;
    for (const ex& term : value) bound = std::max(bound, degree_bound(term, variables, obstacle));
    return bound;
  }
  if (GiNaC::is_exactly_a<GiNaC::mul>(value)) {
    long bound = 0;
    for (const ex& factor : value) bound += degree_bound(factor, variables, obstacle);
    return bound;
  }
  if (!contains_any(value, variables)) return 0;
  if (GiNaC::is_exactly_a<GiNaC::power>(value))
    if (const auto n = whole_power(value)) return *n * degree_bound(value.op(0), variables, obstacle);
  if (!obstacle) obstacle = value;
  return 0;
}

/// Exponents by variable → coefficient. Only for expressions that degree_bound() accepted.
class Expansion {
 public:
  using Key = std::vector<std::pair<std::size_t, long>>;
  using Terms = std::map<Key, ex>;
  struct TooMany {};

  explicit Expansion(const GiNaC::exset& variables) {
    std::map<std::string, ex> by_name;
    for (const ex& variable : variables) by_name.emplace(GiNaC::ex_to<GiNaC::symbol>(variable).get_name(), variable);
    for (const auto& [name, variable] : by_name) {
      index_.emplace(variable, variables_.size());
      variables_.push_back(variable);
    }
  }

  Terms operator()(const ex& value) const {
    if (const auto known = index_.find(value); known != index_.end()) return {{{{known->second, 1}}, 1}};
    if (GiNaC::is_exactly_a<GiNaC::add>(value)) {
      Terms result;
      for (const ex& term : value)
        for (const auto& [key, coefficient] : (*this)(term)) result[key] += coefficient;
      return checked(std::move(result));
    }
    if (GiNaC::is_exactly_a<GiNaC::mul>(value)) {
      Terms result{{{}, 1}};
      for (const ex& factor : value) result = product(result, (*this)(factor));
      return result;
    }
    if (GiNaC::is_exactly_a<GiNaC::power>(value) && has_variable(value)) {
      const Terms base = (*this)(value.op(0));
      Terms result{{{}, 1}};
      for (long i = 0; i < *whole_power(value); ++i) result = product(result, base);
      return result;
    }
    return {{{}, value}};
  }

  ex monomial(const Key& key, const ex& coefficient) const {
    ex result = coefficient;
    for (const auto& [variable, exponent] : key) result *= GiNaC::power(variables_[variable], exponent);
    return result;
  }

 private:
  static constexpr std::size_t most_terms = 1'000;

  bool has_variable(const ex& value) const {
    for (auto node = value.preorder_begin(); node != value.preorder_end(); ++node)
      if (index_.contains(*node)) return true;
    return false;
  }

  static Terms checked(Terms terms) {
    if (terms.size() > most_terms) throw TooMany{};
    return terms;
  }

  static Terms product(const Terms& a, const Terms& b) {
    if (a.size() * b.size() > 10 * most_terms) throw TooMany{};
    Terms result;
    for (const auto& [key_a, coefficient_a] : a) {
      for (const auto& [key_b, coefficient_b] : b) {
        std::map<std::size_t, long> exponents(key_a.begin(), key_a.end());
        for (const auto& [variable, exponent] : key_b) exponents[variable] += exponent;
        result[Key(exponents.begin(), exponents.end())] += coefficient_a * coefficient_b;
      }
    }
    return checked(std::move(result));
  }

  std::map<ex, std::size_t, GiNaC::ex_is_less> index_;
  std::vector<ex> variables_;
};

}  // namespace

std::optional<DegreeProblem> degree_problem(const ex& value, const GiNaC::exset& variables, long most) {
  std::optional<ex> obstacle;
  const long bound = degree_bound(value, variables, obstacle);
  if (obstacle) return DegreeProblem{*obstacle, 0};
  if (bound <= most) return std::nullopt;
  constexpr long least_hopeless = 20;  // no sum of such powers is meant to cancel
  if (bound >= least_hopeless) return DegreeProblem{value, bound};
  try {
    const Expansion expansion(variables);
    for (const auto& [key, coefficient] : expansion(value)) {
      long degree = 0;
      for (const auto& [variable, exponent] : key) degree += exponent;
      if (degree > most && !vanishes(coefficient)) return DegreeProblem{expansion.monomial(key, coefficient), degree};
    }
    return std::nullopt;
  } catch (const Expansion::TooMany&) {
    return DegreeProblem{value, bound};
  }
}

}  // namespace sfg
