#pragma once
#include <cstddef>
#include <functional>
#include <vector>

#include "sfg/exact/rational_polynomial.hpp"

// Not installed.
namespace sfg::exact {

struct PolynomialEntry {
  std::size_t row, column;
  RationalPolynomial value;
};

/// The determinant of a square matrix, each place at most once, what is not there 0: by its values at as many whole numbers as its
/// degree may have and one more, whatever products it has.
/// @param checkpoint  called between the values; what it throws ends the work
RationalPolynomial determinant(std::size_t size, const std::vector<PolynomialEntry>&, const std::function<void()>& checkpoint);

}  // namespace sfg::exact
