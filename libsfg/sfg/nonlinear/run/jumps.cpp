#include "sfg/nonlinear/run/jumps.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "sfg/expr/functions.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/nonlinear/run/laws_with_memory.hpp"

namespace sfg {

namespace {

using GiNaC::ex;

bool is_constant(const ex& e) {
  return std::none_of(e.preorder_begin(), e.preorder_end(), [](const ex& part) { return GiNaC::is_a<GiNaC::symbol>(part); });
}

bool is_switch(const ex& e) { return function_name(e) == "sign" || function_name(e) == "step"; }

/// The expression where g is 0; nothing where that cannot be told. Only g that are linear in one of their symbols: of a product
/// each factor has a zero of its own.
std::optional<ex> where_zero(const ex& e, const ex& g) {
  for (auto u = g.preorder_begin(); u != g.preorder_end(); ++u) {
    if (!GiNaC::is_a<GiNaC::symbol>(*u)) continue;
    const ex slope = g.diff(GiNaC::ex_to<GiNaC::symbol>(*u)).expand();
    if (slope.is_zero() || !is_constant(slope)) continue;
    try {
      return e.subs(*u == (*u - g / slope).expand(), GiNaC::subs_options::no_pattern);
    } catch (const std::exception&) {  // infinite there
      return {};
    }
  }
  return {};
}

/// Whether an expression may jump, by another call, where g is 0: what it is there is not what it is beside it.
bool jumps_where_zero(const ex& e, const ex& g) {
  return std::any_of(e.preorder_begin(), e.preorder_end(), [&](const ex& call) {
    if (is_switch(call)) {
      const auto there = where_zero(call.op(0), g);
      return !there || !is_constant(*there) || there->is_zero();
    }
    return function_name(call) == "floor" || function_name(call) == "hysteresis";
  });
}

/// The calls of sign and step at which an expression does not jump, since what they do to it is 0 there.
GiNaC::exset corners_of(const ex& e) {
  GiNaC::exset found;
  for (auto call = e.preorder_begin(); call != e.preorder_end(); ++call) {
    if (!is_switch(*call) || is_constant(call->op(0)) || found.contains(*call)) continue;
    const GiNaC::symbol s("s");
    const ex by_sign = e.subs(*call == s, GiNaC::subs_options::no_pattern);
    if (jumps_where_zero(by_sign, call->op(0))) continue;
    const ex below = function_name(*call) == "sign" ? -1 : 0;
    const auto height = where_zero(by_sign.subs(s == 1) - by_sign.subs(s == below), call->op(0));
    if (height && height->is_zero()) found.insert(*call);
  }
  return found;
}

using Calls = std::vector<std::pair<std::string, ex>>;

/// Calls of functions by their texts, without those inside of a backlash or of a call that does not jump.
void add_calls(const ex& e, const GiNaC::exset& corners, Calls& calls) {
  if (function_name(e) == "backlash" || corners.contains(e)) return;
  if (GiNaC::is_a<GiNaC::function>(e)) calls.emplace_back(print(e), e);
  for (const ex& part : e) add_calls(part, corners, calls);
}

}  // namespace

std::vector<JumpKind> kinds(const std::vector<Jump>& jumps) {
  std::vector<JumpKind> found;
  for (const Jump& jump : jumps) found.push_back(jump.kind);
  return found;
}

ex JumpsReplaced::in(const ex& e) {
  corners_ = corners_of(e);
  Calls calls;
  add_calls(e, corners_, calls);
  std::ranges::sort(calls, [](const auto& a, const auto& b) {  // GiNaC's own order differs from run to run; inner ones first
    return std::pair(a.first.size(), std::string_view(a.first)) < std::pair(b.first.size(), std::string_view(b.first));
  });
  for (const auto& [text, call] : calls) (*this)(call);
  return (*this)(e);
}

ex JumpsReplaced::operator()(const ex& e) {
  const std::string name = function_name(e);
  if (name == "backlash" || corners_.contains(e)) return e;
  const ex inner = e.map(*this);
  if (function_name(inner) != name) return inner;
  if (name != "sign" && name != "step" && name != "floor" && name != "hysteresis") return inner;
  const ex& function = inner.op(0);
  if (is_constant(function) || has_memory(function)) return inner;
  if (name == "hysteresis") return relay(inner);
  if (name == "floor") return level_of_floor(function);
  if (name == "step" && function_name(-function) == "abs") return level_of_grip((-function).op(0));
  ex sign;
  Jump& jump = jumps[number_of(function, sign)];
  if (name == "sign") return sign;
  if (jump.level.is_zero()) jump.level = GiNaC::symbol("l");
  return (1 + sign + jump.level * (jump.level - 1) / 2 * (1 - sign)) / 2;
}

/// @param sign  becomes that of the function
std::size_t JumpsReplaced::number_of(const ex& function, ex& sign) {
  for (std::size_t k = 0; k < jumps.size(); ++k) {
    const Jump& known = jumps[k];
    if (known.kind == JumpKind::floor || known.kind == JumpKind::relay) continue;
    const bool same = known.function.is_equal(function);
    if (!same && !known.function.is_equal((-function).expand()) && !known.function.is_equal(-function)) continue;
    sign = same ? known.sign : -known.sign;
    return k;
  }
  sign = GiNaC::symbol("s");
  jumps.push_back({function, sign, 0});
  return jumps.size() - 1;
}

ex JumpsReplaced::level_of_grip(const ex& function) {
  ex sign;
  Jump& jump = jumps[number_of(function, sign)];
  jump.kind = JumpKind::grip;
  if (jump.level.is_zero()) jump.level = GiNaC::symbol("l");
  return jump.level * (3 - jump.level) / 2;
}

ex JumpsReplaced::level_of_floor(const ex& argument) {
  for (const Jump& known : jumps)
    if (known.kind == JumpKind::floor && (known.function + known.level).is_equal(argument))
      return known.level + (known.sign - 1) / 2;
  const ex level = GiNaC::symbol("l"), sign = GiNaC::symbol("s");
  jumps.push_back({argument - level, sign, level, JumpKind::floor});
  return level + (sign - 1) / 2;
}

/// On as long as u is above off, off as long as it is below on.
ex JumpsReplaced::relay(const ex& call) {
  const ex sign = GiNaC::symbol("s");
  const ex own = call.op(0) - (call.op(1) + call.op(2)) / 2, half = (call.op(1) - call.op(2)) / 2;
  for (const Jump& known : jumps)
    if (known.kind == JumpKind::relay && known.function.is_equal(own + half * known.sign)) return call.op(3) * known.sign;
  jumps.push_back({own + half * sign, sign, 0, JumpKind::relay});
  return call.op(3) * sign;
}

}  // namespace sfg
