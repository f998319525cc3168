#pragma once
#include <functional>
#include <vector>

#include "sfg/exact/exact_polynomial.hpp"
#include "sfg/exact/rational_polynomial.hpp"

// Not installed.
namespace sfg::exact {

template <class Polynomial>
using PolynomialMatrix = std::vector<std::vector<Polynomial>>;  ///< by rows

/// The diagonal of Smith's normal form: monic, as many as the rank, each divides the next.
/// @param checkpoint  called between the steps; what it throws ends the work
/// @throws Undecided where a coefficient cannot be told from 0.
std::vector<RationalPolynomial> invariant_factors(const PolynomialMatrix<RationalPolynomial>&,
                                                  const std::function<void()>& checkpoint);
std::vector<ExactPolynomial> invariant_factors(const PolynomialMatrix<ExactPolynomial>&, const std::function<void()>& checkpoint);

/// Whether these are the invariant factors, by another way: modulo a large prime the product of the first k is the greatest
/// common divisor of all minors of size k, which two random sums of them have with a chance of error below 2^−40; the minors
/// beyond the rank vanish.
bool have_common_divisors(const PolynomialMatrix<RationalPolynomial>&, const std::vector<RationalPolynomial>& invariant_factors,
                          const std::function<void()>& checkpoint);

}  // namespace sfg::exact
