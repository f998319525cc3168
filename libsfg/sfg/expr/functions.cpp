#include "sfg/expr/functions.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <vector>

namespace sfg {

namespace {

using GiNaC::ex;
using GiNaC::ex_to;
using GiNaC::exvector;
using GiNaC::numeric;

bool is_real_number(const ex& x) { return GiNaC::is_exactly_a<numeric>(x) && ex_to<numeric>(x).is_real(); }

/// −1, 0, 1 where the sign is known; 2 where it is not.
int known_sign(const ex& x) {
  if (is_real_number(x)) return ex_to<numeric>(x).csgn();
  if (x.info(GiNaC::info_flags::positive)) return 1;
  if (x.info(GiNaC::info_flags::negative)) return -1;
  return 2;
}

unsigned serial_of_abs();
unsigned serial_of_sign();
unsigned serial_of_step();
unsigned serial_of_min();
unsigned serial_of_max();

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
  if (is_real_number(a) && is_real_number(b)) return ex_to<numeric>(a) < ex_to<numeric>(b) ? a : b;
  return held(serial_of_min(), a, b);
}
ex evalf_min(const ex& a, const ex& b) { return eval_min(a, b); }
ex eval_max(const ex& a, const ex& b) {
  if (a.is_equal(b)) return a;
  if (is_real_number(a) && is_real_number(b)) return ex_to<numeric>(a) < ex_to<numeric>(b) ? b : a;
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

ex folded(ex (*binary)(const ex&, const ex&), const exvector& arguments) {
  ex result = arguments.front();
  for (std::size_t i = 1; i < arguments.size(); ++i) result = binary(result, arguments[i]);
  return result;
}

const std::vector<FunctionRule>& rules() {
  static const std::vector<FunctionRule> table{
      {"abs", 1, 1, [](const exvector& a) { return absolute(a[0]); }},
      {"acos", 1, 1, [](const exvector& a) -> ex { return GiNaC::acos(a[0]); }},
      {"asin", 1, 1, [](const exvector& a) -> ex { return GiNaC::asin(a[0]); }},
      {"atan", 1, 1, [](const exvector& a) -> ex { return GiNaC::atan(a[0]); }},
      {"atan2", 2, 2, [](const exvector& a) -> ex { return GiNaC::atan2(a[0], a[1]); }},
      {"cos", 1, 1, [](const exvector& a) -> ex { return GiNaC::cos(a[0]); }},
      {"cosh", 1, 1, [](const exvector& a) -> ex { return GiNaC::cosh(a[0]); }},
      {"exp", 1, 1, [](const exvector& a) -> ex { return GiNaC::exp(a[0]); }},
      {"log", 1, 1, [](const exvector& a) -> ex { return GiNaC::log(a[0]); }},
      {"max", 2, FunctionRule::any, [](const exvector& a) { return folded(maximum, a); }},
      {"min", 2, FunctionRule::any, [](const exvector& a) { return folded(minimum, a); }},
      {"sign", 1, 1, [](const exvector& a) { return sign(a[0]); }},
      {"sin", 1, 1, [](const exvector& a) -> ex { return GiNaC::sin(a[0]); }},
      {"sinh", 1, 1, [](const exvector& a) -> ex { return GiNaC::sinh(a[0]); }},
      {"sqrt", 1, 1, [](const exvector& a) -> ex { return GiNaC::sqrt(a[0]); }},
      {"step", 1, 1, [](const exvector& a) { return unit_step(a[0]); }},
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

const FunctionRule* function_rule(std::string_view name) {
  const auto found = std::ranges::find(rules(), name, &FunctionRule::name);
  return found == rules().end() ? nullptr : &*found;
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
