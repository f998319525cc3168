#pragma once
#include <ginac/ex.h>

#include <string>
#include <utility>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/exact/boundary.hpp"

namespace sfg {

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

}  // namespace sfg
