#pragma once
#include <ginac/ex.h>

#include <optional>
#include <vector>

// Not installed: laws that are polynomials between corners and jumps.
namespace sfg {

/// A function of one number over [−A, A].
struct PiecewisePolynomial {
  struct Piece {
    double low, high;
    std::vector<double> coefficients;  ///< ascending powers
  };
  std::vector<Piece> pieces;  ///< ascending, without gaps
};

/// The expression, a function of `u` with numbers elsewhere; nothing where it is none.
/// @param radius  A
std::optional<PiecewisePolynomial> piecewise_polynomial(const GiNaC::ex&, const GiNaC::ex& u, double radius);

/// (1/πA) ∫ f(A cos θ) cos θ dθ over a period.
double describing_function(const PiecewisePolynomial&, double amplitude);

}  // namespace sfg
