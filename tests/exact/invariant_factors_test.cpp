#include "sfg/exact/invariant_factors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace {

using namespace sfg::exact;
using Matrix = PolynomialMatrix<RationalPolynomial>;

const std::function<void()> on = [] {};

class RandomMatrices {
 public:
  long below(long n) { return static_cast<long>(random_() % static_cast<unsigned long>(n)); }

  RationalPolynomial polynomial(long degree) {
    std::vector<Rational> coefficients(static_cast<std::size_t>(degree) + 1);
    for (Rational& c : coefficients) c = Rational(below(9) - 4) / Rational(below(3) + 1);
    return RationalPolynomial(coefficients);
  }

  /// Each divides the next: factors of a few places, so that many are multiple and shared.
  std::vector<RationalPolynomial> chain(std::size_t length) {
    const std::vector<RationalPolynomial> places{{1, 1}, {1, -2}, {1, 0, 4}, {1, 0}, {1, 1, Rational(1) / Rational(3)}};
    std::vector<RationalPolynomial> result;
    RationalPolynomial last = RationalPolynomial::constant(1);
    for (std::size_t i = 0; i < length; ++i) {
      for (const RationalPolynomial& place : places)
        if (below(4) == 0) last *= place;
      result.push_back(last);
    }
    return result;
  }

  /// The diagonal between two products of elementary matrices.
  Matrix hidden(const std::vector<RationalPolynomial>& factors, std::size_t rows, std::size_t columns) {
    Matrix m(rows, std::vector<RationalPolynomial>(columns));
    for (std::size_t i = 0; i < factors.size(); ++i) m[i][i] = factors[i];
    for (std::size_t step = 0; step < 2 * (rows + columns); ++step) {
      if (const std::size_t i = random_() % rows, k = random_() % rows; i != k) {
        const RationalPolynomial by = polynomial(1);
        for (std::size_t j = 0; j < columns; ++j) m[i][j] += by * m[k][j];
      }
      if (const std::size_t j = random_() % columns, k = random_() % columns; j != k) {
        const RationalPolynomial by = polynomial(1);
        for (auto& row : m) row[j] += by * row[k];
      }
    }
    std::ranges::shuffle(m, random_);
    return m;
  }

 private:
  std::mt19937_64 random_{11};
};

TEST(InvariantFactors, AreThoseOfAHiddenDiagonal) {
  RandomMatrices random;
  for (int i = 0; i < 150; ++i) {
    const auto rows = static_cast<std::size_t>(random.below(4) + 1), columns = static_cast<std::size_t>(random.below(4) + 1);
    const auto rank = static_cast<std::size_t>(random.below(static_cast<long>(std::min(rows, columns)) + 1));
    const std::vector<RationalPolynomial> factors = random.chain(rank);
    const Matrix matrix = random.hidden(factors, rows, columns);
    EXPECT_EQ(invariant_factors(matrix, on), factors) << i;
    EXPECT_TRUE(have_common_divisors(matrix, factors, on)) << i;
  }
}

/// The same over numbers that are kept unrounded; factors without multiple roots there are split as they are met.
TEST(InvariantFactors, AreThoseOfAHiddenDiagonalOverIrrationalNumbers) {
  RandomMatrices random;
  const ExactField field;
  const ExactNumber root = field.power(ExactNumber(2), ExactNumber(Rational(1) / Rational(2)));
  const auto at_root = [&](const RationalPolynomial& p) {  // p(√2 x)
    std::vector<ExactNumber> coefficients;
    ExactNumber power(1);
    for (long k = 0; k <= p.degree(); ++k, power = power * root)
      coefficients.insert(coefficients.begin(), ExactNumber(p.coefficient(static_cast<std::size_t>(k))) * power);
    return ExactPolynomial(std::move(coefficients));
  };
  for (int i = 0; i < 12; ++i) {
    const auto rows = static_cast<std::size_t>(random.below(3) + 1), columns = static_cast<std::size_t>(random.below(3) + 1);
    const auto rank = static_cast<std::size_t>(random.below(static_cast<long>(std::min(rows, columns)) + 1));
    const std::vector<RationalPolynomial> factors = random.chain(rank);
    PolynomialMatrix<ExactPolynomial> matrix;
    for (const auto& row : random.hidden(factors, rows, columns)) {
      matrix.emplace_back();
      for (const RationalPolynomial& entry : row) matrix.back().push_back(at_root(entry));
    }
    const auto found = invariant_factors(matrix, on);
    ASSERT_EQ(found.size(), rank) << i;
    for (std::size_t k = 0; k < rank; ++k) EXPECT_TRUE((found[k] - at_root(factors[k]).monic()).is_zero()) << i;
  }
}

/// What is wrong in one factor does not pass.
TEST(InvariantFactors, AreCheckedByMinors) {
  RandomMatrices random;
  const RationalPolynomial place{1, 1};
  for (int i = 0; i < 30; ++i) {
    const std::vector<RationalPolynomial> factors = random.chain(3);
    const Matrix matrix = random.hidden(factors, 3, 4);
    const auto at = static_cast<std::size_t>(random.below(3));
    auto more = factors, fewer = factors;
    more[at] *= place;
    EXPECT_FALSE(have_common_divisors(matrix, more, on)) << i;
    fewer.pop_back();
    EXPECT_FALSE(have_common_divisors(matrix, fewer, on)) << i;
  }
}

TEST(InvariantFactors, OfLargeMatricesAreFoundInTime) {
  RandomMatrices random;
  const std::vector<RationalPolynomial> factors = random.chain(8);
  const Matrix matrix = random.hidden(factors, 8, 9);
  EXPECT_EQ(invariant_factors(matrix, on), factors);
}

}  // namespace
