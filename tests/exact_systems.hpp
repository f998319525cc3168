#pragma once
// Systems stated by their polynomials.
#include <algorithm>
#include <vector>

#include "sfg/transfer/exact_transfer.hpp"

namespace sfg {

/// A + k B as coefficients in s, each a polynomial in k.
inline std::vector<exact::RationalPolynomial> in_k(const exact::RationalPolynomial& A, const exact::RationalPolynomial& B) {
  std::vector<exact::RationalPolynomial> coefficients;
  for (long i = std::max(A.degree(), B.degree()); i >= 0; --i)
    coefficients.push_back({B.coefficient(static_cast<std::size_t>(i)), A.coefficient(static_cast<std::size_t>(i))});
  return coefficients;
}

/// n/d behind a delay, from u to y.
inline ExactTransfer of(const exact::RationalPolynomial& n, const exact::RationalPolynomial& d,
                        const exact::Rational& delay = 0) {
  ExactTransfer transfer;
  transfer.input = "u", transfer.output = "y";
  if (!n.is_zero()) transfer.numerator.parts = {{delay, n}};
  transfer.denominator.parts = {{0, d}};
  return transfer;
}

}  // namespace sfg
