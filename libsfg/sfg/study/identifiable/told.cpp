#include "sfg/study/identifiable/told.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <set>

#include "sfg/expr/derived_parameters.hpp"
#include "sfg/expr/kernel.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/study/identifiable/dead_times.hpp"

namespace sfg {

namespace {

using GiNaC::ex;
using ring::Polynomial;

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
