#pragma once
#include <cstddef>
#include <vector>

#include "sfg/exact/rational.hpp"
#include "sfg/expr/tolerance.hpp"

namespace sfg {

/// Σ = L D Lᵀ of a symmetric matrix, exactly: L unit lower trapezoidal, n × rank, D positive.
struct SemidefiniteFactor {
  std::size_t size = 0, rank = 0;
  std::vector<exact::Rational> L;  ///< row by row
  std::vector<exact::Rational> D;
};

/// By elimination in rational numbers, so that the rank and the sign of every pivot are what they are.
/// @throws sfg::Error for a matrix that is not positive semidefinite, at the entry where it shows, with a combination of the
///         parameters whose variance would be negative
SemidefiniteFactor factor_of(const Covariance&);

}  // namespace sfg
