#pragma once
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/exact/rational.hpp"

namespace sfg::exact {

/// p(s) e^(−delay s): one part of a quasi-polynomial.
struct DelayedPolynomial {
  Rational delay;                      ///< ≥ 0
  std::vector<Rational> coefficients;  ///< highest power first, no leading zero
};

/// weight · δ^(order)(t − at).
struct DelayedImpulse {
  Rational at;
  std::size_t order = 0;
  Rational weight;
  friend bool operator==(const DelayedImpulse&, const DelayedImpulse&) = default;
};

/// The time function of Σ N_j(s) e^(−θ_j s) / (D_0(s) + Σ R_i(s) e^(−τ_i s)) up to a time, by the method of steps: between the
/// sums of dead times the function is analytic and is carried on by its Taylor series. The series are computed twice, with
/// other steps, lengths and precisions, until both agree to better than a double.
class DelayedLoop {
 public:
  /// @param denominator  the first part without delay, none of a higher degree than that.
  /// @throws std::invalid_argument  for any other denominator: what comes would depend on the future.
  /// @throws std::length_error      when more than 60,000 sums of dead times or 2,000,000 terms of series are needed.
  /// @throws LimitReached           by the budget.
  DelayedLoop(std::span<const DelayedPolynomial> numerator, std::span<const DelayedPolynomial> denominator, double until,
              const Budget& = {});
  ~DelayedLoop();
  DelayedLoop(DelayedLoop&&) noexcept;
  DelayedLoop& operator=(DelayedLoop&&) noexcept;

  /// Values at times from 0 to `until`, at a jump the limit from the right; correct to about 1e-16 of the largest up to then.
  std::vector<double> at(std::span<const double> times) const;
  /// Exact, ascending.
  const std::vector<DelayedImpulse>& impulses() const noexcept;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Number of zeros of D_0(s) + Σ R_i(s) e^(−τ_i s) with positive real part, by the argument principle in ball arithmetic: proven.
/// Nothing when zeros lie on the axis or closer to it than can be told, or when a delayed part is of the degree of D_0 and so
/// large that the zeros may come near the axis at any frequency.
std::optional<std::size_t> right_half_plane_zeros(std::span<const DelayedPolynomial>, const Budget& = {});

}  // namespace sfg::exact
