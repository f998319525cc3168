#pragma once
#include <ginac/ginac.h>

#include <algorithm>

#include "sfg/expr/kernel.hpp"

// Not installed.
namespace sfg {

/// The exponentials whose exponents are multiples of one thing: powers of one variable, where these are not too high. The
/// exponents of slopes at a point that was searched have sixteen digits, and nothing in common that would cancel.
class ExponentialFamily {
 public:
  explicit ExponentialFamily(const Exponential& first)
      : unit_(first.unit), step_(first.multiple), greatest_(abs(first.multiple)) {}

  /// False, and nothing changes, where the powers would be too high.
  bool join(const GiNaC::numeric& multiple) {
    const GiNaC::numeric a = abs(step_), b = abs(multiple);
    const GiNaC::numeric common = GiNaC::gcd(a.numer(), b.numer()) / GiNaC::lcm(a.denom(), b.denom());
    const GiNaC::numeric greatest = std::max(greatest_, b);
    if (greatest > common * most) return false;
    step_ = step_.is_negative() || multiple.is_negative() ? -common : common;
    greatest_ = greatest;
    return true;
  }
  bool contains(const GiNaC::numeric& multiple) const {
    const GiNaC::numeric quotient = multiple / step_;
    return quotient.is_integer() && abs(quotient) <= most;
  }
  /// The variable, and the power of it that an exponential is.
  GiNaC::ex generator() const { return raised(unit_, step_); }
  long power(const GiNaC::numeric& multiple) const { return (multiple / step_).to_long(); }

 private:
  static constexpr long most = 1'000'000;
  GiNaC::ex unit_;
  GiNaC::numeric step_;  ///< the greatest number of which all multiples are whole multiples; negative for exp(-T*s)
  GiNaC::numeric greatest_;
};

}  // namespace sfg
