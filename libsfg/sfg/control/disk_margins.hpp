#pragma once
#include <complex>
#include <optional>
#include <vector>

#include "sfg/exact/rational_polynomial.hpp"

namespace sfg {

/// How much a loop bears of gain and phase at once (Seiler, Packard, Gahinet: An Introduction to Disk Margins, IEEE Control
/// Systems 2020): the closed loop stays stable with f·L for every f = (2 + (1 − σ)δ)/(2 − (1 + σ)δ), |δ| < α, and
/// 1/α = ‖S + (σ − 1)/2‖∞ with S = 1/(1 + L).
struct DiskMargin {
  int skew = 0;                             ///< σ: 0 (balanced), 1 (of S), −1 (of T)
  double radius = 0;                        ///< α; infinite where the norm is 0
  std::optional<double> gain_low_db = {};   ///< the least gain alone; nothing where it is no positive number
  std::optional<double> gain_high_db = {};  ///< the greatest; nothing: unbounded
  std::optional<double> phase_deg = {};     ///< to both sides; nothing: no phase alone harms
  std::optional<double> frequency = {};     ///< where the norm is reached, rad/s; nothing: at infinity only
};

/// What follows from a radius.
DiskMargin disk_margin(int skew, double radius, std::optional<double> frequency);
/// 1/|S + (σ − 1)/2| of one value of L.
double disk_radius(int skew, std::complex<double> L);

/// The least of a modulus along the axis, and where; nothing: at infinity only.
struct LeastOnAxis {
  double value = 0;
  std::optional<double> frequency = {};
};
/// The least |P/Q| on the imaginary axis, P and Q without a common root: at 0, at infinity, or where an exact polynomial in ω²
/// has a root. A value that is 1 or 2, or that is reached at 0 or infinity too, is found to be so exactly. Nothing where there is
/// no value at all.
std::optional<LeastOnAxis> least_on_axis(const exact::RationalPolynomial& P, const exact::RationalPolynomial& Q);

/// Of L = n/d on the imaginary axis, for σ = 0 and −1; that of σ = 1 is the modulus margin.
std::vector<DiskMargin> disk_margins(const exact::RationalPolynomial& n, const exact::RationalPolynomial& d,
                                     const std::optional<LeastOnAxis>& modulus_margin);

}  // namespace sfg
