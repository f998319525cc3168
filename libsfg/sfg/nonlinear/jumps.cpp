#include "sfg/nonlinear/jumps.hpp"

#include <ginac/ginac.h>

#include <algorithm>

#include "sfg/expr/functions.hpp"
#include "sfg/nonlinear/laws_with_memory.hpp"

namespace sfg {

namespace {

using GiNaC::ex;

bool is_constant(const ex& e) {
  return std::none_of(e.preorder_begin(), e.preorder_end(), [](const ex& part) { return GiNaC::is_a<GiNaC::symbol>(part); });
}

}  // namespace

ex JumpsReplaced::operator()(const ex& e) {
  const std::string name = function_name(e);
  if (name == "backlash" || name == "hysteresis") return e;
  const ex inner = e.map(*this);
  if ((name != "sign" && name != "step" && name != "floor") || function_name(inner) != name) return inner;
  const ex& function = inner.op(0);
  if (is_constant(function) || has_memory(function)) return inner;
  if (name == "sign") return sign_of(function);
  if (name == "step") return (1 + sign_of(function)) / 2;
  for (const Jump& known : jumps)
    if (known.whole && (known.function + known.level).is_equal(function)) return known.level + (known.sign - 1) / 2;
  const ex level = GiNaC::symbol("l"), sign = GiNaC::symbol("s");
  jumps.push_back({function - level, sign, level, true});
  return level + (sign - 1) / 2;
}

ex JumpsReplaced::sign_of(const ex& function) {
  for (const Jump& known : jumps) {
    if (known.whole) continue;
    if (known.function.is_equal(function)) return known.sign;
    if (known.function.is_equal((-function).expand()) || known.function.is_equal(-function)) return -known.sign;
  }
  jumps.push_back({function, GiNaC::symbol("s"), 0, false});
  return jumps.back().sign;
}

}  // namespace sfg
