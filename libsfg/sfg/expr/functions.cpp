#include "sfg/expr/functions.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sfg/error.hpp"
#include "sfg/numeric/lookup_table.hpp"

namespace sfg {

namespace {

using GiNaC::ex;
using GiNaC::ex_to;
using GiNaC::exvector;
using Number = GiNaC::numeric;

bool is_real_number(const ex& x) { return GiNaC::is_exactly_a<Number>(x) && ex_to<Number>(x).is_real(); }

/// −1, 0, 1 where the sign is known; 2 where it is not.
int known_sign(const ex& x) {
  if (is_real_number(x)) return ex_to<Number>(x).csgn();
  if (x.info(GiNaC::info_flags::positive)) return 1;
  if (x.info(GiNaC::info_flags::negative)) return -1;
  return 2;
}

unsigned serial_of_abs();
unsigned serial_of_sign();
unsigned serial_of_step();
unsigned serial_of_min();
unsigned serial_of_max();
unsigned serial_of_floor();
unsigned serial_of_backlash();
unsigned serial_of_hysteresis();
unsigned serial_of_lookup();

ex held(unsigned serial, const ex& x) { return GiNaC::function(serial, x).hold(); }
ex held(unsigned serial, const ex& a, const ex& b) { return GiNaC::function(serial, a, b).hold(); }

ex eval_abs(const ex& x) {
  const int s = known_sign(x);
  return s == 2 ? held(serial_of_abs(), x) : ex(s * x);
}
ex evalf_abs(const ex& x) { return is_real_number(x) ? eval_abs(x) : held(serial_of_abs(), x); }
ex derivative_abs(const ex& x, unsigned) { return sign(x); }

ex eval_sign(const ex& x) {
  const int s = known_sign(x);
  return s == 2 ? held(serial_of_sign(), x) : ex(s);
}
ex evalf_sign(const ex& x) { return is_real_number(x) ? eval_sign(x) : held(serial_of_sign(), x); }
ex derivative_zero(const ex&, unsigned) { return 0; }

ex eval_step(const ex& x) {
  const int s = known_sign(x);
  return s == 2 ? held(serial_of_step(), x) : ex(s < 0 ? 0 : 1);
}
ex evalf_step(const ex& x) { return is_real_number(x) ? eval_step(x) : held(serial_of_step(), x); }

ex eval_min(const ex& a, const ex& b) {
  if (a.is_equal(b)) return a;
  if (is_real_number(a) && is_real_number(b)) return ex_to<Number>(a) < ex_to<Number>(b) ? a : b;
  return held(serial_of_min(), a, b);
}
ex evalf_min(const ex& a, const ex& b) { return eval_min(a, b); }
ex eval_max(const ex& a, const ex& b) {
  if (a.is_equal(b)) return a;
  if (is_real_number(a) && is_real_number(b)) return ex_to<Number>(a) < ex_to<Number>(b) ? b : a;
  return held(serial_of_max(), a, b);
}
ex evalf_max(const ex& a, const ex& b) { return eval_max(a, b); }

// At a = b both one-sided derivatives are possible; the choice below makes the two partial derivatives add up to 1.
ex derivative_min(const ex& a, const ex& b, unsigned argument) {
  const ex first_is_least = unit_step(b - a);
  return argument == 0 ? first_is_least : 1 - first_is_least;
}
ex derivative_max(const ex& a, const ex& b, unsigned argument) {
  const ex first_is_greatest = unit_step(a - b);
  return argument == 0 ? first_is_greatest : 1 - first_is_greatest;
}

ex eval_floor(const ex& x) {
  if (!is_real_number(x)) return held(serial_of_floor(), x);
  const Number& n = ex_to<Number>(x);
  if (!n.is_rational()) return Number(std::floor(n.to_double()));
  const Number quotient = GiNaC::iquo(n.numer(), n.denom());  // towards 0
  return n.is_negative() && !n.is_integer() ? quotient - 1 : quotient;
}
ex evalf_floor(const ex& x) { return eval_floor(x); }

// Laws with memory are values of their past: they stay what they are, and have no derivative as functions.
[[noreturn]] ex no_derivative(const char* name) {
  throw Error(SourceSpan{}, std::string("a law with ") + name + " has memory, and no derivative",
              "linearise by its describing function, or choose a law without memory");
}
ex held_backlash(const ex& u, const ex& width) { return held(serial_of_backlash(), u, width); }
ex derivative_backlash(const ex&, const ex&, unsigned) { return no_derivative("backlash"); }
ex held_hysteresis(const ex& u, const ex& on, const ex& off, const ex& size) {
  return GiNaC::function(serial_of_hysteresis(), u, on, off, size).hold();
}
ex derivative_hysteresis(const ex&, const ex&, const ex&, const ex&, unsigned) { return no_derivative("hysteresis"); }

ex eval_lookup(const ex& u, const ex& code) { return held(serial_of_lookup(), u, code); }
ex evalf_lookup(const ex& u, const ex& code) {
  if (!is_real_number(u)) return held(serial_of_lookup(), u, code);
  return GiNaC::numeric(sfg::numeric::looked_up(ex_to<Number>(code).to_double(), ex_to<Number>(u).to_double()));
}
ex derivative_lookup(const ex& u, const ex& code, unsigned argument) {
  constexpr int highest = 3;  // of a cubic
  if (argument != 0 || ex_to<Number>(code).to_int() % 8 >= highest) return 0;
  return held(serial_of_lookup(), u, code + 1);
}

template <class Eval, class Evalf, class Derivative>
unsigned registered(const char* name, unsigned arguments, Eval eval, Evalf evalf, Derivative derivative) {
  GiNaC::function_options options(name, arguments);
  options.eval_func(eval).evalf_func(evalf).derivative_func(derivative);
  options.overloaded(2);  // GiNaC has an abs and a step of its own and would warn on standard error
  return GiNaC::function::register_new(options);
}

unsigned serial_of_abs() {
  static const unsigned serial = registered("abs", 1, eval_abs, evalf_abs, derivative_abs);
  return serial;
}
unsigned serial_of_sign() {
  static const unsigned serial = registered("sign", 1, eval_sign, evalf_sign, derivative_zero);
  return serial;
}
unsigned serial_of_step() {
  static const unsigned serial = registered("step", 1, eval_step, evalf_step, derivative_zero);
  return serial;
}
unsigned serial_of_min() {
  static const unsigned serial = registered("min", 2, eval_min, evalf_min, derivative_min);
  return serial;
}
unsigned serial_of_max() {
  static const unsigned serial = registered("max", 2, eval_max, evalf_max, derivative_max);
  return serial;
}

unsigned serial_of_floor() {
  static const unsigned serial = registered("floor", 1, eval_floor, evalf_floor, derivative_zero);
  return serial;
}
unsigned serial_of_backlash() {
  static const unsigned serial = registered("backlash", 2, held_backlash, held_backlash, derivative_backlash);
  return serial;
}
unsigned serial_of_hysteresis() {
  static const unsigned serial = registered("hysteresis", 4, held_hysteresis, held_hysteresis, derivative_hysteresis);
  return serial;
}
unsigned serial_of_lookup() {
  static const unsigned serial = registered("lookup", 2, eval_lookup, evalf_lookup, derivative_lookup);
  return serial;
}

ex folded(ex (*binary)(const ex&, const ex&), const exvector& arguments) {
  ex result = arguments.front();
  for (std::size_t i = 1; i < arguments.size(); ++i) result = binary(result, arguments[i]);
  return result;
}

void refuse_negative(const ex& width, const char* what) {
  if (known_sign(width) == -1) throw Error(SourceSpan{}, std::string(what) + " is negative", "state its size, a positive number");
}

// Laws without memory are written with what is there already: what prints, differentiates and compiles these does so with them.
ex dead_zone(const exvector& a) {
  if (a.size() == 2) refuse_negative(a[1], "the half width of a dead zone");
  const ex low = a.size() == 3 ? a[1] : -a[1], high = a.back();
  return maximum(a[0] - high, 0) + minimum(a[0] - low, 0);
}
ex saturation(const exvector& a) {
  if (a.size() == 2) refuse_negative(a[1], "the limit of a saturation");
  return maximum(a.size() == 3 ? a[1] : -a[1], minimum(a[0], a.back()));
}
ex coulomb(const exvector& a) { return a[1] * sign(a[0]); }
ex stribeck(const exvector& a) { return sign(a[0]) * (a[1] + (a[2] - a[1]) * GiNaC::exp(-GiNaC::power(a[0] / a[3], 2))); }
/// At rest up to the force of break-away, in motion the other one: step(−|v|) holds at rest alone.
ex friction(const exvector& a) {
  refuse_negative(a[1], "the friction in motion");
  if (known_sign(a[2] - a[1]) == -1)
    throw Error(SourceSpan{}, "the friction at rest is less than that in motion",
                "write friction(v, Fc, Fs) with Fs not below Fc");
  return sign(a[0]) * (a[1] + (a[2] - a[1]) * unit_step(-absolute(a[0])));
}
ex quantise(const exvector& a) {
  if (a[1].is_zero()) throw Error(SourceSpan{}, "the step of a quantiser is 0", "state its size, a positive number");
  return a[1] * whole_part(a[0] / a[1] + Number(1, 2));
}
/// 1/Σ 1/a; 0 where one of them is 0, a short circuit.
ex parallel(const exvector& a) {
  ex sum = 0;
  for (const ex& part : a) {
    if (part.is_zero()) return 0;
    sum += GiNaC::power(part, -1);
  }
  if (sum.is_zero())
    throw Error(SourceSpan{}, "the parallel combination is infinite: its parts cancel each other", "correct the signs");
  return GiNaC::power(sum, -1);
}
ex relay(const exvector& a) {
  if (a.size() == 2) return a[1] * sign(a[0]);
  return a[2] * (unit_step(a[0] - a[1]) - unit_step(-a[0] - a[1]));
}
ex relay_with_hysteresis(const exvector& a) {
  return a.size() == 4 ? hysteresis(a[0], a[1], a[2], a[3]) : hysteresis(a[0], a[1], -a[1], a[2]);
}
ex slope(const exvector& a) {
  const bool table = function_name(a[0]) == "lookup";
  if (!table) throw Error(SourceSpan{}, "slope is of a table, and this is none", "write slope(name(u)) with the name of a table");
  return derivative_lookup(a[0].op(0), a[0].op(1), 0);
}

const std::vector<FunctionRule>& rules() {
  static const std::vector<FunctionRule> table{
      {"abs", 1, 1, [](const exvector& a) { return absolute(a[0]); }},
      {"acos", 1, 1, [](const exvector& a) -> ex { return GiNaC::acos(a[0]); }},
      {"asin", 1, 1, [](const exvector& a) -> ex { return GiNaC::asin(a[0]); }},
      {"atan", 1, 1, [](const exvector& a) -> ex { return GiNaC::atan(a[0]); }},
      {"atan2", 2, 2, [](const exvector& a) -> ex { return GiNaC::atan2(a[0], a[1]); }},
      {"backlash", 2, 2, [](const exvector& a) { return backlash(a[0], a[1]); }},
      {"cos", 1, 1, [](const exvector& a) -> ex { return GiNaC::cos(a[0]); }},
      {"cosh", 1, 1, [](const exvector& a) -> ex { return GiNaC::cosh(a[0]); }},
      {"coulomb", 2, 2, coulomb},
      {"dead_zone", 2, 3, dead_zone},
      {"exp", 1, 1, [](const exvector& a) -> ex { return GiNaC::exp(a[0]); }},
      {"floor", 1, 1, [](const exvector& a) { return whole_part(a[0]); }},
      {"friction", 3, 3, friction},
      {"hysteresis", 3, 4, relay_with_hysteresis},
      {"log", 1, 1, [](const exvector& a) -> ex { return GiNaC::log(a[0]); }},
      {"max", 2, FunctionRule::any, [](const exvector& a) { return folded(maximum, a); }},
      {"min", 2, FunctionRule::any, [](const exvector& a) { return folded(minimum, a); }},
      {"parallel", 2, FunctionRule::any, parallel},
      {"quantise", 2, 2, quantise},
      {"relay", 2, 3, relay},
      {"saturation", 2, 3, saturation},
      {"sign", 1, 1, [](const exvector& a) { return sign(a[0]); }},
      {"sin", 1, 1, [](const exvector& a) -> ex { return GiNaC::sin(a[0]); }},
      {"sinh", 1, 1, [](const exvector& a) -> ex { return GiNaC::sinh(a[0]); }},
      {"slope", 1, 1, slope},
      {"sqrt", 1, 1, [](const exvector& a) -> ex { return GiNaC::sqrt(a[0]); }},
      {"step", 1, 1, [](const exvector& a) { return unit_step(a[0]); }},
      {"stribeck", 4, 4, stribeck},
      {"tan", 1, 1, [](const exvector& a) -> ex { return GiNaC::tan(a[0]); }},
      {"tanh", 1, 1, [](const exvector& a) -> ex { return GiNaC::tanh(a[0]); }},
  };
  return table;
}

}  // namespace

ex absolute(const ex& x) { return GiNaC::function(serial_of_abs(), x); }
ex sign(const ex& x) { return GiNaC::function(serial_of_sign(), x); }
ex unit_step(const ex& x) { return GiNaC::function(serial_of_step(), x); }
ex minimum(const ex& a, const ex& b) { return GiNaC::function(serial_of_min(), a, b); }
ex maximum(const ex& a, const ex& b) { return GiNaC::function(serial_of_max(), a, b); }

ex whole_part(const ex& x) { return GiNaC::function(serial_of_floor(), x); }
ex backlash(const ex& u, const ex& width) {
  refuse_negative(width, "the width of a backlash");
  return GiNaC::function(serial_of_backlash(), u, width);
}
ex hysteresis(const ex& u, const ex& on, const ex& off, const ex& size) {
  if (known_sign(on - off) == -1)
    throw Error(SourceSpan{}, "a relay with hysteresis switches on below where it switches off",
                "write hysteresis(u, on, off, size) with on above off");
  return GiNaC::function(serial_of_hysteresis(), u, on, off, size);
}
ex table_value(const ex& u, std::size_t table) {
  return GiNaC::function(serial_of_lookup(), u, GiNaC::numeric(static_cast<long>(sfg::numeric::lookup_code(table))));
}

const FunctionRule* function_rule(std::string_view name) {
  const auto found = std::ranges::find(rules(), name, &FunctionRule::name);
  return found == rules().end() ? nullptr : &*found;
}

std::string function_name(const ex& e) {
  return GiNaC::is_exactly_a<GiNaC::function>(e) ? ex_to<GiNaC::function>(e).get_name() : std::string();
}

std::span<const std::string> function_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const FunctionRule& rule : rules()) all.push_back(rule.name);
    return all;
  }();
  return names;
}

}  // namespace sfg
