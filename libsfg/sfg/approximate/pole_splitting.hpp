#pragma once
#include <complex>
#include <span>
#include <vector>

#include "sfg/expr/rational.hpp"
#include "sfg/transfer/exact_transfer.hpp"

namespace sfg {

/// Roots far apart from the others, and a formula for them.
struct SplitRoots {
  /// One root: its value, −d_k/d_(k+1). Two of like size: d_(k+2) s² + d_(k+1) s + d_k, whose roots they are.
  RationalFunction formula;
  std::vector<std::complex<double>> values = {};  ///< what the formula gives at the design point, ascending modulus
  std::vector<std::complex<double>> exact = {};   ///< the roots of the exact transfer function they stand for
  double relative_error = 0;                      ///< greatest |value − exact| / |exact|
};

/// Roots of a polynomial Σ d_k s^k whose magnitudes are far apart: Π (s − p_k) then has d_(k+1) ≈ −d_k/p_(k+1), so that each
/// root, or each pair of roots of like size, follows from neighbouring coefficients alone.
/// @param polynomial  of the approximation; the operator is the first variable of the space
/// @param numbers     its coefficients at the design point, highest power first
/// @param exact       roots of the exact polynomial
/// @returns single roots and pairs by ascending modulus that are apart from the others by a factor of 4 and that the formula
/// gives
///          within 30 %; roots at 0 are left out.
/// @see Gray, Hurst, Lewis, Meyer: Analysis and Design of Analog Integrated Circuits, ch. 9 (pole splitting).
std::vector<SplitRoots> split_roots(const PolynomialSpace&, const ring::Polynomial& polynomial,
                                    std::span<const exact::Rational> numbers, std::span<const std::complex<double>> exact);

/// Takes the root that is nearest to a value in the logarithmic sense out of a list of one or more.
std::complex<double> take_nearest(std::vector<std::complex<double>>& roots, std::complex<double> wanted);

}  // namespace sfg
