#include "sfg/nonlinear/analog/law_elements.hpp"

#include <ginac/ginac.h>

#include <algorithm>

#include "sfg/expr/constant.hpp"
#include "sfg/expr/functions.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"

namespace sfg {

using GiNaC::ex;
using Kind = AnalogEquations::Kind;
using Term = AnalogEquations::Term;

void add(SignalSum& to, const SignalSum& terms, double factor) {
  for (const auto& [signal, value] : terms) {
    double& entry = to[signal];
    entry += factor * value;
    if (entry == 0) to.erase(signal);
  }
}

namespace {

constexpr int most_products = 32;  // a power above it is a function, not a row of multipliers

bool is_whole_power(const ex& e) {
  if (!GiNaC::is_a<GiNaC::power>(e) || !GiNaC::is_a<GiNaC::numeric>(e.op(1))) return false;
  const auto& exponent = GiNaC::ex_to<GiNaC::numeric>(e.op(1));
  return exponent.is_pos_integer() && exponent <= GiNaC::numeric(most_products);
}

/// Made of sums, multipliers and moduli alone.
bool is_elementary(const ex& e) {
  if (GiNaC::is_a<GiNaC::symbol>(e) || double_value(e)) return true;
  if (GiNaC::is_a<GiNaC::add>(e) || GiNaC::is_a<GiNaC::mul>(e)) {
    for (std::size_t i = 0; i < e.nops(); ++i)
      if (!is_elementary(ex(e.op(i)))) return false;
    return true;
  }
  if (is_whole_power(e)) return is_elementary(ex(e.op(0)));
  return GiNaC::is_a<GiNaC::function>(e) && function_name(e) == "abs" && is_elementary(ex(e.op(0)));
}

/// Operands in an order that does not change from run to run.
std::vector<ex> operands(const ex& e) {
  std::vector<std::pair<std::string, ex>> found;
  for (std::size_t i = 0; i < e.nops(); ++i) found.emplace_back(print(e.op(i)), e.op(i));
  std::ranges::sort(found, {}, &std::pair<std::string, ex>::first);
  std::vector<ex> result;
  for (auto& [text, operand] : found) result.push_back(std::move(operand));
  return result;
}

}  // namespace

void LawElements::define(const ex& symbol, SignalSum value, std::string name) {
  const std::string key = print(symbol);
  meaning_.insert_or_assign(key, std::pair{symbol, Named{std::move(value), std::move(name)}});
}

SignalSum LawElements::operator()(const ex& law, const std::string& name, const SourceSpan& where) {
  name_ = "in_" + name;
  function_ = "f_" + name;
  where_ = where;
  return sum(law);
}

void LawElements::refuse(const ex& e) const {
  throw Error(where_, "no analog element makes " + print(e),
              "write the law with sums, products, abs, min, max and functions of one signal each");
}

std::vector<ex> LawElements::symbols_of(const ex& e) const {
  std::vector<ex> found;
  for (const std::string& name : symbol_names(e)) {
    const auto known = meaning_.find(name);
    if (known == meaning_.end()) throw missing_values(std::set<std::string>{name});
    found.push_back(known->second.first);
  }
  return found;
}

SignalSum LawElements::sum(const ex& e) {
  if (const auto constant = double_value(e)) return *constant == 0 ? SignalSum{} : SignalSum{{0, *constant}};
  if (GiNaC::is_a<GiNaC::symbol>(e)) return symbols_of(e), meaning_.at(print(e)).second.value;
  if (GiNaC::is_a<GiNaC::add>(e)) {
    SignalSum result;
    for (const ex& term : operands(e)) add(result, sum(term));
    return result;
  }
  if (GiNaC::is_a<GiNaC::mul>(e)) {
    double factor = 1;
    ex rest = 1;
    for (const ex& each : operands(e))
      if (const auto constant = double_value(each))
        factor *= *constant;
      else
        rest *= each;
    SignalSum result;
    add(result, factors(rest), factor);
    return result;
  }
  return factors(e);
}

SignalSum LawElements::factors(const ex& e) {
  if (!is_elementary(e))
    if (const std::vector<ex> symbols = symbols_of(e); symbols.size() == 1) return generated(e, symbols[0]);
  if (GiNaC::is_a<GiNaC::mul>(e)) {
    Term all{0, 1};
    bool first = true;
    for (const ex& each : operands(e)) {
      const Term factor = signal(sum(each), name_);
      all = first ? factor : product(all, factor);
      first = false;
    }
    return {{all.signal, all.factor}};
  }
  if (is_whole_power(e)) return power(ex(e.op(0)), GiNaC::ex_to<GiNaC::numeric>(e.op(1)).to_int());
  if (GiNaC::is_a<GiNaC::add>(e) || GiNaC::is_a<GiNaC::symbol>(e)) return sum(e);
  return call(e);
}

SignalSum LawElements::power(const ex& base, int exponent) {
  const Term one = signal(sum(base), name_);
  const std::string plain = equations_.signals[one.signal].name;
  const std::string name = is_name(plain) ? plain : "(" + plain + ")";
  const auto raised = [&](auto&& self, int n) -> Term {
    if (n == 1) return one;
    const Term half = n % 2 == 0 ? self(self, n / 2) : self(self, n - 1);
    return product(half, n % 2 == 0 ? half : one, name + "^" + std::to_string(n));
  };
  const Term all = raised(raised, exponent);
  return {{all.signal, all.factor}};
}

/// A function of several signals: of one signal that is made of them.
SignalSum LawElements::call(const ex& e) {
  if (GiNaC::is_a<GiNaC::power>(e)) {
    if (!double_value(e.op(1))) return sum(GiNaC::exp(e.op(1) * GiNaC::log(e.op(0))));
    return function_of(e.op(0), GiNaC::pow(equations_.argument, e.op(1)));
  }
  if (!GiNaC::is_a<GiNaC::function>(e)) refuse(e);
  const std::string name = function_name(e);
  if (name == "min" || name == "max") {  // (a + b ∓ |a − b|)/2
    const SignalSum a = sum(e.op(0)), b = sum(e.op(1));
    SignalSum difference = a, result;
    add(difference, b, -1);
    add(result, a, 0.5);
    add(result, b, 0.5);
    const Term inside = signal(difference, name_);
    const std::size_t modulus = made(Kind::modulus, {inside}, {}, "|" + equations_.signals[inside.signal].name + "|");
    add(result, {{modulus, std::abs(inside.factor)}}, name == "min" ? -0.5 : 0.5);
    return result;
  }
  if (e.nops() != 1) refuse(e);
  if (name == "abs") {
    const Term inside = signal(sum(e.op(0)), name_);
    const std::size_t modulus = made(Kind::modulus, {inside}, {}, "|" + equations_.signals[inside.signal].name + "|");
    return {{modulus, std::abs(inside.factor)}};
  }
  return function_of(e.op(0), e.subs(ex(e.op(0)) == equations_.argument, GiNaC::subs_options::no_pattern));
}

/// What depends on one symbol alone: a generator of time, or a function generator.
SignalSum LawElements::generated(const ex& e, const ex& symbol) {
  if (symbol.is_equal(equations_.time)) return {{made(Kind::source, {}, e, print(e)), 1}};
  return function_of(symbol, e.subs(symbol == equations_.argument, GiNaC::subs_options::no_pattern));
}

SignalSum LawElements::function_of(const ex& inside, const ex& law) {
  const std::string name = GiNaC::is_a<GiNaC::symbol>(inside) ? meaning_.at(print(inside)).second.name : name_;
  const Term of = signal(sum(inside), name);
  const ex scaled =
      law.subs(equations_.argument == equations_.argument * GiNaC::numeric(of.factor), GiNaC::subs_options::no_pattern);
  return {{made(Kind::function, {{of.signal, 1}}, of.factor == 1 ? law : scaled, function_), 1}};
}

Term LawElements::product(Term a, Term b, std::string name) {
  if (a.signal == 0) return {b.signal, a.factor * b.factor};
  if (b.signal == 0) return {a.signal, a.factor * b.factor};
  if (name.empty()) name = equations_.signals[a.signal].name + "*" + equations_.signals[b.signal].name;
  return {made(Kind::product, {{a.signal, 1}, {b.signal, 1}}, {}, std::move(name)), a.factor * b.factor};
}

Term LawElements::signal(const SignalSum& terms, const std::string& name) {
  if (terms.empty()) return {0, 0};
  if (terms.size() == 1) return {terms.begin()->first, terms.begin()->second};
  std::vector<Term> parts;
  for (const auto& [signal, factor] : terms) parts.push_back({signal, factor});
  return {made(Kind::sum, std::move(parts), {}, name), 1};
}

std::size_t LawElements::made(Kind kind, std::vector<Term> terms, const ex& law, std::string name) {
  std::string key = std::to_string(static_cast<int>(kind));
  if (kind == Kind::modulus) terms.front().factor = 1;
  if (kind == Kind::product && terms[0].signal > terms[1].signal) std::swap(terms[0], terms[1]);
  for (const Term& term : terms) key += " " + std::to_string(term.signal) + ":" + print(term.factor);
  if (kind == Kind::function || kind == Kind::source) key += " " + print(law);
  const auto [known, is_new] = known_.emplace(key, equations_.signals.size());
  if (is_new) {
    std::string free = name;
    for (int n = 2; std::ranges::any_of(equations_.signals, [&](const auto& s) { return s.name == free; }); ++n)
      free = name + "_" + std::to_string(n);
    equations_.signals.push_back({.name = std::move(free), .kind = kind, .terms = std::move(terms), .law = law});
  }
  return known->second;
}

}  // namespace sfg
