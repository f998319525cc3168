// Beyond a radius Ω the first term d_n s^n of D outweighs all others, so that D = d_n s^n (1 + q) with |q| < 1 there on the right
// of the axis: no zeros, and the change of the argument along the arc is known. Along the axis the argument is followed in balls
// that contain the values of D on whole intervals; a ball without 0 lies within half a turn, so that no turn is missed.
#include <flint/fmpq.h>

#include <acb.h>
#include <arb.h>

#include <cmath>
#include <numbers>

#include "sfg/exact/delayed_loop.hpp"
#include "sfg/exact/flint.hpp"

namespace sfg::exact {

namespace {

constexpr slong precision = 128;

RealBall ball(const Rational& value) {
  RealBall result;
  arb_set_fmpq(result, raw(value), precision);
  return result;
}

struct ZeroPart {
  RealBall delay;
  std::vector<RealBall> coefficients;  ///< highest power first
};

class QuasiPolynomialOnAxis {
 public:
  QuasiPolynomialOnAxis(std::span<const DelayedPolynomial> parts, const Budget& budget) : budget_(budget) {
    for (const DelayedPolynomial& given : parts) {
      if (given.coefficients.empty()) continue;
      parts_.push_back({ball(given.delay), {}});
      for (const Rational& c : given.coefficients) parts_.back().coefficients.push_back(ball(c));
    }
  }

  std::size_t degree() const { return parts_.front().coefficients.size() - 1; }

  /// Ω, a power of 2: from there on |d_n| s^n is larger than everything else. Nothing when it never is.
  std::optional<RealBall> radius() const {
    constexpr int highest = 2000;
    int low = -highest, high = highest;  // dominated at 2^high, not at 2^low
    if (!dominated(power_of_two(high))) return {};
    while (high - low > 1) {
      const int middle = low + (high - low) / 2;
      (dominated(power_of_two(middle)) ? high : low) = middle;
    }
    return power_of_two(high);
  }

  /// D(jω) with ω in a ball.
  void value(acb_t sum, const arb_t omega) const {
    ComplexBall s, term, turn;
    arb_set(acb_imagref(s.get()), omega);
    acb_zero(sum);
    for (const ZeroPart& part : parts_) {
      acb_zero(term.get());
      for (const RealBall& c : part.coefficients) {
        acb_mul(term.get(), term.get(), s.get(), precision);
        acb_add_arb(term.get(), term.get(), c, precision);
      }
      acb_mul_arb(turn.get(), s.get(), part.delay, precision);
      acb_neg(turn.get(), turn.get());
      acb_exp(turn.get(), turn.get(), precision);
      acb_addmul(sum, term.get(), turn.get(), precision);
    }
  }

  /// arg(1 + q) at jω.
  double rest(const RealBall& omega) const {
    ComplexBall at, first;
    value(at.get(), omega);
    arb_set(acb_imagref(first.get()), omega);
    acb_pow_ui(first.get(), first.get(), degree(), precision);
    acb_mul_arb(first.get(), first.get(), parts_.front().coefficients.front(), precision);
    acb_div(at.get(), at.get(), first.get(), precision);
    return angle(at.get());
  }

  /// Change of arg D(jω) from a to b; nothing when a zero is too near.
  std::optional<double> turn(const RealBall& a, const RealBall& b, int depth = 0) {
    constexpr int deepest = 60;
    constexpr std::size_t most = 2'000'000;
    if (depth > deepest || ++intervals_ > most) return {};
    if (intervals_ % 1024 == 0) budget_.check("the poles of the loop with dead time");
    RealBall between, middle;
    arb_union(between, a, b, precision);
    ComplexBall over, left, right;
    value(over.get(), between);
    if (!acb_contains_zero(over.get())) {
      value(left.get(), a);
      value(right.get(), b);
      acb_div(right.get(), right.get(), left.get(), precision);
      return angle(right.get());
    }
    arb_add(middle, a, b, precision);
    arb_mul_2exp_si(middle, middle, -1);
    mag_zero(arb_radref(middle));
    const auto first = turn(a, middle, depth + 1);
    if (!first) return {};
    const auto second = turn(middle, b, depth + 1);
    return second ? std::optional(*first + *second) : std::nullopt;
  }

 private:
  static RealBall power_of_two(int exponent) {
    RealBall power;
    arb_set_ui(power, 1);
    arb_mul_2exp_si(power, power, exponent);
    return power;
  }

  static double angle(const acb_t z) {
    return std::atan2(arf_get_d(arb_midref(acb_imagref(z)), ARF_RND_NEAR), arf_get_d(arb_midref(acb_realref(z)), ARF_RND_NEAR));
  }

  bool dominated(const RealBall& omega) const {
    RealBall sum, power, size;
    const std::size_t n = degree();
    for (const ZeroPart& part : parts_)
      for (std::size_t i = 0; i < part.coefficients.size(); ++i) {
        const std::size_t k = part.coefficients.size() - 1 - i;
        if (&part == &parts_.front() && k == n) continue;
        arb_pow_ui(power, omega, k, precision);
        arb_abs(size, part.coefficients[i]);
        arb_addmul(sum, size, power, precision);
      }
    arb_pow_ui(power, omega, n, precision);
    arb_abs(size, parts_.front().coefficients.front());
    arb_mul(power, power, size, precision);
    return arb_gt(power, sum) != 0;
  }

  std::vector<ZeroPart> parts_;
  std::size_t intervals_ = 0;
  const Budget& budget_;
};

}  // namespace

std::optional<std::size_t> right_half_plane_zeros(std::span<const DelayedPolynomial> parts, const Budget& budget) {
  QuasiPolynomialOnAxis D(parts, budget);
  const auto omega = D.radius();
  if (!omega) return {};
  const auto turned = D.turn(RealBall(), *omega);
  if (!turned) return {};
  const double count = (static_cast<double>(D.degree()) * std::numbers::pi / 2 + D.rest(*omega) - *turned) / std::numbers::pi;
  constexpr double rounding = 1e-3;
  if (std::abs(count - std::round(count)) > rounding || count < -rounding) return {};
  return static_cast<std::size_t>(std::llround(count));
}

}  // namespace sfg::exact
