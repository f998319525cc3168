#include "sfg/response/switching_times.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <type_traits>

#include "sfg/exact/flint.hpp"
#include "sfg/expr/compile.hpp"
#include "sfg/expr/functions.hpp"
#include "sfg/numeric/operations.hpp"

namespace sfg {

namespace exact {

static constexpr slong ball_bits = 96;

template <class Function, class... Balls>
static RealBall ball(Function function, const Balls&... of) {
  RealBall result;
  if constexpr (std::is_invocable_v<Function, arb_ptr, decltype(of.get())..., slong>)
    function(result, of.get()..., ball_bits);
  else
    function(result, of.get()...);
  return result;
}
static RealBall ball(double x) {
  RealBall result;
  arb_set_d(result, x);
  return result;
}
static RealBall unknown() {
  RealBall result;
  arb_indeterminate(result);
  return result;
}

// What numeric::applied() asks for.
static RealBall operator+(const RealBall& a, const RealBall& b) { return ball(arb_add, a, b); }
static RealBall operator-(const RealBall& a, const RealBall& b) { return ball(arb_sub, a, b); }
static RealBall operator*(const RealBall& a, const RealBall& b) { return ball(arb_mul, a, b); }
static RealBall operator/(const RealBall& a, const RealBall& b) { return ball(arb_div, a, b); }
static RealBall operator-(const RealBall& a) { return ball(arb_neg, a); }
static RealBall power(const RealBall& a, const RealBall& b) { return ball(arb_pow, a, b); }
static RealBall sqrt(const RealBall& a) { return ball(arb_sqrt, a); }
static RealBall exp(const RealBall& a) { return ball(arb_exp, a); }
static RealBall log(const RealBall& a) { return ball(arb_log, a); }
static RealBall sin(const RealBall& a) { return ball(arb_sin, a); }
static RealBall cos(const RealBall& a) { return ball(arb_cos, a); }
static RealBall tan(const RealBall& a) { return ball(arb_tan, a); }
static RealBall asin(const RealBall& a) { return ball(arb_asin, a); }
static RealBall acos(const RealBall& a) { return ball(arb_acos, a); }
static RealBall atan(const RealBall& a) { return ball(arb_atan, a); }
static RealBall atan2(const RealBall& a, const RealBall& b) { return ball(arb_atan2, a, b); }
static RealBall sinh(const RealBall& a) { return ball(arb_sinh, a); }
static RealBall cosh(const RealBall& a) { return ball(arb_cosh, a); }
static RealBall tanh(const RealBall& a) { return ball(arb_tanh, a); }
static RealBall abs(const RealBall& a) { return ball(arb_abs, a); }
static RealBall sign(const RealBall& a) { return ball(arb_sgn, a); }
static RealBall step(const RealBall& a) { return (sign(a) + ball(1.0)) * ball(0.5); }
static RealBall min(const RealBall& a, const RealBall& b) { return ball(arb_min, a, b); }
static RealBall max(const RealBall& a, const RealBall& b) { return ball(arb_max, a, b); }
static RealBall floor(const RealBall&) { return unknown(); }
static RealBall lookup(const RealBall&, const RealBall&) { return unknown(); }

/// Balls as an algebra for derivatives.
struct Balls {
  using Value = RealBall;
  Value constant(double x) const { return ball(x); }
  Value add(const Value& a, const Value& b) const { return a + b; }
  Value subtract(const Value& a, const Value& b) const { return a - b; }
  Value multiply(const Value& a, const Value& b) const { return a * b; }
  Value divide(const Value& a, const Value& b) const { return a / b; }
  Value negate(const Value& a) const { return -a; }
  Value power(const Value& a, std::int32_t exponent) const {
    Value raised;
    arb_pow_ui(raised, a, static_cast<ulong>(std::abs(exponent)), ball_bits);
    return exponent < 0 ? ball(arb_inv, raised) : raised;
  }
  Value apply(numeric::Operation operation, const Value& a, const Value& b = {}) const {
    return numeric::applied(operation, a, b);
  }
};

}  // namespace exact

namespace {

using exact::RealBall;

int sign_of(const RealBall& x) { return arb_is_positive(x) != 0 ? 1 : arb_is_negative(x) != 0 ? -1 : 0; }
bool may_vanish(const RealBall& x) { return !arb_is_finite(x) || arb_contains_zero(x) != 0; }

/// A value and its derivative by time, over an interval of time.
struct Enclosure {
  RealBall value, slope;
};

Enclosure enclosed_operation(const numeric::Instruction& i, const Enclosure& a, const Enclosure& b) {
  using numeric::Operation;
  exact::Balls balls;
  const RealBall value =
      i.operation == Operation::integer_power ? balls.power(a.value, i.exponent()) : balls.apply(i.operation, a.value, b.value);
  switch (i.operation) {
    case Operation::min:
    case Operation::max: {
      const bool first = i.operation == Operation::min ? arb_lt(a.value, b.value) != 0 : arb_gt(a.value, b.value) != 0,
                 second = i.operation == Operation::min ? arb_gt(a.value, b.value) != 0 : arb_lt(a.value, b.value) != 0;
      return {value, first ? a.slope : second ? b.slope : exact::ball(arb_union, a.slope, b.slope)};
    }
    case Operation::sign:
    case Operation::step:  // over a jump it has no bound
      return {value, may_vanish(a.value) ? exact::unknown() : RealBall()};
    case Operation::asin:
    case Operation::acos:
    case Operation::atan2:  // whose slopes nobody has asked for
    case Operation::floor:
    case Operation::lookup: return {value, exact::unknown()};
    default: break;
  }
  const bool two = numeric::operand_count(i.operation) == 2;
  const auto by = numeric::partials(balls, i, value, a.value, b.value, two && arb_is_zero(b.slope) != 0);
  return {value, two ? by.left * a.slope + by.right * b.slope : by.left * a.slope};
}

/// Runs a tape of one input over intervals.
class IntervalTape {
 public:
  explicit IntervalTape(const numeric::Tape& tape) : tape_(tape) {}

  const Enclosure& over(double a, double b) {
    const RealBall time = exact::ball(arb_union, exact::ball(a), exact::ball(b));
    numeric::run_over(
        tape_, values_,
        [](double x) {
          return Enclosure{exact::ball(x), {}};
        },
        [&](std::uint32_t) {
          return Enclosure{time, exact::ball(1.0)};
        },
        enclosed_operation);
    return values_[tape_.outputs().front()];
  }

 private:
  const numeric::Tape& tape_;
  std::vector<Enclosure> values_ = {};
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
  /// @param touched  where a zero could not be told from a touch: known to a part of the time, not to a double
  ZeroSearch(const numeric::Tape& tape, double until, const Budget& budget, SwitchingTimes& found, std::vector<double>& touched)
      : tape_(tape), narrowest_(until * 0x1p-48), budget_(budget), found_(found), touched_(touched) {}

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
      touched_.push_back(middle);
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
  std::vector<double>& touched_;
  std::size_t intervals_ = 0;
};

}  // namespace

GiNaC::ex with_known_signs(const GiNaC::ex& e) { return KnownSigns()(e); }

SwitchingTimes switching_times(const GiNaC::ex& u, const GiNaC::ex& t, double until, const Budget& budget) {
  SwitchingTimes found;
  std::vector<double> touched;
  for (const GiNaC::ex& argument : arguments(with_known_signs(u), t)) {
    const numeric::Tape tape = compile(std::span(&argument, 1), std::span(&t, 1));
    ZeroSearch(tape, until, budget, found, touched).search(0, until);
  }
  const double same = until * 0x1p-46;  // around a touch several narrow intervals are left
  const auto apart = [&] {
    std::ranges::sort(found.times);
    const auto last = std::unique(found.times.begin(), found.times.end(), [same](double a, double b) { return b - a <= same; });
    found.times.erase(last, found.times.end());
  };
  apart();
  // A zero that is known to a double goes before what touches there: max(0, sign(t - 1)) switches where sign(t - 1) does.
  const std::vector<double> exact = found.times;
  std::ranges::copy_if(touched, std::back_inserter(found.times), [&](double t) {
    const auto next = std::ranges::lower_bound(exact, t - same);
    return next == exact.end() || *next > t + same;
  });
  apart();
  std::erase_if(found.times, [&](double time) { return time <= 0 || time >= until; });
  return found;
}

}  // namespace sfg
