#include "sfg/numeric/taylor_tape.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace sfg::numeric {
namespace {

using Value = TapeBuilder::Value;

const std::vector<Operation> functions{Operation::negate, Operation::sqrt, Operation::exp,  Operation::log,  Operation::sin,
                                       Operation::cos,    Operation::tan,  Operation::asin, Operation::acos, Operation::atan,
                                       Operation::sinh,   Operation::cosh, Operation::tanh};

/// Every operation that has a series, at values where it is analytic.
Tape random_tape(std::mt19937_64& random) {
  TapeBuilder b;
  std::vector<Value> values{b.input("x0"), b.input("x1"), b.input("t"), b.constant(0.25), b.constant(-1.5)};
  const auto any = [&] { return values[random() % values.size()]; };
  const auto tamed = [&](Value v) { return b.add(b.constant(0.5), b.multiply(b.constant(0.2), b.apply(Operation::sin, v))); };
  while (values.size() < 20) {
    switch (random() % 6) {
      case 0: values.push_back(b.apply(functions[random() % functions.size()], tamed(any()))); break;
      case 1:
        values.push_back(b.apply(Operation::power, tamed(any()), random() % 2 == 0 ? b.constant(1.5) : tamed(any())));
        break;
      case 2: values.push_back(b.divide(tamed(any()), tamed(any()))); break;
      case 3: values.push_back(b.power(tamed(any()), static_cast<std::int32_t>(random() % 9) - 4)); break;
      case 4: values.push_back(tamed(b.subtract(any(), b.multiply(any(), any())))); break;
      default: values.push_back(tamed(b.add(any(), b.constant(0.75)))); break;
    }
  }
  return b.tape(std::vector<Value>(values.begin() + 5, values.end()));
}

double value(const TaylorTape& series, std::size_t output, std::size_t orders, double theta) {
  double sum = 0;
  for (std::size_t k = orders + 1; k-- > 0;) sum = sum * theta + series.output(output, k);
  return sum;
}

TEST(TaylorTape, HasTheSumsOfItsTapeNearby) {
  std::mt19937_64 random(29);
  std::uniform_real_distribution<double> number(-0.5, 0.5);
  constexpr std::size_t orders = 24, terms = 6;
  for (int round = 0; round < 100; ++round) {
    const Tape tape = random_tape(random);
    ASSERT_TRUE(TaylorTape::expands(tape));
    TaylorTape series(tape, orders, std::vector<std::size_t>{TaylorTape::no_polynomial, 3, 1});
    std::vector<std::vector<double>> inputs(3, std::vector<double>(orders + 1, 0));
    for (std::size_t k = 0; k < terms; ++k) inputs[0][k] = number(random);
    for (std::size_t k = 0; k < 4; ++k) inputs[1][k] = number(random);
    for (std::size_t k = 0; k < 2; ++k) inputs[2][k] = number(random);
    for (std::size_t k = 0; k <= orders; ++k) {
      for (std::size_t i = 0; i < inputs.size(); ++i) series.input(i, k) = inputs[i][k];
      series.run(k);
    }
    constexpr double theta = 0.02;
    std::vector<double> point;
    for (const auto& input : inputs) {
      double sum = 0;
      for (std::size_t k = orders + 1; k-- > 0;) sum = sum * theta + input[k];
      point.push_back(sum);
    }
    const std::vector<double> expected = tape.values(std::span<const double>(point));
    for (std::size_t i = 0; i < expected.size(); ++i)
      EXPECT_NEAR(value(series, i, orders, theta), expected[i], 1e-12 * std::max(1.0, std::abs(expected[i])))
          << round << " " << i;
  }
}

/// What jumps or bends is as it is in the piece, also at its ends.
TEST(TaylorTape, TakesSidesFromTheMiddleOfAPiece) {
  TapeBuilder b;
  const Value t = b.input("t"), late = b.subtract(t, b.constant(1));
  const std::vector<Value> outputs{
      b.apply(Operation::abs, late), b.apply(Operation::step, b.negate(late)),     b.apply(Operation::sign, late),
      b.apply(Operation::floor, t),  b.apply(Operation::max, late, b.constant(0)), b.apply(Operation::min, t, b.power(t, 2))};
  const Tape tape = b.tape(outputs);
  TaylorTape series(tape, 2, std::vector<std::size_t>{1});
  EXPECT_TRUE(series.piecewise());
  const auto at = [&](double middle) {
    series.sides(std::span<const double>(&middle, 1));
    for (std::size_t k = 0; k <= 2; ++k) {
      series.input(0, k) = k < 2 ? 1 : 0;  // t = 1 + θ
      series.run(k);
    }
    std::vector<std::vector<double>> found;
    for (std::size_t i = 0; i < outputs.size(); ++i)
      found.push_back({series.output(i, 0), series.output(i, 1), series.output(i, 2)});
    return found;
  };
  using Terms = std::vector<std::vector<double>>;
  EXPECT_EQ(at(1.5), (Terms{{0, 1, 0}, {0, 0, 0}, {1, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}));
  EXPECT_EQ(at(0.5), (Terms{{0, -1, 0}, {1, 0, 0}, {-1, 0, 0}, {0, 0, 0}, {0, 0, 0}, {1, 2, 1}}));
}

TEST(TaylorTape, DoesWithoutTables) {
  TapeBuilder b;
  const Value x = b.input("x"), y = b.input("y");
  EXPECT_FALSE(TaylorTape::expands(b.tape(std::vector<Value>{b.apply(Operation::atan2, x, y)})));
}

}  // namespace
}  // namespace sfg::numeric
