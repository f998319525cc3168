#pragma once
#include <complex>
#include <cstddef>
#include <span>
#include <vector>

#include "sfg/exact/rational.hpp"

namespace sfg::exact {

/// Where stability ends: the axis of roots in s, the circle of roots in z.
enum class Boundary { imaginary_axis, unit_circle };

/// A root of a polynomial with rational coefficients, certified.
struct Root {
  std::complex<double> value;  ///< correctly rounded (to within one unit in the last place) in each part
  Rational real, imaginary;    ///< correct to the digits asked for, relatively
  std::size_t multiplicity = 1;
  bool on_axis = false;  ///< the real part is exactly 0
  bool is_real = false;  ///< the imaginary part is exactly 0
};

/// All complex roots, each distinct one once with its multiplicity; ascending modulus, then real, then imaginary part.
/// Exact coefficients, squarefree factors and Arb's enclosures (Johansson): multiple and clustered roots lose nothing.
/// Roots on the imaginary axis are recognised exactly, as common roots of f(s) and f(−s).
///
/// @param coefficients  highest power first; leading zeros are allowed, all zero is not.
/// @param digits  correct decimal digits in the real and in the imaginary part, at least 17 are computed.
/// @throws std::invalid_argument for the zero polynomial.
std::vector<Root> roots(std::span<const Rational> coefficients, std::size_t digits = 17);

/// The values of roots(), for plots and estimates: each as often as its multiplicity; none for a constant and for an empty list.
std::vector<std::complex<double>> root_values(std::span<const Rational> coefficients);

}  // namespace sfg::exact
