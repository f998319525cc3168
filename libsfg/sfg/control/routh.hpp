#pragma once
#include <ginac/ex.h>

#include <array>
#include <complex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/exact/exact_polynomial.hpp"
#include "sfg/exact/rational_polynomial.hpp"
#include "sfg/exact/roots.hpp"
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

/// Where in the plane of two parameters every root is left of the axis (of a polynomial in z: inside the unit circle).
struct StabilityRegion {
  using Range = std::pair<double, double>;
  /// A value of the first parameter with the stable ranges of the second, inside the range asked for.
  struct Column {
    double first = 0;
    std::vector<Range> stable;
  };
  enum class Crossing {
    zero,      ///< a root at s = 0 (z = 1)
    pair,      ///< an imaginary pair (a pair on the unit circle)
    infinity,  ///< a root at infinity: the degree drops (z = −1)
  };
  /// A point of the boundary: the end of a stable range.
  struct Point {
    double first = 0, second = 0;
    Crossing crossing = Crossing::zero;
    double frequency = 0;  ///< of the pair, rad/s (of the unit circle: the angle, rad per sample)
  };
  Range first_range, second_range;
  std::vector<Column> columns;  ///< ascending
  std::vector<Point> boundary;  ///< column by column, ascending
};

struct RegionQuestion {
  GiNaC::ex characteristic;  ///< a polynomial in the operator and both parameters, with numbers for all else
  GiNaC::ex variable, first, second;
  StabilityRegion::Range first_range, second_range;
  exact::Boundary boundary = exact::Boundary::imaginary_axis;
  std::size_t columns = 241;
};

/// D-decomposition (Neimark 1948) column by column: the parameter plane is parted by the curves a_n = 0, a_0 = 0 and H_(n−1) = 0
/// (a root at infinity, at 0, an imaginary pair). For each value of the first parameter the crossings of these curves are the
/// real roots of exact polynomials in the second one, and every piece between them is decided by an exact root count. Columns are
/// added where the number of pieces changes.
/// @throws NoAnswer when the characteristic is no polynomial in the three.
StabilityRegion stability_region(const RegionQuestion&, const Budget& = {});

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
