#pragma once
#include <complex>
#include <span>
#include <vector>

#include "sfg/exact/exact_polynomial.hpp"
#include "sfg/exact/rational_polynomial.hpp"

namespace sfg {

/// The roots of a characteristic polynomial P(s, k) while a parameter k varies (Evans 1948).
struct RootLocus {
  struct Point {  ///< a place on the locus worth knowing
    std::complex<double> root;
    double parameter = 0;
  };
  /// The directions of the branches that leave an open-loop pole as k rises from 0 (falls, where the range lies below 0), or come
  /// to an open-loop zero: degrees in (−180, 180], from the root to the branch, ascending; as many as its multiplicity.
  struct Angles {
    std::complex<double> root;
    std::vector<double> degrees;
  };
  std::vector<double> parameter;                               ///< sampled values of k, ascending
  std::vector<std::vector<std::complex<double>>> branches;     ///< [branch][sample]; NaN where a root has gone to infinity
  std::vector<std::complex<double>> start;                     ///< open-loop poles (k = 0)
  std::vector<std::complex<double>> end;                       ///< open-loop zeros (k → ∞)
  std::vector<Point> breakaway;                                ///< where branches meet
  std::vector<Point> axis_crossings;                           ///< upper half plane only, and real ones
  exact::Boundary boundary = exact::Boundary::imaginary_axis;  ///< what the crossings are crossings of
  double centroid = 0;                                         ///< of the asymptotes
  std::vector<double> asymptotes_deg;                          ///< their angles; {} when no branch goes to infinity
  std::vector<Angles> departures;                              ///< of distinct open-loop poles that move
  std::vector<Angles> arrivals;                                ///< of distinct open-loop zeros that are moved to
};

/// @param coefficients  of P in s, highest power first, each a polynomial in k.
/// @param low, high     range of k; branches are sampled finely enough to draw.
/// @note Breakaway points, asymptotes and angles are given for P = A(s) + k B(s), linear in k.
/// @param boundary      of stability, whose crossings are found: the imaginary axis, or the unit circle for an operator z.
RootLocus root_locus(std::span<const exact::RationalPolynomial> coefficients, double low, double high,
                     exact::Boundary boundary = exact::Boundary::imaginary_axis);

/// A range of k that shows the whole locus: from 0 to well beyond the largest value that matters, and until the branches that go
/// to infinity are far away and the others next to the zeros.
double locus_range(std::span<const exact::RationalPolynomial> coefficients,
                   exact::Boundary boundary = exact::Boundary::imaginary_axis);

}  // namespace sfg
