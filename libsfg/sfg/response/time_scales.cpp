// Idea: Taylor series with interval coefficients (Moore, Interval Analysis, 1966): the coefficient of t^7, enclosed over a part
// of the time, bounds what a polynomial of degree 6 leaves there. Parts are taken in the order of what the function may reach in
// them (branch and bound), so that the scale of "small" is known soon and a narrow pulse is found by bisection.
#include "sfg/response/time_scales.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>
#include <queue>

#include "sfg/exact/flint.hpp"
#include "sfg/expr/compile.hpp"
#include "sfg/expr/functions.hpp"
#include "sfg/response/switching_times.hpp"

namespace sfg {

namespace {

using exact::RealBall;
using Series = exact::RealPolynomial;

constexpr slong series_precision = 64;
constexpr slong length = 8;            // of the series
constexpr double small = 1e-8;         // of what a function reaches
constexpr std::size_t most = 100'000;  // parts of a function
constexpr double narrowest = 0x1p-40;  // of the whole time

void set_unknown_series(Series& series) {
  RealBall unknown;
  arb_indeterminate(unknown);
  arb_poly_zero(series);
  for (slong i = 0; i < length; ++i) arb_poly_set_coeff_arb(series, i, unknown);
}

/// Unknown but for its value.
void set_only(Series& series, const arb_t value) {
  set_unknown_series(series);
  arb_poly_set_coeff_arb(series, 0, value);
}

int sign_of_series(const Series& series) {
  RealBall value;
  arb_poly_get_coeff_arb(value, series, 0);
  return arb_is_positive(value) != 0 ? 1 : arb_is_negative(value) != 0 ? -1 : 0;
}

/// Runs a tape of one input with series over intervals of it.
class SeriesTape {
 public:
  explicit SeriesTape(const numeric::Tape& tape) : tape_(tape), values_(tape.instructions().size()) {}

  const Series& over(double a, double b) {
    RealBall time, end;
    arb_set_d(time, a);
    arb_set_d(end, b);
    arb_union(time, time, end, series_precision);
    for (std::size_t i = 0; i < values_.size(); ++i) run(tape_.instructions()[i], time, values_[i]);
    return values_[tape_.outputs().front()];
  }

 private:
  void run(const numeric::Instruction& instruction, const RealBall& time, Series& r) {
    using numeric::Operation;
    RealBall number;
    switch (instruction.operation) {
      case Operation::constant:
        arb_set_d(number, tape_.constants()[instruction.left]);
        arb_poly_set_arb(r, number);
        return;
      case Operation::input:
        arb_poly_zero(r);
        arb_poly_set_coeff_arb(r, 0, time);
        arb_poly_set_coeff_si(r, 1, 1);
        return;
      default: break;
    }
    const Series& a = values_[instruction.left];
    if (numeric::operand_count(instruction.operation) == 2)
      of_two(instruction.operation, a, values_[instruction.right], r);
    else
      of_one(instruction, a, r);
  }

  static void of_two(numeric::Operation operation, const Series& a, const Series& b, Series& r) {
    using numeric::Operation;
    switch (operation) {
      case Operation::add: arb_poly_add(r, a, b, series_precision); return;
      case Operation::subtract: arb_poly_sub(r, a, b, series_precision); return;
      case Operation::multiply: arb_poly_mullow(r, a, b, length, series_precision); return;
      case Operation::divide: arb_poly_div_series(r, a, b, length, series_precision); return;
      case Operation::power: arb_poly_pow_series(r, a, b, length, series_precision); return;
      case Operation::min:
      case Operation::max: {
        Series difference;
        arb_poly_sub(difference, a, b, series_precision);
        const int sign = sign_of_series(difference) * (operation == Operation::max ? 1 : -1);
        sign > 0 ? arb_poly_set(r, a) : sign < 0 ? arb_poly_set(r, b) : set_unknown_series(r);
        return;
      }
      default: set_unknown_series(r); return;
    }
  }

  static void of_one(const numeric::Instruction& instruction, const Series& a, Series& r) {
    using numeric::Operation;
    Series other;
    switch (instruction.operation) {
      case Operation::negate: arb_poly_neg(r, a); return;
      case Operation::integer_power: {
        const slong n = instruction.exponent();
        arb_poly_pow_ui_trunc_binexp(r, a, static_cast<ulong>(n < 0 ? -n : n), length, series_precision);
        if (n < 0) {
          arb_poly_inv_series(other, r, length, series_precision);
          arb_poly_set(r, other);
        }
        return;
      }
      case Operation::sqrt: arb_poly_sqrt_series(r, a, length, series_precision); return;
      case Operation::exp: arb_poly_exp_series(r, a, length, series_precision); return;
      case Operation::log: arb_poly_log_series(r, a, length, series_precision); return;
      case Operation::sin: arb_poly_sin_series(r, a, length, series_precision); return;
      case Operation::cos: arb_poly_cos_series(r, a, length, series_precision); return;
      case Operation::tan: arb_poly_tan_series(r, a, length, series_precision); return;
      case Operation::asin: arb_poly_asin_series(r, a, length, series_precision); return;
      case Operation::acos: arb_poly_acos_series(r, a, length, series_precision); return;
      case Operation::atan: arb_poly_atan_series(r, a, length, series_precision); return;
      case Operation::sinh: arb_poly_sinh_series(r, a, length, series_precision); return;
      case Operation::cosh: arb_poly_cosh_series(r, a, length, series_precision); return;
      case Operation::tanh: tanh_series(r, a); return;
      case Operation::abs:
      case Operation::sign:
      case Operation::step: by_sign(instruction.operation, a, r); return;
      case Operation::floor: {
        RealBall value, whole;
        arb_poly_get_coeff_arb(value, a, 0);
        arb_floor(whole, value, series_precision);
        arb_is_int(whole) != 0 ? arb_poly_set_arb(r, whole) : set_unknown_series(r);
        return;
      }
      default: set_unknown_series(r); return;
    }
  }

  /// 1 − 2/(1 + e^(2a)), with the sign for which the exponential stays finite.
  static void tanh_series(Series& r, const Series& a) {
    const bool negative = sign_of_series(a) < 0;
    Series work, one;
    arb_poly_one(one);
    arb_poly_scalar_mul_2exp_si(work, a, 1);
    if (!negative) arb_poly_neg(work, work);
    arb_poly_exp_series(work, work, length, series_precision);
    arb_poly_add(work, work, one, series_precision);
    arb_poly_inv_series(r, work, length, series_precision);
    arb_poly_scalar_mul_2exp_si(r, r, 1);
    arb_poly_sub(r, r, one, series_precision);
    if (negative) arb_poly_neg(r, r);
  }

  static void by_sign(numeric::Operation operation, const Series& a, Series& r) {
    const int sign = sign_of_series(a);
    if (sign == 0) {
      RealBall value;
      arb_poly_get_coeff_arb(value, a, 0);
      if (operation == numeric::Operation::abs)
        arb_abs(value, value);
      else
        arb_zero_pm_one(value);
      return set_only(r, value);
    }
    if (operation == numeric::Operation::abs) {
      sign > 0 ? arb_poly_set(r, a) : arb_poly_neg(r, a);
    } else {
      arb_poly_zero(r);
      arb_poly_set_coeff_si(r, 0, operation == numeric::Operation::sign ? sign : sign > 0 ? 1 : 0);
    }
  }

  const numeric::Tape& tape_;
  std::vector<Series> values_;
};

double bound(const arb_t value) {
  exact::Magnitude magnitude;
  arb_get_mag(magnitude, value);
  return arb_is_finite(value) != 0 ? mag_get_d(magnitude) : HUGE_VAL;
}

struct SmoothPart {
  double from, to, reach, rest;
  bool operator<(const SmoothPart& other) const { return reach < other.reach; }
};

class Splitting {
 public:
  Splitting(const numeric::Tape& tape, double until, const Budget& budget)
      : numbers_(tape), tape_(tape), until_(until), budget_(budget) {}

  std::vector<TimeScales::Interval> operator()(const std::vector<double>& corners) {
    double from = 0;
    const double beside = until_ * narrowest;
    for (std::size_t i = 0; i <= corners.size(); ++i) {
      const double to = i < corners.size() ? corners[i] : until_;
      if (to - from > 4 * beside) add(from + beside, to - beside);
      bounded = bounded && is_bounded(from, from + beside) && is_bounded(to - beside, to);
      from = to;
    }
    std::vector<SmoothPart> done;
    while (!open_.empty()) {
      const SmoothPart part = open_.top();
      open_.pop();
      const bool fine = part.rest <= small * scale_ || part.to - part.from <= 4 * beside;
      if (fine || parts_ > most) {
        complete = complete && fine;
        done.push_back(part);
        continue;
      }
      const double middle = part.from + (part.to - part.from) / 2;
      add(part.from, middle);
      add(middle, part.to);
    }
    std::ranges::sort(done, {}, &SmoothPart::from);
    double least = HUGE_VAL;
    for (const SmoothPart& part : done)
      if (part.rest <= small * scale_) least = std::min(least, part.to - part.from);
    std::vector<TimeScales::Interval> found;
    for (const SmoothPart& part : done) {
      const double size = part.to - part.from;
      // A part that only touches what has no series (a corner that was not told apart) bounds nothing.
      const bool touches = part.rest == HUGE_VAL && size <= 4 * beside;
      bounded = bounded && !(touches && part.reach == HUGE_VAL);
      found.push_back({part.to, touches ? HUGE_VAL : part.rest <= small * scale_ ? size : std::min(size, least)});
    }
    if (!found.empty()) found.back().to = until_;
    return found;
  }
  bool complete = true, bounded = true;

 private:
  bool is_bounded(double from, double to) {
    RealBall value;
    arb_poly_get_coeff_arb(value, tape_.over(from, to), 0);
    return arb_is_finite(value) != 0;
  }
  void add(double from, double to) {
    if (++parts_ % 256 == 0) budget_.check("the time scales of the input");
    const Series& series = tape_.over(from, to);
    RealBall coefficient;
    arb_poly_get_coeff_arb(coefficient, series, 0);
    SmoothPart part{from, to, bound(coefficient), 0};
    RealBall spread;
    arb_sub(spread, coefficient, coefficient, series_precision);
    arb_poly_get_coeff_arb(coefficient, series, length - 1);
    part.rest = std::min(bound(coefficient) * std::pow((to - from) / 2, length - 1), bound(spread) / 2);
    if (std::isnan(part.rest)) part.rest = HUGE_VAL;
    const double middle = from + (to - from) / 2;
    if (const double value = std::abs(numbers_.values(std::span<const double>(&middle, 1)).front()); std::isfinite(value))
      scale_ = std::max(scale_, value);
    open_.push(part);
  }

  const numeric::Tape& numbers_;
  SeriesTape tape_;
  double until_, scale_ = 0;
  const Budget& budget_;
  std::size_t parts_ = 0;
  std::priority_queue<SmoothPart> open_;
};

}  // namespace

namespace {

/// What depends on the past is no function of the time at which it is asked for; what it follows is.
bool remembers(const GiNaC::ex& part) {
  const std::string name = function_name(part);
  return name == "backlash" || name == "hysteresis";
}

}  // namespace

void add_parts_of_time(const GiNaC::ex& e, const GiNaC::ex& time, std::vector<GiNaC::ex>& found) {
  if (!e.has(time)) return;
  const bool alone = std::none_of(e.preorder_begin(), e.preorder_end(), [&](const GiNaC::ex& part) {
    return (GiNaC::is_a<GiNaC::symbol>(part) && !part.is_equal(time)) || remembers(part);
  });
  if (alone) {
    if (!e.is_equal(time)) found.push_back(e);
    return;
  }
  for (std::size_t i = 0; i < e.nops(); ++i) add_parts_of_time(e.op(i), time, found);
}

TimeScales::TimeScales(std::span<const GiNaC::ex> functions, const GiNaC::ex& t, double until, const Budget& budget) {
  if (!(until > 0)) return;
  for (const GiNaC::ex& each : functions) {
    const GiNaC::ex function = with_known_signs(each);
    if (!function.has(t)) continue;
    const numeric::Tape tape = compile(std::span(&function, 1), std::span(&t, 1));
    Splitting split(tape, until, budget);
    merge(split(switching_times(function, t, until, budget).times));
    complete_ = complete_ && split.complete;
    bounded_ = bounded_ && split.bounded;
  }
}

/// The shorter of both everywhere; neighbours that are alike are one.
void TimeScales::merge(const std::vector<Interval>& others) {
  if (intervals_.empty()) intervals_ = {{HUGE_VAL, HUGE_VAL}};
  std::vector<Interval> both;
  const auto add = [&](double to, double longest) {
    if (!both.empty() && (both.back().longest == longest || both.back().to >= to))
      both.back().to = std::max(both.back().to, to);
    else
      both.push_back({to, longest});
  };
  std::size_t i = 0;
  for (const Interval& other : others) {
    while (i < intervals_.size() && intervals_[i].to < other.to) {
      add(intervals_[i].to, std::min(intervals_[i].longest, other.longest));
      ++i;
    }
    add(other.to, std::min(i < intervals_.size() ? intervals_[i].longest : HUGE_VAL, other.longest));
  }
  for (; i < intervals_.size(); ++i) add(intervals_[i].to, intervals_[i].longest);
  intervals_ = std::move(both);
}

std::vector<double> TimeScales::parts_below(double length) const {
  std::vector<double> ends;
  if (!bounded_) return ends;
  double from = 0;
  for (const Interval& interval : intervals_) {
    if (interval.longest < length && std::isfinite(interval.to))
      for (double i = 0; from + i * interval.longest <= interval.to && ends.size() < most; ++i)
        ends.push_back(from + i * interval.longest);
    from = interval.to;
  }
  return ends;
}

double TimeScales::longest_step(double t, double parts) const {
  auto at = std::ranges::upper_bound(intervals_, t, {}, &Interval::to);
  if (at == intervals_.end()) return HUGE_VAL;
  double longest = parts * at->longest;
  // Into the intervals that follow by no more than a part of them.
  for (double end = at->to; std::next(at) != intervals_.end() && end - t < longest; end = at->to) {
    ++at;
    longest = std::min(longest, end - t + parts * at->longest);
  }
  return longest;
}

}  // namespace sfg
