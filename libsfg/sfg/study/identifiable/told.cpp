#include "sfg/study/identifiable/told.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "sfg/error.hpp"
#include "sfg/expr/derived_parameters.hpp"
#include "sfg/expr/kernel.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"

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

/// Whether e^(−τs) stands in it.
bool has_dead_times(const RationalFunction& value) { return DeadTimes(value).any(); }

/// Numerator and denominator are Σ cᵢⱼ sⁱ e^(−sτⱼ), each function sⁱ e^(−sτ) told by itself, but not which is which of those that
/// differ in τ alone: so for each i the moments Σⱼ cᵢⱼ τⱼᵏ are told, and tell all of it. They are polynomials, up to a factor
/// that all share; dead times count from the mean of those of the denominator.
/// @throws NoAnswer for functions of s that are no dead times
std::vector<Polynomial> told_with_dead_times(const RationalFunction& value) { return DeadTimes(value).told(); }


/// The transfer functions in parameters that are not derived, and the values of known derived ones.
class Teller {
 public:
  Teller(const SignalFlowGraph& graph, std::span<const Question> questions, std::span<const std::string> known,
         const TransferOptions& options)
      : graph_(graph), options_(options), definitions_(definitions(graph.symbols)), variable_(graph.op.symbol()) {
    for (const TransferFunction& one : transfer_functions(graph, questions, options))
      expressions_.push_back(one.value.expression().subs(definitions_, GiNaC::subs_options::no_pattern));
    for (const std::string& name : known) know(name);
  }

  Told told() {
    std::vector<ex> all = expressions_;
    for (const Symbol& symbol : graph_.symbols.all())
      if (is_parameter(symbol)) all.push_back(symbol.expr);
    all.insert(all.end(), measured_.begin(), measured_.end());
    for (std::size_t k = 0; k < all.size(); ++k) add_arguments(all, all[k]);
    Told result{PolynomialSpace(all, variable_expression()), {}, 0, {}, {}, {}, {}, {}, {}};
    name_unknown(result);
    for (const ex& e : expressions_) add_group(result, result.space.rational(e, options_.budget).reduced());
    for (const ex& e : measured_) {
      const RationalFunction value = result.space.rational(e, options_.budget).reduced();
      result.groups.push_back({value.denominator(), value.numerator()});
    }
    look_at_functions(result);
    for (std::size_t k = 0; k < result.parameters; ++k) result.influence.push_back(occurs(result, result.unknown[k]));
    result.found.assign(result.unknown.size(), false);
    return result;
  }

 private:
  static bool is_parameter(const Symbol& symbol) { return symbol.kind == SymbolKind::parameter && !is_derived(symbol); }
  ex variable_expression() const {
    const Symbol* symbol = graph_.symbols.find(variable_);
    return symbol == nullptr ? ex{} : symbol->expr;
  }
  void know(const std::string& name) {
    const Symbol* symbol = graph_.symbols.find(name);
    if (symbol == nullptr || symbol->kind != SymbolKind::parameter || name == variable_) {
      std::vector<std::string> names;
      for (const Symbol& one : graph_.symbols.all())
        if (one.kind == SymbolKind::parameter && one.name != variable_) names.push_back(one.name);
      const std::string near = nearest(name, names);
      throw Error({}, "'" + name + "' is no parameter of the model, so that it cannot be known",
                  near.empty() ? std::string("name parameters, with commas between") : "did you mean " + near + "?");
    }
    if (is_derived(*symbol))
      measured_.push_back(ex(symbol->expr).subs(definitions_, GiNaC::subs_options::no_pattern));
    else
      known_.insert(name);
  }
  /// What stands in roots and dead times, so that the space has room for it.
  static void add_arguments(std::vector<ex>& all, const ex& e) {
    std::set<ex, GiNaC::ex_is_less> seen;
    for (auto i = e.preorder_begin(); i != e.preorder_end(); ++i)
      if ((is_root(*i) || GiNaC::is_the_function<GiNaC::exp_SERIAL>(*i)) && seen.insert(*i).second &&
          std::ranges::none_of(all, [&](const ex& a) { return a.is_equal(i->op(0)); }))
        all.push_back(i->op(0));
  }
  void name_unknown(Told& result) {
    for (const Symbol& symbol : graph_.symbols.all()) {
      if (!is_parameter(symbol) || known_.contains(symbol.name) || symbol.name == variable_) continue;
      if (const auto index = result.space.index(symbol.expr)) {
        result.unknown.push_back(*index);
        result.names.push_back(symbol.name);
      }
    }
    result.parameters = result.unknown.size();
    result.within.resize(result.parameters);
  }
  /// Numerator and denominator of a transfer function, up to a factor of both.
  void add_group(Told& result, const RationalFunction& value) {
    if (has_dead_times(value)) {
      denominators_.push_back(value.denominator());
      result.groups.push_back(told_with_dead_times(value));
      return;
    }
    std::vector<Polynomial> below = value.denominator().coefficients(0), above = value.numerator().coefficients(0);
    std::erase_if(above, [](const Polynomial& p) { return p.is_zero(); });
    std::erase_if(below, [](const Polynomial& p) { return p.is_zero(); });
    const auto place = static_cast<std::size_t>(std::ranges::find(denominators_, value.denominator()) - denominators_.begin());
    if (place == denominators_.size()) {
      denominators_.push_back(value.denominator());
      result.groups.push_back(std::move(below));
    }
    auto& group = result.groups[place];
    group.insert(group.end(), above.begin(), above.end());
  }
  bool has_unknown(const Told& told, const ex& e) const {
    return std::ranges::any_of(told.unknown, [&](std::size_t i) { return e.has(told.space.generator(i)); });
  }
  static bool occurs(const Told& told, std::size_t variable) {
    const auto depends = [&](const Polynomial& p) { return p.depends_on(variable); };
    return std::ranges::any_of(told.groups, [&](const auto& group) { return std::ranges::any_of(group, depends); }) ||
           std::ranges::any_of(told.relations, depends);
  }
  /// Variables that are no symbols: roots are unknown, too, functions stand for the parameter that is nowhere else.
  void look_at_functions(Told& told) const {
    for (std::size_t v = 0; v < told.space.size(); ++v) {
      const ex& generator = told.space.generator(v);
      if (is_root(generator) && has_unknown(told, generator) && occurs(told, v)) add_root(told, v);
    }
    for (std::size_t v = 0; v < told.space.size(); ++v) {
      const ex& generator = told.space.generator(v);
      if (GiNaC::is_a<GiNaC::symbol>(generator) || is_root(generator) || !has_unknown(told, generator) || !occurs(told, v))
        continue;
      std::vector<std::size_t> inside;
      for (std::size_t k = 0; k < told.parameters; ++k)
        if (generator.has(told.space.generator(told.unknown[k]))) inside.push_back(k);
      if (inside.size() != 1 || occurs(told, told.unknown[inside.front()]) || told.within[inside.front()])
        throw NoAnswer("the transfer functions contain " + print(generator) +
                           ", a function of parameters that are seen elsewhere, too, so that what they determine is not decided",
                       "state a parameter for the whole function");
      told.unknown[inside.front()] = v;
      told.within[inside.front()] = true;
    }
  }
  static void add_root(Told& told, std::size_t v) {
    const ex& generator = told.space.generator(v);
    const GiNaC::numeric exponent = GiNaC::ex_to<GiNaC::numeric>(generator.op(1));
    const RationalFunction base = told.space.rational(generator.op(0));
    const auto above = static_cast<std::uint64_t>(GiNaC::abs(exponent.numer()).to_long());
    const auto degree = static_cast<std::uint64_t>(exponent.denom().to_long());
    const bool inverse = exponent.is_negative();
    const Polynomial root = Polynomial::variable(told.space.context(), v).power(degree);
    const Polynomial one = (inverse ? base.numerator() : base.denominator()).power(above),
                     other = (inverse ? base.denominator() : base.numerator()).power(above);
    told.relations.push_back(root * one - other);
    told.unknown.push_back(v);
  }

  const SignalFlowGraph& graph_;
  const TransferOptions& options_;
  GiNaC::exmap definitions_;
  std::string variable_;
  std::vector<ex> expressions_, measured_;
  std::set<std::string> known_;
  std::vector<Polynomial> denominators_;
};

}  // namespace

Told told(const SignalFlowGraph& graph, std::span<const Question> questions, std::span<const std::string> known,
          const TransferOptions& options) {
  return Teller(graph, questions, known, options).told();
}

}  // namespace sfg
