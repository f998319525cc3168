#include "sfg/derive/multibody/substitution.hpp"

#include <ginac/ginac.h>

#include <map>

#include "sfg/expr/constant.hpp"
#include "sfg/expr/exact_value.hpp"
#include "sfg/expr/math_tree.hpp"

namespace sfg {

namespace {

using GiNaC::ex;
using GiNaC::is_exactly_a;

bool is_longer(const ex& e, int bits) {
  if (!is_exactly_a<GiNaC::numeric>(e) || !GiNaC::ex_to<GiNaC::numeric>(e).is_rational()) return false;
  const auto& number = GiNaC::ex_to<GiNaC::numeric>(e);
  return number.numer().int_length() > bits || number.denom().int_length() > bits;
}

/// A root of a number that no double holds: its square is exact and has the digits of all that was stated, several times over.
bool is_root_of_long_number(const ex& e) {
  constexpr int held = 900;  // bits
  if (is_exactly_a<GiNaC::mul>(e)) {
    for (std::size_t i = 0; i < e.nops(); ++i)
      if (is_root_of_long_number(e.op(i))) return true;
    return false;
  }
  return is_exactly_a<GiNaC::power>(e) && is_longer(e.op(0), held);
}

struct ShortNumbers : GiNaC::map_function {
  ex operator()(const ex& e) override {
    constexpr int bits = 67;
    constexpr std::size_t digits = 20;
    if (is_longer(e, bits)) return numeric_value(exact::rounded(exact_value(GiNaC::ex_to<GiNaC::numeric>(e)), digits));
    return e.nops() > 0 ? e.map(*this) : e;
  }
};

bool is_negative_of_one_factor(const ex& e) {
  return is_exactly_a<GiNaC::mul>(e) && e.nops() == 2 && e.op(1).is_equal(-1) && is_exactly_a<GiNaC::symbol>(e.op(0));
}

bool needs_no_name(const ex& e) {
  return is_exactly_a<GiNaC::numeric>(e) || is_exactly_a<GiNaC::symbol>(e) || is_exactly_a<GiNaC::constant>(e) ||
         is_negative_of_one_factor(e);
}

/// As it is written: which of its sums carries the sign of a product differs from run to run.
bool is_negative_product(const ex& e) { return is_exactly_a<GiNaC::mul>(e) && math(e).is_negative(); }

/// Of a formula as it is written: what a list says it has must be what one counts in it.
std::size_t written_operations(const Math& formula) {
  std::size_t count = 0;
  switch (formula.kind) {
    case Math::Kind::sum:
    case Math::Kind::product: count = formula.parts.size() - 1; break;
    case Math::Kind::quotient:
    case Math::Kind::power:
    case Math::Kind::root:
    case Math::Kind::call: count = 1; break;
    default: break;
  }
  for (const Math& part : formula.parts) count += written_operations(part);
  return count;
}

/// How often an expression has each symbol.
void add_uses(const ex& e, std::map<ex, double, GiNaC::ex_is_less>& uses) {
  if (is_exactly_a<GiNaC::symbol>(e)) {
    ++uses[e];
    return;
  }
  for (std::size_t i = 0; i < e.nops(); ++i) add_uses(e.op(i), uses);
}

}  // namespace

ex Substitutions::operator()(const ex& e) {
  if (needs_no_name(e)) return e;
  if (is_root_of_long_number(e))
    if (const auto value = rational_value(e, 40)) return numeric_value(*value);
  if (is_negative_product(e)) return -named(-e);
  return named(e);
}

ex Substitutions::named(const ex& e) {
  if (needs_no_name(e)) return e;
  if (reuse_) {
    if (const auto found = known_.find(e); found != known_.end()) return found->second;
    if (const auto found = known_.find(-e); found != known_.end()) return -found->second;
  }
  const ex name = GiNaC::symbol(prefix_ + std::to_string(++count_));
  definitions_.push_back({name, e, {}});
  if (reuse_) known_[e] = name;
  return name;
}

void Substitutions::define(const ex& symbol, const ex& value, const SourceSpan& where) {
  definitions_.push_back({symbol, value, where});
}

ex with_short_numbers(const ex& e) {
  ShortNumbers numbers;
  return numbers(e);
}

std::size_t operations(const ex& e) { return written_operations(math(e)); }

std::size_t operations(std::span<const EquationsOfMotion::Definition> definitions, std::span<const ex> outputs) {
  std::size_t count = 0;
  for (const auto& definition : definitions) count += operations(definition.value);
  for (const ex& output : outputs) count += operations(output);
  return count;
}

double operations_put_in(std::span<const EquationsOfMotion::Definition> definitions, std::span<const ex> outputs) {
  std::map<ex, double, GiNaC::ex_is_less> total;
  const auto of = [&](const ex& e) {
    std::map<ex, double, GiNaC::ex_is_less> uses;
    add_uses(e, uses);
    double count = static_cast<double>(operations(e));
    for (const auto& [symbol, times] : uses)
      if (const auto known = total.find(symbol); known != total.end()) count += times * known->second;
    return count;
  };
  for (const auto& definition : definitions) total[definition.symbol] = of(definition.value);
  double count = 0;
  for (const ex& output : outputs) count += of(output);
  return count;
}

std::vector<EquationsOfMotion::Definition> needed(std::span<const EquationsOfMotion::Definition> definitions,
                                                  std::span<const ex> expressions) {
  std::map<ex, std::size_t, GiNaC::ex_is_less> number;
  for (std::size_t i = 0; i < definitions.size(); ++i) number[definitions[i].symbol] = i;
  std::vector<bool> used(definitions.size(), false);
  const auto use = [&](const ex& e) {
    for (auto part = e.preorder_begin(); part != e.preorder_end(); ++part)
      if (is_exactly_a<GiNaC::symbol>(*part))
        if (const auto found = number.find(*part); found != number.end()) used[found->second] = true;
  };
  for (const ex& e : expressions) use(e);
  for (std::size_t i = definitions.size(); i-- > 0;)
    if (used[i]) use(definitions[i].value);
  std::vector<EquationsOfMotion::Definition> result;
  for (std::size_t i = 0; i < definitions.size(); ++i)
    if (used[i]) result.push_back(definitions[i]);
  return result;
}

}  // namespace sfg
