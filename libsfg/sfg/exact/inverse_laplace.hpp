#pragma once
#include <memory>
#include <span>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/exact/rational.hpp"

namespace sfg::exact {

/// A signal that is a polynomial from `begin` to the beginning of the next piece: Σ coefficients_k (t − begin)^k.
struct PolynomialPiece {
  double begin = 0;
  std::vector<double> coefficients;  ///< lowest power first; {} for 0
};

/// The time function of a rational Laplace transform with exact coefficients, by partial fractions in ball arithmetic:
/// f(t) = Σ residues_ik t^(k−1)/(k−1)! e^(p_i t) for t > 0. Precision is raised until the result is certain, so multiple and
/// clustered poles, unstable systems and degree 100 are as good as simple ones. Impulses of an improper F are left out of at().
/// Several threads may ask one object.
class InverseLaplace {
 public:
  /// @param numerator, denominator  highest power first; the denominator is not 0.
  InverseLaplace(std::span<const Rational> numerator, std::span<const Rational> denominator);
  ~InverseLaplace();
  InverseLaplace(InverseLaplace&&) noexcept;
  InverseLaplace& operator=(InverseLaplace&&) noexcept;

  /// Values at the times (t ≥ 0; at 0 the limit from the right), correct to about 1e-17 of the largest of them.
  std::vector<double> at(std::span<const double> times, const Budget& budget = {}) const;
  /// ∫ f(t − τ) u(τ) dτ from 0 to t at the times, u being 0 before the first piece; the last piece goes on for ever. Exact for
  /// that u, with the precision of at(): every mode is carried from piece to piece (x′ = p x + u), nothing is summed over the
  /// past.
  /// @param pieces  ascending begin ≥ 0; @param times  ascending, ≥ 0.
  std::vector<double> convolved(std::span<const PolynomialPiece> pieces, std::span<const double> times,
                                const Budget& budget = {}) const;
  /// The polynomial part, highest power first: impulses δ, δ′, … of the time function; {} when F is strictly proper.
  const std::vector<Rational>& direct() const noexcept;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sfg::exact
