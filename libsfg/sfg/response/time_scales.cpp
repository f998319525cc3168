// Idea: Taylor series with interval coefficients (Moore, Interval Analysis, 1966): the coefficient of t^7, enclosed over a part
// of the time, bounds what a polynomial of degree 6 leaves there. Parts are taken in the order of what the function may reach in
// them (branch and bound), so that the scale of "small" is known soon and a narrow pulse is found by bisection.
#include "sfg/response/time_scales.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <queue>
#include <type_traits>

#include "sfg/exact/flint.hpp"
#include "sfg/expr/compile.hpp"
#include "sfg/expr/functions.hpp"
#include "sfg/numeric/operations.hpp"
#include "sfg/response/switching_times.hpp"

namespace sfg {

namespace exact {

using Series = RealPolynomial;

static constexpr slong series_bits = 64, series_length = 8;

template <class Function, class... Of>
static Series series(Function function, const Of&... of) {
  Series result;
  if constexpr (std::is_invocable_v<Function, arb_poly_struct*, decltype(of.get())..., slong, slong>)
    function(result, of.get()..., series_length, series_bits);
  else if constexpr (std::is_invocable_v<Function, arb_poly_struct*, decltype(of.get())..., slong>)
    function(result, of.get()..., series_bits);
  else
    function(result, of.get()...);
  return result;
}
static Series whole_series(slong number) {
  Series result;
  arb_poly_set_si(result, number);
  return result;
}
static RealBall first_of(const Series& a) {
  RealBall value;
  arb_poly_get_coeff_arb(value, a, 0);
  return value;
}
static int sign_of(const Series& a) {
  const RealBall value = first_of(a);
  return arb_is_positive(value) != 0 ? 1 : arb_is_negative(value) != 0 ? -1 : 0;
}
/// 0 all over the interval, as the argument of a switch before something begins.
static bool vanishes(const Series& a) { return arb_is_zero(first_of(a)) != 0; }
static Series unknown_series() {
  Series result;
  RealBall unknown;
  arb_indeterminate(unknown);
  for (slong i = 0; i < series_length; ++i) arb_poly_set_coeff_arb(result, i, unknown);
  return result;
}
/// Unknown but for its value.
static Series only(const RealBall& value) {
  Series result = unknown_series();
  arb_poly_set_coeff_arb(result, 0, value);
  return result;
}

// What numeric::applied() asks for.
static Series operator+(const Series& a, const Series& b) { return series(arb_poly_add, a, b); }
static Series operator-(const Series& a, const Series& b) { return series(arb_poly_sub, a, b); }
static Series operator*(const Series& a, const Series& b) { return series(arb_poly_mullow, a, b); }
static Series operator/(const Series& a, const Series& b) { return series(arb_poly_div_series, a, b); }
static Series operator-(const Series& a) { return series(arb_poly_neg, a); }
static Series power(const Series& a, const Series& b) { return series(arb_poly_pow_series, a, b); }
static Series sqrt(const Series& a) { return series(arb_poly_sqrt_series, a); }
static Series exp(const Series& a) { return series(arb_poly_exp_series, a); }
static Series log(const Series& a) { return series(arb_poly_log_series, a); }
static Series sin(const Series& a) { return series(arb_poly_sin_series, a); }
static Series cos(const Series& a) { return series(arb_poly_cos_series, a); }
static Series tan(const Series& a) { return series(arb_poly_tan_series, a); }
static Series asin(const Series& a) { return series(arb_poly_asin_series, a); }
static Series acos(const Series& a) { return series(arb_poly_acos_series, a); }
static Series atan(const Series& a) { return series(arb_poly_atan_series, a); }
static Series sinh(const Series& a) { return series(arb_poly_sinh_series, a); }
static Series cosh(const Series& a) { return series(arb_poly_cosh_series, a); }
/// 1 − 2/(1 + e^(2a)), with the sign for which the exponential stays finite.
static Series tanh(const Series& a) {
  const bool negative = sign_of(a) < 0;
  Series twice;
  arb_poly_scalar_mul_2exp_si(twice, a, 1);
  Series part = series(arb_poly_inv_series, exp(negative ? twice : -twice) + whole_series(1));
  arb_poly_scalar_mul_2exp_si(part, part, 1);
  return negative ? -(part - whole_series(1)) : part - whole_series(1);
}
static Series abs(const Series& a) {
  const int sign = sign_of(a);
  if (sign != 0 || vanishes(a)) return sign < 0 ? -a : a;
  RealBall value = first_of(a);
  arb_abs(value, value);
  return only(value);
}
static Series by_sign(const Series& a, slong below, slong at, slong above) {
  const int sign = sign_of(a);
  if (sign != 0 || vanishes(a)) return whole_series(sign > 0 ? above : sign < 0 ? below : at);
  RealBall either;
  arb_zero_pm_one(either);
  return only(either);
}
static Series sign(const Series& a) { return by_sign(a, -1, 0, 1); }
static Series step(const Series& a) { return by_sign(a, 0, 1, 1); }
/// @param above  of what the first is chosen
static Series chosen(const Series& a, const Series& b, const Series& above) {
  const int sign = sign_of(above);
  return sign > 0 || vanishes(above) ? a : sign < 0 ? b : unknown_series();
}
static Series max(const Series& a, const Series& b) { return chosen(a, b, a - b); }
static Series min(const Series& a, const Series& b) { return chosen(a, b, b - a); }
static Series floor(const Series& a) {
  RealBall value = first_of(a);
  arb_floor(value, value, series_bits);
  Series whole;
  arb_poly_set_arb(whole, value);
  return arb_is_int(value) != 0 ? whole : unknown_series();
}
static Series atan2(const Series&, const Series&) { return unknown_series(); }
static Series lookup(const Series&, const Series&) { return unknown_series(); }

}  // namespace exact

namespace {

using exact::RealBall;
using exact::Series;

constexpr slong length = exact::series_length;
constexpr double small = 1e-8;         // of what a function reaches
constexpr std::size_t most = 100'000;  // parts of a function
constexpr double narrowest = 0x1p-40;  // of the whole time

/// Runs a tape of one input with series over intervals of it. What a part of it may be is enclosed by its value in the middle and
/// its slope, too (the mean value form: Moore, 1966): where it only touches the corner of a law, parts need not be as narrow as
/// the square of their distance for it to be seen on which side they are.
class SeriesTape {
 public:
  explicit SeriesTape(const numeric::Tape& tape) : tape_(tape) {}

  const Series& over(double a, double b) {
    RealBall time, middle, end;
    arb_set_d(time, a);
    arb_set_d(end, b);
    arb_union(time, time, end, exact::series_bits);
    arb_get_mid_arb(middle, time);
    arb_sub(half_, time, middle, exact::series_bits);
    const auto constant = [](double x) {
      RealBall number;
      arb_set_d(number, x);
      Series result;
      arb_poly_set_arb(result, number);
      return Part{result, result};
    };
    const auto input = [&](std::uint32_t) {
      Part result;
      for (auto [series, begin] : {std::pair(&result.all, &time), std::pair(&result.middle, &middle)}) {
        arb_poly_set_coeff_arb(*series, 0, *begin);
        arb_poly_set_coeff_si(*series, 1, 1);
      }
      return result;
    };
    numeric::run_over(tape_, values_, constant, input, [&](const numeric::Instruction& i, const Part& a, const Part& b) {
      Part result{value(i, a.all, b.all), value(i, a.middle, b.middle)};
      tighten(result);
      return result;
    });
    return values_[tape_.outputs().front()].all;
  }

 private:
  struct Part {
    Series all, middle;  ///< over all of the interval, and in its middle
  };

  static Series value(const numeric::Instruction& i, const Series& a, const Series& b) {
    if (i.operation != numeric::Operation::integer_power) return numeric::applied(i.operation, a, b);
    Series raised;
    arb_poly_pow_ui_trunc_binexp(raised, a, static_cast<ulong>(std::abs(i.exponent())), length, exact::series_bits);
    return i.exponent() < 0 ? exact::series(arb_poly_inv_series, raised) : raised;
  }

  void tighten(Part& part) const {
    RealBall whole, slope, by_slope;
    arb_poly_get_coeff_arb(whole, part.all, 0);
    arb_poly_get_coeff_arb(slope, part.all, 1);
    arb_poly_get_coeff_arb(by_slope, part.middle, 0);
    arb_addmul(by_slope, slope, half_, exact::series_bits);
    if (arb_is_finite(by_slope) != 0 && arb_intersection(whole, whole, by_slope, exact::series_bits) != 0)
      arb_poly_set_coeff_arb(part.all, 0, whole);
  }

  const numeric::Tape& tape_;
  RealBall half_ = {};  ///< the interval about its middle
  std::vector<Part> values_ = {};
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
    least = std::max(least, until_ / static_cast<double>(most));  // nothing is followed in more steps than were tried here
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
    arb_sub(spread, coefficient, coefficient, exact::series_bits);
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
