#include "sfg/response/switching_times.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "sfg/exact/flint.hpp"
#include "sfg/expr/compile.hpp"
#include "sfg/expr/functions.hpp"

namespace sfg {

namespace {

using exact::RealBall;

constexpr slong precision = 96;

int sign_of(const RealBall& x) { return arb_is_positive(x) != 0 ? 1 : arb_is_negative(x) != 0 ? -1 : 0; }
bool may_vanish(const RealBall& x) { return !arb_is_finite(x) || arb_contains_zero(x) != 0; }

/// A value and its derivative by time, over an interval of time.
struct Enclosure {
  RealBall value, slope;
};

void set_unknown(RealBall& ball) { arb_indeterminate(ball); }

/// Runs a tape of one input over intervals.
class IntervalTape {
 public:
  explicit IntervalTape(const numeric::Tape& tape) : tape_(tape), values_(tape.instructions().size()) {}

  Enclosure over(double a, double b) {
    RealBall time, end;
    arb_set_d(time, a);
    arb_set_d(end, b);
    arb_union(time, time, end, precision);
    for (std::size_t i = 0; i < values_.size(); ++i) run(tape_.instructions()[i], time, values_[i]);
    return values_[tape_.outputs().front()];
  }

 private:
  void run(const numeric::Instruction& instruction, const RealBall& time, Enclosure& result) {
    using numeric::Operation;
    arb_zero(result.slope);
    switch (instruction.operation) {
      case Operation::constant: arb_set_d(result.value, tape_.constants()[instruction.left]); return;
      case Operation::input:
        result.value = time;
        arb_one(result.slope);
        return;
      default: break;
    }
    const Enclosure& a = values_[instruction.left];
    if (numeric::operand_count(instruction.operation) == 2)
      of_two(instruction.operation, a, values_[instruction.right], result);
    else
      of_one(instruction, a, result);
  }

  static void of_two(numeric::Operation operation, const Enclosure& a, const Enclosure& b, Enclosure& r) {
    using numeric::Operation;
    RealBall work;
    switch (operation) {
      case Operation::add:
        arb_add(r.value, a.value, b.value, precision);
        arb_add(r.slope, a.slope, b.slope, precision);
        return;
      case Operation::subtract:
        arb_sub(r.value, a.value, b.value, precision);
        arb_sub(r.slope, a.slope, b.slope, precision);
        return;
      case Operation::multiply:
        arb_mul(r.value, a.value, b.value, precision);
        arb_mul(r.slope, a.slope, b.value, precision);
        arb_addmul(r.slope, a.value, b.slope, precision);
        return;
      case Operation::divide:  // (a′ − r b′)/b
        arb_div(r.value, a.value, b.value, precision);
        arb_mul(work, r.value, b.slope, precision);
        arb_sub(r.slope, a.slope, work, precision);
        arb_div(r.slope, r.slope, b.value, precision);
        return;
      case Operation::power: {  // a^b (b′ log a + b a′/a)
        arb_pow(r.value, a.value, b.value, precision);
        arb_log(work, a.value, precision);
        arb_mul(work, work, b.slope, precision);
        if (arb_is_zero(b.slope)) arb_zero(work);
        arb_div(r.slope, a.slope, a.value, precision);
        arb_mul(r.slope, r.slope, b.value, precision);
        arb_add(r.slope, r.slope, work, precision);
        arb_mul(r.slope, r.slope, r.value, precision);
        return;
      }
      case Operation::atan2:
        arb_atan2(r.value, a.value, b.value, precision);
        set_unknown(r.slope);
        return;
      case Operation::min:
      case Operation::max: {
        (operation == Operation::min ? arb_min : arb_max)(r.value, a.value, b.value, precision);
        const bool least = operation == Operation::min;
        if (arb_lt(a.value, b.value) != 0)
          r.slope = least ? a.slope : b.slope;
        else if (arb_gt(a.value, b.value) != 0)
          r.slope = least ? b.slope : a.slope;
        else
          arb_union(r.slope, a.slope, b.slope, precision);
        return;
      }
      default: set_unknown(r.value), set_unknown(r.slope); return;
    }
  }

  static void of_one(const numeric::Instruction& instruction, const Enclosure& a, Enclosure& r) {
    using numeric::Operation;
    RealBall one, work;  // work: the derivative of the function
    arb_one(one);
    const auto one_plus_square = [&](const RealBall& x) {
      arb_sqr(work, x, precision);
      arb_add(work, work, one, precision);
    };
    switch (instruction.operation) {
      case Operation::negate:
        arb_neg(r.value, a.value);
        arb_neg(r.slope, a.slope);
        return;
      case Operation::integer_power: {
        const slong n = instruction.exponent();
        const auto raised = [&](arb_t to, slong k) {
          arb_pow_ui(to, a.value, static_cast<ulong>(k < 0 ? -k : k), precision);
          if (k < 0) arb_inv(to, to, precision);
        };
        raised(r.value, n);
        raised(work, n - 1);
        arb_mul_si(work, work, n, precision);
        break;
      }
      case Operation::sqrt:
        arb_sqrt(r.value, a.value, precision);
        arb_mul_2exp_si(work, r.value, 1);
        arb_inv(work, work, precision);
        break;
      case Operation::exp:
        arb_exp(r.value, a.value, precision);
        work = r.value;
        break;
      case Operation::log:
        arb_log(r.value, a.value, precision);
        arb_inv(work, a.value, precision);
        break;
      case Operation::sin: arb_sin_cos(r.value, work, a.value, precision); break;
      case Operation::cos:
        arb_sin_cos(work, r.value, a.value, precision);
        arb_neg(work, work);
        break;
      case Operation::tan:
        arb_tan(r.value, a.value, precision);
        one_plus_square(r.value);
        break;
      case Operation::atan:
        arb_atan(r.value, a.value, precision);
        one_plus_square(a.value);
        arb_inv(work, work, precision);
        break;
      case Operation::sinh: arb_sinh_cosh(r.value, work, a.value, precision); break;
      case Operation::cosh: arb_sinh_cosh(work, r.value, a.value, precision); break;
      case Operation::tanh:
        arb_tanh(r.value, a.value, precision);
        arb_sqr(work, r.value, precision);
        arb_sub(work, one, work, precision);
        break;
      case Operation::asin:
        arb_asin(r.value, a.value, precision);
        set_unknown(work);
        break;
      case Operation::acos:
        arb_acos(r.value, a.value, precision);
        set_unknown(work);
        break;
      case Operation::abs:
        arb_abs(r.value, a.value);
        arb_sgn(work, a.value);
        break;
      case Operation::sign:
        arb_sgn(r.value, a.value);
        if (may_vanish(a.value)) set_unknown(work);
        break;
      case Operation::step:
        arb_sgn(r.value, a.value);
        arb_add(r.value, r.value, one, precision);
        arb_mul_2exp_si(r.value, r.value, -1);
        if (may_vanish(a.value)) set_unknown(work);
        break;
      default: set_unknown(r.value), set_unknown(work); break;
    }
    arb_mul(r.slope, work, a.slope, precision);
  }

  const numeric::Tape& tape_;
  std::vector<Enclosure> values_;
};

/// The sign of a product of numbers and exponentials; 0 where it is not known.
int known_sign(const GiNaC::ex& e) {
  if (GiNaC::is_exactly_a<GiNaC::numeric>(e)) {
    const auto& number = GiNaC::ex_to<GiNaC::numeric>(e);
    return !number.is_real() ? 0 : number.is_positive() ? 1 : number.is_negative() ? -1 : 0;
  }
  if (function_name(e) == "exp" || function_name(e) == "cosh") return 1;
  if (GiNaC::is_exactly_a<GiNaC::power>(e)) return known_sign(e.op(0)) == 1 ? 1 : 0;
  if (!GiNaC::is_exactly_a<GiNaC::mul>(e)) return 0;
  int sign = 1;
  for (std::size_t i = 0; i < e.nops(); ++i) sign *= known_sign(e.op(i));
  return sign;
}

class KnownSigns : public GiNaC::map_function {
 public:
  GiNaC::ex operator()(const GiNaC::ex& e) override {
    const GiNaC::ex inner = e.map(*this);
    const std::string name = function_name(inner);
    const int sign = name == "abs" || name == "sign" || name == "step" ? known_sign(inner.op(0)) : 0;
    if (sign == 0) return inner;
    return name == "abs" ? GiNaC::ex(sign * inner.op(0)) : name == "sign" ? GiNaC::ex(sign) : GiNaC::ex(sign > 0 ? 1 : 0);
  }
};

/// What the switches of an expression ask about.
std::vector<GiNaC::ex> arguments(const GiNaC::ex& u, const GiNaC::ex& t) {
  std::vector<GiNaC::ex> found;
  for (auto i = u.preorder_begin(); i != u.preorder_end(); ++i) {
    if (!GiNaC::is_a<GiNaC::function>(*i) || !i->has(t)) continue;
    const std::string name = GiNaC::ex_to<GiNaC::function>(*i).get_name();
    GiNaC::ex argument;
    if (name == "floor")
      argument = GiNaC::sin(GiNaC::Pi * i->op(0));
    else if (name == "min" || name == "max")
      argument = i->op(0) - i->op(1);
    else if (name == "step" || name == "sign" || name == "abs")
      argument = i->op(0);
    else
      continue;
    if (std::none_of(found.begin(), found.end(), [&](const GiNaC::ex& g) { return g.is_equal(argument); }))
      found.push_back(argument);
  }
  return found;
}

class ZeroSearch {
 public:
  ZeroSearch(const numeric::Tape& tape, double until, const Budget& budget, SwitchingTimes& found)
      : tape_(tape), narrowest_(until * 0x1p-48), budget_(budget), found_(found) {}

  void search(double a, double b) {
    constexpr std::size_t most = 300'000;
    if (++intervals_ > most) {
      found_.complete = false;
      return;
    }
    if (intervals_ % 256 == 0) budget_.check("the switches of the input");
    const Enclosure g = tape_.over(a, b);
    if (!may_vanish(g.value) || arb_is_zero(g.value) != 0) return;
    if (!may_vanish(g.slope)) {
      refine(a, b);
      return;
    }
    const double middle = a + (b - a) / 2;
    if (b - a <= narrowest_ || middle <= a || middle >= b) {
      found_.times.push_back(middle);
      return;
    }
    search(a, middle);
    search(middle, b);
  }

 private:
  /// The zero of a monotone argument, if there is one.
  void refine(double a, double b) {
    const int left = sign_of(tape_.over(a, a).value), right = sign_of(tape_.over(b, b).value);
    if (left == right && left != 0) return;
    if (left == 0 || right == 0) {
      found_.times.push_back(left == 0 ? a : b);
      return;
    }
    for (double middle = a + (b - a) / 2; middle > a && middle < b; middle = a + (b - a) / 2) {
      const int sign = sign_of(tape_.over(middle, middle).value);
      if (sign == 0) a = b = middle;
      (sign == left ? a : b) = middle;
    }
    found_.times.push_back(b);
  }

  IntervalTape tape_;
  double narrowest_;
  const Budget& budget_;
  SwitchingTimes& found_;
  std::size_t intervals_ = 0;
};

}  // namespace

GiNaC::ex with_known_signs(const GiNaC::ex& e) { return KnownSigns()(e); }

SwitchingTimes switching_times(const GiNaC::ex& u, const GiNaC::ex& t, double until, const Budget& budget) {
  SwitchingTimes found;
  for (const GiNaC::ex& argument : arguments(with_known_signs(u), t)) {
    const numeric::Tape tape = compile(std::span(&argument, 1), std::span(&t, 1));
    ZeroSearch(tape, until, budget, found).search(0, until);
  }
  std::sort(found.times.begin(), found.times.end());
  const double same = until * 0x1p-46;  // around a touch several narrow intervals are left
  const auto end = std::unique(found.times.begin(), found.times.end(), [same](double a, double b) { return b - a <= same; });
  found.times.erase(end, found.times.end());
  std::erase_if(found.times, [&](double time) { return time <= 0 || time >= until; });
  return found;
}

}  // namespace sfg
