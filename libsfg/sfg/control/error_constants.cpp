// L = N/D, N = a s^i + …, D = b s^k + … about rest: of type k − i, and the constant that is neither 0 nor infinite is a/b, in z
// with T_s^(i − k). Dead times are 1 there.
#include "sfg/control/margins.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "sfg/error.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/exact_value.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/transfer/transfer.hpp"

namespace sfg {

namespace {

using exact::Rational;

/// The lowest term of a side about rest.
template <class Coefficient>
struct LowestTerm {
  std::size_t power = 0;
  Coefficient coefficient = 0;
  bool special = false;  ///< for the stated values alone: a lower one vanishes for these
};

LowestTerm<Rational> lowest_term(const exact::RationalPolynomial& p, const Operator& op) {
  const std::vector<Rational> about = coefficients_at_rest(p, op);
  const auto first = std::ranges::find_if(about, [](const Rational& c) { return !c.is_zero(); });
  return {static_cast<std::size_t>(first - about.begin()), *first};
}

/// In names: the first coefficient that does not vanish for the stated values.
std::optional<LowestTerm<GiNaC::ex>> lowest_term(const PolynomialSpace& space, const ring::Polynomial& p, const Operator& op,
                                                 const GiNaC::ex& s, const GiNaC::exmap& values) {
  std::map<std::size_t, GiNaC::exvector> by_power;
  for (const ring::Polynomial::Term& term : p.terms()) {
    GiNaC::exvector factors{numeric_value(term.coefficient)};
    std::size_t power = 0;
    for (const auto& [index, exponent] : term.powers) {
      const GiNaC::ex& letter = space.generator(index);
      if (letter.is_equal(s))
        power = exponent;
      else
        factors.push_back(GiNaC::pow(letter.subs(s == numeric_value(op.at_rest())), static_cast<unsigned long>(exponent)));
    }
    by_power[power].push_back(GiNaC::mul(factors));
  }
  bool special = false;
  for (std::size_t k = 0; k <= by_power.rbegin()->first; ++k) {
    GiNaC::exvector terms;
    for (const auto& [power, sum] : by_power) {
      if (op.discrete() ? power < k : power != k) continue;
      const GiNaC::ex weight = op.discrete() ? GiNaC::binomial(GiNaC::numeric(static_cast<unsigned long>(power)),
                                                               GiNaC::numeric(static_cast<unsigned long>(k)))
                                             : GiNaC::numeric(1);
      for (const GiNaC::ex& term : sum) terms.push_back(weight * term);
    }
    const GiNaC::ex coefficient = GiNaC::add(terms);
    const auto stated = rational_value(coefficient.subs(values, GiNaC::subs_options::no_pattern));
    if (!stated) return {};
    constexpr double rounding = 1e-90;  // of irrational values: they have 120 digits
    if (std::abs(stated->to_double()) > rounding) return LowestTerm<GiNaC::ex>{k, coefficient, special};
    special = special || !vanishes(coefficient);
  }
  return {};
}

template <class Coefficient>
ErrorConstants constants_of(const LowestTerm<Coefficient>& above, const LowestTerm<Coefficient>& below, const Operator& op) {
  ErrorConstants result;
  result.type = below.power > above.power ? below.power - above.power : 0;
  for (std::size_t j = 0; j < result.constants.size(); ++j) {
    if (j < result.type) continue;
    if (below.power != above.power + j) {
      result.constants[j] = 0;
      continue;
    }
    const GiNaC::numeric period = numeric_value(op.discrete() ? op.period() : Rational(1));
    if constexpr (std::same_as<Coefficient, Rational>)
      result.constants[j] =
          numeric_value(above.coefficient / below.coefficient) / pow(period, GiNaC::numeric(static_cast<unsigned long>(j)));
    else
      result.constants[j] = normal_form(above.coefficient / (below.coefficient * GiNaC::pow(period, static_cast<unsigned>(j))));
  }
  return result;
}

/// Whether a closed form has the values of the numbers.
bool agrees(const ErrorConstants& form, const ErrorConstants& numbers, const GiNaC::exmap& values) {
  if (form.type != numbers.type) return false;
  for (std::size_t j = 0; j < form.constants.size(); ++j) {
    if (form.constants[j].has_value() != numbers.constants[j].has_value()) return false;
    if (!form.constants[j]) continue;
    const auto value = double_value(form.constants[j]->subs(values, GiNaC::subs_options::no_pattern));
    const double number = double_value(*numbers.constants[j]).value();
    constexpr double rounding = 1e-12;
    if (!value || !(std::abs(*value - number) <= rounding * std::abs(number))) return false;
  }
  return true;
}

}  // namespace

std::vector<Rational> coefficients_at_rest(const exact::RationalPolynomial& p, const Operator& op) {
  std::vector<Rational> ascending = (op.discrete() ? p.composed({1, 1}) : p).coefficients();
  std::ranges::reverse(ascending);
  return ascending;
}

ErrorConstants error_constants(const ExactTransfer& L) {
  if (L.numerator.parts.empty()) return {.constants = {0, 0, 0}};
  return constants_of(lowest_term(L.numerator.parts.front().polynomial, L.op), lowest_term(L.denominator.polynomial(), L.op),
                      L.op);
}

ErrorConstants error_constants(const SignalFlowGraph& graph, const Question& question, const ExactTransfer& stated,
                               const Budget& budget) {
  ErrorConstants numbers = error_constants(stated);
  if (stated.numerator.parts.empty()) return numbers;
  constexpr std::uint64_t most_terms = 20'000;
  try {
    const RationalFunction L = transfer_function(graph, question, {.budget = budget.with_terms(most_terms)}).value;
    const GiNaC::ex s = graph.op.in(graph.symbols);
    const GiNaC::exmap values = graph.symbols.values();
    auto above = lowest_term(L.space(), L.numerator(), graph.op, s, values);
    auto below = lowest_term(L.space(), L.denominator(), graph.op, s, values);
    if (above && below && (above->special || below->special)) {
      GiNaC::exmap vanishing;  // what made the type another one, and stays so
      for (const auto& [letter, value] : values)
        if (value.is_zero()) vanishing[letter] = 0;
      for (auto* each : {&*above, &*below})
        each->coefficient = each->coefficient.subs(vanishing, GiNaC::subs_options::no_pattern);
    }
    if (above && below)
      if (ErrorConstants form = constants_of(*above, *below, graph.op); agrees(form, numbers, values)) return form;
    numbers.note = "the error constants are numbers: their closed form could not be confirmed for the stated values";
  } catch (const NoAnswer&) {
    numbers.note = "the error constants are numbers: the open loop has no closed form";
  } catch (const LimitReached&) {
    budget.check("the error constants");
    numbers.note = "the error constants are numbers: the closed form of the open loop is too long";
  }
  return numbers;
}

}  // namespace sfg
