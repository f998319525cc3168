#pragma once
#include <ginac/ex.h>

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sfg/exact/exact_polynomial.hpp"
#include "sfg/exact/rational_polynomial.hpp"
#include "sfg/transfer/characteristic.hpp"

namespace sfg {

/// Routh's array of a polynomial with symbolic or numeric coefficients (Routh 1877; Gantmacher, ch. XV).
struct RouthArray {
  std::string variable = "s";
  /// The unit circle: of the bilinear image, and `counts` are of roots outside, on and inside the circle.
  exact::Boundary boundary = exact::Boundary::imaginary_axis;
  std::vector<GiNaC::ex> polynomial = {};         ///< coefficients, highest power first
  std::vector<std::vector<GiNaC::ex>> rows = {};  ///< n + 1 rows, of s^n, s^(n−1), …, 1
  std::vector<std::string> notes = {};            ///< special cases: ε for a zero first element, derivative for a zero row
  /// Roots right of the axis, on it and left of it; only for numeric coefficients, from certified roots.
  std::optional<exact::RationalPolynomial::RootCounts> counts = {};
  /// Each must be positive; {} when it is always stable. Where the sign of the leading coefficient is not known they are the
  /// products with it, right for either sign. One that never holds is listed, too: a negative number, or 0 for a special case.
  std::vector<GiNaC::ex> conditions = {};
  bool never_stable = false;  ///< a condition is a negative number or zero
  /// The same as a sentence: "K > 0 and 6 - K > 0", "(K + 3 > 0 and …) or (-K - 3 > 0 and …)", "always", "never".
  std::string stable_if = {};
};

/// @param coefficients  highest power first, the first one not zero.
/// @throws std::invalid_argument for an empty list or a zero leading coefficient.
RouthArray routh(std::span<const GiNaC::ex> coefficients, const std::string& variable = "s");
/// Of the whole graph, elements outside of its loops included: the array of the product, the conditions of each factor. Notes say
/// which factors come from outside, and what cancels inside of the loops. Of a graph in z as routh_discrete.
RouthArray routh(const CharacteristicPolynomial&, const Operator&);

/// The image of the unit circle: P((1 + w)/(1 − w)) (1 − w)^n, whose roots left of the axis are those of P inside the unit
/// circle. Coefficients highest power first, as many as those of P; a root of P at −1 makes the leading one 0.
std::vector<GiNaC::ex> bilinear_image(std::span<const GiNaC::ex>);
std::vector<exact::RationalPolynomial> bilinear_image(std::span<const exact::RationalPolynomial>);
std::vector<exact::ExactPolynomial> bilinear_image(std::span<const exact::ExactPolynomial>);

/// Routh's array of the bilinear image: the stability of a discrete system; variable w.
RouthArray routh_discrete(std::span<const GiNaC::ex> coefficients);

/// Roots outside, on and inside the unit circle, multiplicities counted; exact.
struct CircleCounts {
  std::size_t outside = 0, on = 0, inside = 0;
};
CircleCounts circle_counts(const exact::RationalPolynomial&);

/// An open interval of a parameter; an end that is not given is infinite.
struct OpenRange {
  std::optional<exact::RealRoot> low = {};
  std::optional<exact::RealRoot> high = {};
};

/// The open ranges of a parameter k with every root left of the axis; ends exact where rational.
/// @param coefficients  in the operator, highest power first, each a polynomial in k with numbers.
/// @note Boundaries are real roots of a_0(k), a_n(k) and the Hurwitz determinant H_(n−1)(k), by Orlando's formula.
std::vector<OpenRange> stable_ranges(std::span<const exact::RationalPolynomial> coefficients);
std::vector<OpenRange> stable_ranges(std::span<const exact::ExactPolynomial> coefficients);

/// Every real value of the parameter at which a root lies on the axis, at infinity or opposite to another; ascending.
/// Empty when that is so for every value.
std::vector<exact::RealRoot> boundary_values(std::span<const exact::RationalPolynomial> coefficients);

/// The four polynomials that decide the stability of all polynomials with coefficients between `low` and `high`
/// (Kharitonov 1978). Coefficients highest power first.
std::array<std::vector<exact::Rational>, 4> kharitonov(std::span<const exact::Rational> low,
                                                       std::span<const exact::Rational> high);

}  // namespace sfg
