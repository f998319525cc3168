#include "sfg/ring/interval.hpp"

#include <arb.h>

#include <cmath>
#include <stdexcept>

#include "sfg/exact/flint.hpp"

namespace sfg::ring {

struct Ball::Impl {
  arb_t value;
  Impl() { arb_init(value); }
  ~Impl() { arb_clear(value); }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
};

Ball::Ball(double exact) : impl_(std::make_unique<Impl>()) { arb_set_d(impl_->value, exact); }

Ball::Ball(const exact::Rational& number, long bits) : impl_(std::make_unique<Impl>()) {
  arb_set_fmpq(impl_->value, exact::raw(number), bits);
}

Ball Ball::interval(double low, double high) {
  if (!(low <= high) || !std::isfinite(low) || !std::isfinite(high))
    throw std::invalid_argument("Ball: the bounds are no interval");
  Ball result;
  arf_t a, b;
  arf_init(a);
  arf_init(b);
  arf_set_d(a, low);
  arf_set_d(b, high);
  arb_set_interval_arf(result.impl_->value, a, b, 128);
  arf_clear(a);
  arf_clear(b);
  return result;
}

Ball::Ball(const Ball& other) : impl_(std::make_unique<Impl>()) { arb_set(impl_->value, other.impl_->value); }
Ball::Ball(Ball&&) noexcept = default;
Ball& Ball::operator=(const Ball& other) {
  if (this != &other) *this = Ball(other);
  return *this;
}
Ball& Ball::operator=(Ball&&) noexcept = default;
Ball::~Ball() = default;

double Ball::lower() const {
  arf_t bound;
  arf_init(bound);
  arb_get_lbound_arf(bound, impl_->value, 64);
  const double result = arf_get_d(bound, ARF_RND_FLOOR);
  arf_clear(bound);
  return result;
}

double Ball::upper() const {
  arf_t bound;
  arf_init(bound);
  arb_get_ubound_arf(bound, impl_->value, 64);
  const double result = arf_get_d(bound, ARF_RND_CEIL);
  arf_clear(bound);
  return result;
}

double Ball::midpoint() const { return arf_get_d(arb_midref(impl_->value), ARF_RND_NEAR); }

bool Ball::contains(double x) const {
  arf_t point;
  arf_init(point);
  arf_set_d(point, x);
  const bool result = arb_contains_arf(impl_->value, point) != 0;
  arf_clear(point);
  return result;
}

bool Ball::contains(const Ball& other) const { return arb_contains(impl_->value, other.impl_->value) != 0; }
bool Ball::contains_zero() const { return arb_contains_zero(impl_->value) != 0; }
bool Ball::overlaps(const Ball& other) const { return arb_overlaps(impl_->value, other.impl_->value) != 0; }

Ball BallRing::add(const Ball& a, const Ball& b) const {
  Ball result;
  arb_add(result.impl_->value, a.impl_->value, b.impl_->value, bits_);
  return result;
}

Ball BallRing::multiply(const Ball& a, const Ball& b) const {
  Ball result;
  arb_mul(result.impl_->value, a.impl_->value, b.impl_->value, bits_);
  return result;
}

Ball BallRing::negate(const Ball& a) const {
  Ball result;
  arb_neg(result.impl_->value, a.impl_->value);
  return result;
}

Ball BallRing::divide(const Ball& a, const Ball& b) const {
  Ball result;
  if (b.contains_zero())
    arb_zero_pm_inf(result.impl_->value);
  else
    arb_div(result.impl_->value, a.impl_->value, b.impl_->value, bits_);
  return result;
}

void BallRing::add_product(Ball& sum, const Ball& a, const Ball& b) const {
  arb_addmul(sum.impl_->value, a.impl_->value, b.impl_->value, bits_);
}

void BallRing::subtract_product(Ball& sum, const Ball& a, const Ball& b) const {
  arb_submul(sum.impl_->value, a.impl_->value, b.impl_->value, bits_);
}

}  // namespace sfg::ring
