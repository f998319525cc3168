// Shapes of modes: closed forms of chains, multiple poles with and without independent shapes, and random systems whose equations
// every shape must solve.
#include "sfg/control/modes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "sfg/expr/parse.hpp"
#include "sfg/transfer/exact_transfer.hpp"

namespace sfg {
namespace {

using Complex = std::complex<double>;

/// D(p) x = F of rows of texts.
EquationSystem system_of(const std::vector<std::vector<std::string>>& D) {
  EquationSystem system;
  system.symbols.symbol("p");
  for (std::size_t i = 0; i < D.size(); ++i) {
    system.unknowns.push_back({"x" + std::to_string(i + 1)});
    EquationSystem::Equation equation{"e" + std::to_string(i + 1)};
    for (std::size_t j = 0; j < D.size(); ++j)
      if (D[i][j] != "0") equation.left[j] = parse(D[i][j], system.symbols);
    system.equations.push_back(std::move(equation));
  }
  return system;
}

PolesZeros modes_of(const EquationSystem& system) {
  constexpr std::size_t digits = 40;
  PolesZeros poles = poles_zeros(characteristic_coefficients(system), "p", digits);
  add_shapes(poles, system);
  return poles;
}

TEST(Modes, OfAFreeChainAreTheBodyAndTwoOscillations) {
  const PolesZeros poles = modes_of(system_of({{"p^2 + 4", "-4", "0"}, {"-4", "p^2 + 8", "-4"}, {"0", "-4", "p^2 + 4"}}));
  ASSERT_EQ(poles.modes.size(), 5U);
  EXPECT_EQ(kind_of(poles.modes[0]), ModeKind::rigid);
  EXPECT_EQ(poles.modes[0].pole.multiplicity, 2U);
  ASSERT_EQ(poles.modes[0].shapes.size(), 1U);  // the free body drifts: one shape for two poles
  const auto expect_shape = [&](const Mode& mode, std::vector<double> shape) {
    ASSERT_EQ(mode.shapes.size(), 1U);
    for (std::size_t i = 0; i < shape.size(); ++i) EXPECT_NEAR(std::abs(mode.shapes[0][i] - shape[i]), 0, 1e-14);
  };
  expect_shape(poles.modes[0], {1, 1, 1});
  expect_shape(poles.modes[1], {1, 0, -1});
  expect_shape(poles.modes[3], {-0.5, 1, -0.5});
  EXPECT_EQ(kind_of(poles.modes[1]), ModeKind::oscillating);
  EXPECT_TRUE(poles.undamped);
  EXPECT_FALSE(poles.stable);
}

TEST(Modes, AMultiplePoleHasIndependentShapesWhereTheyExist) {
  const PolesZeros two_alike = modes_of(system_of({{"p^2 + 9", "0"}, {"0", "p^2 + 9"}}));
  ASSERT_EQ(two_alike.modes.front().shapes.size(), 2U);
  EXPECT_EQ(two_alike.modes.front().shapes[0], (std::vector<Complex>{1, 0}));
  EXPECT_EQ(two_alike.modes.front().shapes[1], (std::vector<Complex>{0, 1}));
  EXPECT_TRUE(two_alike.undamped);
  // one drives the other at its own frequency: one shape, and the motion grows
  const PolesZeros resonance = modes_of(system_of({{"p^2 + 9", "0"}, {"-1", "p^2 + 9"}}));
  EXPECT_EQ(resonance.modes.front().pole.multiplicity, 2U);
  ASSERT_EQ(resonance.modes.front().shapes.size(), 1U);
  EXPECT_EQ(resonance.modes.front().shapes[0], (std::vector<Complex>{0, 1}));
  EXPECT_FALSE(resonance.undamped);
}

TEST(Modes, DampedPairsHaveConjugateShapesAndRealPolesRealOnes) {
  const PolesZeros poles = modes_of(system_of({{"p^2 + p + 5", "-p - 1"}, {"-p - 1", "p^2 + 30*p + 7"}}));
  for (const Mode& mode : poles.modes) {
    for (const Complex z : mode.shapes.front()) {
      if (kind_of(mode) == ModeKind::real) {
        EXPECT_EQ(z.imag(), 0);
      }
    }
    for (const Mode& other : poles.modes) {
      if (other.pole.value != std::conj(mode.pole.value)) continue;
      for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(other.shapes.front()[i], std::conj(mode.shapes.front()[i]));
    }
  }
}

TEST(Modes, SolveTheEquationsOfRandomSystemsWhateverTheirScale) {
  std::mt19937 random(3);
  const auto number = [&] { return std::to_string(static_cast<int>(random() % 9) + 1); };
  for (int trial = 0; trial < 20; ++trial) {
    constexpr std::size_t n = 4;
    std::vector<std::vector<std::string>> D(n, std::vector<std::string>(n));
    const std::vector<std::string> row_scale{"1", "1e6", "1e-5", "30"}, column_scale{"1e3", "1", "1e-4", "7"};
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        D[i][j] =
            row_scale[i] + "*" + column_scale[j] + "*(" + (i == j ? "9*p^2 + " : "p^2 - ") + number() + "*p + " + number() + ")";
    const EquationSystem system = system_of(D);
    const auto rows = operator_rows(system);
    for (const Mode& mode : modes_of(system).modes) {
      ASSERT_EQ(mode.shapes.size(), mode.pole.multiplicity);
      const auto& shape = mode.shapes.front();
      double largest = 0;
      for (const Complex z : shape) largest = std::max(largest, std::abs(z));
      EXPECT_NEAR(largest, 1, 1e-12);
      EXPECT_NE(std::find(shape.begin(), shape.end(), Complex(1)), shape.end());
      for (const auto& row : rows) {
        Complex sum = 0;
        double size = 0;
        for (const auto& [column, entry] : row) {
          const Complex term = entry.at(mode.pole.value) * shape[column];
          sum += term;
          size = std::max(size, std::abs(term));
        }
        EXPECT_LE(std::abs(sum), 1e-12 * size);
      }
    }
  }
}

}  // namespace
}  // namespace sfg
