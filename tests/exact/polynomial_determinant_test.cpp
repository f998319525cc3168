#include "sfg/exact/polynomial_determinant.hpp"

#include <gtest/gtest.h>

#include <random>

namespace {

using namespace sfg::exact;

/// By its first column, again and again.
RationalPolynomial expanded(const std::vector<std::vector<RationalPolynomial>>& matrix) {
  if (matrix.empty()) return RationalPolynomial::constant(1);
  RationalPolynomial sum;
  for (std::size_t row = 0; row < matrix.size(); ++row) {
    std::vector<std::vector<RationalPolynomial>> minor;
    for (std::size_t i = 0; i < matrix.size(); ++i)
      if (i != row) minor.emplace_back(matrix[i].begin() + 1, matrix[i].end());
    RationalPolynomial term = expanded(minor);
    term *= matrix[row][0];
    row % 2 == 0 ? sum += term : sum -= term;
  }
  return sum;
}

TEST(PolynomialDeterminant, IsThatOfTheExpansion) {
  std::mt19937_64 random(3);
  const auto number = [&] {
    return Rational(static_cast<long>(random() % 19) - 9) / Rational(static_cast<long>(random() % 5) + 1);
  };
  for (int i = 0; i < 60; ++i) {
    const std::size_t size = random() % 6;
    std::vector<std::vector<RationalPolynomial>> matrix(size, std::vector<RationalPolynomial>(size));
    std::vector<PolynomialEntry> entries;
    for (std::size_t row = 0; row < size; ++row)
      for (std::size_t column = 0; column < size; ++column) {
        std::vector<Rational> coefficients(random() % 4);
        for (Rational& c : coefficients) c = number();
        matrix[row][column] = RationalPolynomial(coefficients);
        if (!matrix[row][column].is_zero()) entries.push_back({row, column, matrix[row][column]});
      }
    EXPECT_EQ(determinant(size, entries, [] {}).coefficients(), expanded(matrix).coefficients());
  }
}

TEST(PolynomialDeterminant, EndsWhenItIsTold) {
  struct Enough {};
  int asked = 0;
  EXPECT_THROW(determinant(1, {{0, 0, RationalPolynomial{1, 0, 0, 0}}},
                           [&] {
                             if (++asked == 3) throw Enough();
                           }),
               Enough);
}

}  // namespace
