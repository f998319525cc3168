#include "sfg/derive/operating_point.hpp"

#include <ginac/ginac.h>

#include <stdexcept>

#include "sfg/expr/derivative.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"

namespace sfg {

namespace {

using GiNaC::ex;

bool is_jump(const ex& value) {
  if (!GiNaC::is_exactly_a<GiNaC::function>(value)) return false;
  const std::string name = GiNaC::ex_to<GiNaC::function>(value).get_name();
  return name == "sign" || name == "step";
}

/// Zero, or nothing but the rounding of a point that was found by iteration.
bool is_zero_here(const ex& value) {
  static const GiNaC::numeric rounding = GiNaC::numeric(10).power(-20);
  if (value.is_zero() || vanishes(value)) return true;
  const auto number = real_number(value);
  return number && GiNaC::abs(*number) < rounding;
}

}  // namespace

ex OperatingPoint::value(const ex& derivative, const std::string& what, const SourceSpan& where) const {
  try {
    GiNaC::exmap jumps;  // sign(u) with u = 0 here → a symbol; the derivative must not depend on it
    for (auto node = derivative.preorder_begin(); node != derivative.preorder_end(); ++node)
      if (is_jump(*node) && !jumps.contains(*node) && is_zero_here(node->op(0).subs(values_, symbols_alone)))
        jumps[*node] = GiNaC::symbol();
    if (jumps.empty()) return derivative.subs(values_, symbols_alone);
    ex result = derivative.subs(jumps, plain).subs(values_, symbols_alone);
    GiNaC::exmap settled;
    for (const auto& [jump, symbol] : jumps) {
      settled[symbol] = 0;
      if (!vanishes(result.diff(GiNaC::ex_to<GiNaC::symbol>(symbol))))
        throw Error(
            where, what + " is not smooth at the equilibrium: its derivative jumps with " + print(jump),
            "dry friction, stops and dead bands have no linear model there; choose a point beside the jump or a smooth law");
    }
    return result.subs(settled, plain);
  } catch (const std::domain_error&) {  // GiNaC::pole_error among them
    throw Error(where, what + " has an infinite derivative at the equilibrium", "choose another point or a smooth law");
  } catch (const std::overflow_error&) {
    throw Error(where, what + " has an infinite derivative at the equilibrium", "choose another point or a smooth law");
  }
}

Precision::Precision(long digits) : before_(GiNaC::Digits) { GiNaC::Digits = digits; }
Precision::~Precision() { GiNaC::Digits = before_; }

std::optional<GiNaC::numeric> real_number(const ex& value) {
  try {
    const ex number = GiNaC::is_exactly_a<GiNaC::numeric>(value) ? value : value.evalf();
    if (!GiNaC::is_exactly_a<GiNaC::numeric>(number)) return std::nullopt;
    const auto& result = GiNaC::ex_to<GiNaC::numeric>(number);
    if (!result.is_real()) return std::nullopt;
    return result;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception&) {  // a pole, a logarithm of 0, a floating-point overflow of CLN
    return std::nullopt;
  }
}

}  // namespace sfg
