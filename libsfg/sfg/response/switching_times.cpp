#include "sfg/response/switching_times.hpp"

#include <ginac/ginac.h>

#include <arb.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "sfg/expr/compile.hpp"

namespace sfg {

namespace {

constexpr slong precision = 96;

class Ball {
 public:
  Ball() { arb_init(x); }
  Ball(const Ball& other) : Ball() { arb_set(x, other.x); }
  Ball& operator=(const Ball& other) {
    arb_set(x, other.x);
    return *this;
  }
  ~Ball() { arb_clear(x); }
  int sign() const { return arb_is_positive(x) != 0 ? 1 : arb_is_negative(x) != 0 ? -1 : 0; }
  bool may_vanish() const { return !arb_is_finite(x) || arb_contains_zero(x) != 0; }
  arb_t x;
};

/// A value and its derivative by time, over an interval of time.
struct Enclosure {
  Ball value, slope;
};

void set_unknown(Ball& ball) { arb_indeterminate(ball.x); }

/// Runs a tape of one input over intervals.
class IntervalTape {
 public:
  explicit IntervalTape(const numeric::Tape& tape) : tape_(tape), values_(tape.instructions().size()) {}

  Enclosure over(double a, double b) {
    Ball time, end;
    arb_set_d(time.x, a);
    arb_set_d(end.x, b);
    arb_union(time.x, time.x, end.x, precision);
    for (std::size_t i = 0; i < values_.size(); ++i) run(tape_.instructions()[i], time, values_[i]);
    return values_[tape_.outputs().front()];
  }

 private:
  void run(const numeric::Instruction& instruction, const Ball& time, Enclosure& result) {
    using numeric::Operation;
    arb_zero(result.slope.x);
    switch (instruction.operation) {
      case Operation::constant: arb_set_d(result.value.x, tape_.constants()[instruction.left]); return;
      case Operation::input:
        result.value = time;
        arb_one(result.slope.x);
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
    Ball work;
    switch (operation) {
      case Operation::add:
        arb_add(r.value.x, a.value.x, b.value.x, precision);
        arb_add(r.slope.x, a.slope.x, b.slope.x, precision);
        return;
      case Operation::subtract:
        arb_sub(r.value.x, a.value.x, b.value.x, precision);
        arb_sub(r.slope.x, a.slope.x, b.slope.x, precision);
        return;
      case Operation::multiply:
        arb_mul(r.value.x, a.value.x, b.value.x, precision);
        arb_mul(r.slope.x, a.slope.x, b.value.x, precision);
        arb_addmul(r.slope.x, a.value.x, b.slope.x, precision);
        return;
      case Operation::divide:  // (a′ − r b′)/b
        arb_div(r.value.x, a.value.x, b.value.x, precision);
        arb_mul(work.x, r.value.x, b.slope.x, precision);
        arb_sub(r.slope.x, a.slope.x, work.x, precision);
        arb_div(r.slope.x, r.slope.x, b.value.x, precision);
        return;
      case Operation::power: {  // a^b (b′ log a + b a′/a)
        arb_pow(r.value.x, a.value.x, b.value.x, precision);
        arb_log(work.x, a.value.x, precision);
        arb_mul(work.x, work.x, b.slope.x, precision);
        if (arb_is_zero(b.slope.x)) arb_zero(work.x);
        arb_div(r.slope.x, a.slope.x, a.value.x, precision);
        arb_mul(r.slope.x, r.slope.x, b.value.x, precision);
        arb_add(r.slope.x, r.slope.x, work.x, precision);
        arb_mul(r.slope.x, r.slope.x, r.value.x, precision);
        return;
      }
      case Operation::atan2:
        arb_atan2(r.value.x, a.value.x, b.value.x, precision);
        set_unknown(r.slope);
        return;
      case Operation::min:
      case Operation::max: {
        (operation == Operation::min ? arb_min : arb_max)(r.value.x, a.value.x, b.value.x, precision);
        const bool least = operation == Operation::min;
        if (arb_lt(a.value.x, b.value.x) != 0)
          r.slope = least ? a.slope : b.slope;
        else if (arb_gt(a.value.x, b.value.x) != 0)
          r.slope = least ? b.slope : a.slope;
        else
          arb_union(r.slope.x, a.slope.x, b.slope.x, precision);
        return;
      }
      default: set_unknown(r.value), set_unknown(r.slope); return;
    }
  }

  static void of_one(const numeric::Instruction& instruction, const Enclosure& a, Enclosure& r) {
    using numeric::Operation;
    Ball one, work;  // work: the derivative of the function
    arb_one(one.x);
    switch (instruction.operation) {
      case Operation::negate:
        arb_neg(r.value.x, a.value.x);
        arb_neg(r.slope.x, a.slope.x);
        return;
      case Operation::integer_power: {
        const slong n = instruction.exponent();
        const auto raised = [&](arb_t to, slong k) {
          arb_pow_ui(to, a.value.x, static_cast<ulong>(k < 0 ? -k : k), precision);
          if (k < 0) arb_inv(to, to, precision);
        };
        raised(r.value.x, n);
        raised(work.x, n - 1);
        arb_mul_si(work.x, work.x, n, precision);
        break;
      }
      case Operation::sqrt:
        arb_sqrt(r.value.x, a.value.x, precision);
        arb_mul_2exp_si(work.x, r.value.x, 1);
        arb_inv(work.x, work.x, precision);
        break;
      case Operation::exp:
        arb_exp(r.value.x, a.value.x, precision);
        work = r.value;
        break;
      case Operation::log:
        arb_log(r.value.x, a.value.x, precision);
        arb_inv(work.x, a.value.x, precision);
        break;
      case Operation::sin: arb_sin_cos(r.value.x, work.x, a.value.x, precision); break;
      case Operation::cos:
        arb_sin_cos(work.x, r.value.x, a.value.x, precision);
        arb_neg(work.x, work.x);
        break;
      case Operation::tan:
        arb_tan(r.value.x, a.value.x, precision);
        arb_sqr(work.x, r.value.x, precision);
        arb_add(work.x, work.x, one.x, precision);
        break;
      case Operation::atan:
        arb_atan(r.value.x, a.value.x, precision);
        arb_sqr(work.x, a.value.x, precision);
        arb_add(work.x, work.x, one.x, precision);
        arb_inv(work.x, work.x, precision);
        break;
      case Operation::sinh: arb_sinh_cosh(r.value.x, work.x, a.value.x, precision); break;
      case Operation::cosh: arb_sinh_cosh(work.x, r.value.x, a.value.x, precision); break;
      case Operation::tanh:
        arb_tanh(r.value.x, a.value.x, precision);
        arb_sqr(work.x, r.value.x, precision);
        arb_sub(work.x, one.x, work.x, precision);
        break;
      case Operation::asin:
        arb_asin(r.value.x, a.value.x, precision);
        set_unknown(work);
        break;
      case Operation::acos:
        arb_acos(r.value.x, a.value.x, precision);
        set_unknown(work);
        break;
      case Operation::abs:
        arb_abs(r.value.x, a.value.x);
        arb_sgn(work.x, a.value.x);
        break;
      case Operation::sign:
        arb_sgn(r.value.x, a.value.x);
        if (a.value.may_vanish()) set_unknown(work);
        break;
      case Operation::step:
        arb_sgn(r.value.x, a.value.x);
        arb_add(r.value.x, r.value.x, one.x, precision);
        arb_mul_2exp_si(r.value.x, r.value.x, -1);
        if (a.value.may_vanish()) set_unknown(work);
        break;
      default: set_unknown(r.value), set_unknown(work); break;
    }
    arb_mul(r.slope.x, work.x, a.slope.x, precision);
  }

  const numeric::Tape& tape_;
  std::vector<Enclosure> values_;
};

/// What the switches of an expression ask about.
std::vector<GiNaC::ex> arguments(const GiNaC::ex& u, const GiNaC::ex& t) {
  std::vector<GiNaC::ex> found;
  for (auto i = u.preorder_begin(); i != u.preorder_end(); ++i) {
    if (!GiNaC::is_a<GiNaC::function>(*i) || !i->has(t)) continue;
    const std::string name = GiNaC::ex_to<GiNaC::function>(*i).get_name();
    GiNaC::ex argument;
    if (name == "min" || name == "max")
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
    if (!g.value.may_vanish() || arb_is_zero(g.value.x) != 0) return;
    if (!g.slope.may_vanish()) {
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
    const int left = tape_.over(a, a).value.sign(), right = tape_.over(b, b).value.sign();
    if (left == right && left != 0) return;
    if (left == 0 || right == 0) {
      found_.times.push_back(left == 0 ? a : b);
      return;
    }
    for (double middle = a + (b - a) / 2; middle > a && middle < b; middle = a + (b - a) / 2) {
      const int sign = tape_.over(middle, middle).value.sign();
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

SwitchingTimes switching_times(const GiNaC::ex& u, const GiNaC::ex& t, double until, const Budget& budget) {
  SwitchingTimes found;
  for (const GiNaC::ex& argument : arguments(u, t)) {
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
