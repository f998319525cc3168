// One table of operations, several kinds of numbers: what intervals and jets give over a box holds what doubles give in it.
#include "sfg/study/boxes/tape_jets.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "sfg/nonlinear/compiled_laws.hpp"

namespace sfg {
namespace {

using numeric::Operation;
using numeric::TapeBuilder;

constexpr Operation of_one[] = {Operation::negate, Operation::sqrt, Operation::exp,  Operation::log,  Operation::sin,
                                Operation::cos,    Operation::tan,  Operation::asin, Operation::acos, Operation::atan,
                                Operation::sinh,   Operation::cosh, Operation::tanh, Operation::abs,  Operation::sign,
                                Operation::step,   Operation::floor};
constexpr Operation of_two[] = {Operation::add,   Operation::subtract, Operation::multiply, Operation::divide,
                                Operation::atan2, Operation::min,      Operation::max};

/// Some values one made of others, of two inputs.
numeric::Tape random_tape(std::mt19937& random) {
  TapeBuilder builder(TapeBuilder::Folding::exact);
  std::vector<TapeBuilder::Value> made{builder.input("a"), builder.input("b"), builder.constant(0.5), builder.constant(-2)};
  const auto any = [&] { return made[random() % made.size()]; };
  for (int k = 0; k < 4; ++k) switch (random() % 4) {
      case 0: made.push_back(builder.apply(of_one[random() % std::size(of_one)], any())); break;
      case 1: made.push_back(builder.apply(of_two[random() % std::size(of_two)], any(), any())); break;
      case 2: made.push_back(builder.apply(Operation::power, builder.apply(Operation::abs, any()), any())); break;
      default: made.push_back(builder.power(any(), static_cast<int>(random() % 7) - 3));
    }
  return builder.tape(made);
}

TEST(Operations, OverABoxHoldWhatTheyGiveInIt) {
  std::mt19937 random(1);
  const auto between = [&](double low, double high) { return std::uniform_real_distribution<double>(low, high)(random); };
  std::size_t finite = 0;
  for (int trial = 0; trial < 20'000; ++trial) {
    const numeric::Tape tape = random_tape(random);
    std::vector<ring::Interval> sides;
    for (int i = 0; i < 2; ++i) {
      const double low = between(-2, 2);
      sides.emplace_back(low, low + (random() % 4 == 0 ? 0.0 : between(0, 0.5)));
    }
    const ring::ParameterBox box(sides);
    std::vector<ring::Jet> jets_of_inputs;
    std::vector<ring::Bounds> bounds;
    for (std::size_t i = 0; i < tape.inputs().size(); ++i) {
      jets_of_inputs.push_back(ring::Jet::variable(box, i));
      bounds.push_back(sides[i].bounds());
    }
    const std::vector<ring::Jet> found = jets(tape, jets_of_inputs);
    const Enclosure enclosed = enclosure(tape, bounds, {});
    for (int k = 0; k < 5; ++k) {
      std::vector<double> point;
      for (std::size_t i = 0; i < tape.inputs().size(); ++i) point.push_back(between(sides[i].low, sides[i].high));
      const std::vector<double> values = tape.values<double>(point);
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (!std::isfinite(values[i]) || std::abs(values[i]) > 1e6) break;  // those after it may be made of it
        ++finite;
        const double slack = 1e-9 * (1 + std::abs(values[i]));  // what rounding may have made of small differences
        const auto around = [&](double low, double high) { return low <= values[i] + slack && values[i] - slack <= high; };
        EXPECT_TRUE(around(found[i].value().low, found[i].value().high)) << trial << ": " << values[i];
        EXPECT_TRUE(around(enclosed.values[i].low, enclosed.values[i].high)) << trial << ": " << values[i];
      }
    }
  }
  EXPECT_GT(finite, 300'000U);
}

}  // namespace
}  // namespace sfg
