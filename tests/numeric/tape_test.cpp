#include "sfg/numeric/tape.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <random>
#include <stdexcept>
#include <thread>

#include "sfg/numeric/tape_slopes.hpp"

namespace sfg::numeric {
namespace {

using Complex = std::complex<double>;
using Value = TapeBuilder::Value;

const std::vector<Operation> unary{Operation::negate, Operation::sqrt, Operation::exp,  Operation::log,  Operation::sin,
                                   Operation::cos,    Operation::tan,  Operation::asin, Operation::acos, Operation::atan,
                                   Operation::sinh,   Operation::cosh, Operation::tanh, Operation::abs};
const std::vector<Operation> binary{Operation::power, Operation::atan2, Operation::min, Operation::max};

// Every operation at values where it is smooth, mixed with sums, products and quotients.
Tape random_tape(std::mt19937_64& random, std::size_t operations) {
  TapeBuilder b;
  std::vector<Value> values;
  for (int i = 0; i < 4; ++i) values.push_back(b.input("x" + std::to_string(i)));
  values.push_back(b.constant(0.25));
  const auto any = [&] { return values[random() % values.size()]; };
  // Into (0.2, 0.8), so that nothing leaves the domain of a function.
  const auto tamed = [&](Value v) { return b.add(b.constant(0.5), b.multiply(b.constant(0.3), b.apply(Operation::sin, v))); };
  const auto keep = [&](Value v) { values.push_back(tamed(v)); };
  while (values.size() < operations) {
    switch (random() % 8) {
      case 0: keep(b.apply(unary[random() % unary.size()], tamed(any()))); break;
      case 1: keep(b.apply(binary[random() % binary.size()], tamed(any()), tamed(any()))); break;
      case 2: keep(b.divide(any(), tamed(any()))); break;
      case 3: keep(b.power(tamed(any()), static_cast<std::int32_t>(random() % 9) - 4)); break;
      case 4: keep(b.subtract(any(), b.multiply(any(), any()))); break;
      case 5: keep(b.add(any(), b.multiply(tamed(any()), any()))); break;
      case 6: keep(b.subtract(b.multiply(any(), tamed(any())), any())); break;
      default: keep(tamed(any())); break;
    }
  }
  std::vector<Value> outputs;
  for (int o = 0; o < 3; ++o) outputs.push_back(tamed(any()));
  return b.tape(outputs);
}

// By the meaning of the operations, one value after the other; no fusion, no slots.
template <class T>
std::vector<T> reference(const Tape& tape, const std::vector<T>& inputs) {
  std::vector<T> v;
  for (const Instruction& i : tape.instructions()) {
    const T a = operand_count(i.operation) > 0 ? v[i.left] : T(0), c = operand_count(i.operation) > 1 ? v[i.right] : T(0);
    switch (i.operation) {
      case Operation::constant: v.push_back(tape.constants()[i.left]); break;
      case Operation::input: v.push_back(inputs[i.left]); break;
      case Operation::add: v.push_back(a + c); break;
      case Operation::subtract: v.push_back(a - c); break;
      case Operation::multiply: v.push_back(a * c); break;
      case Operation::divide: v.push_back(a / c); break;
      case Operation::negate: v.push_back(-a); break;
      case Operation::integer_power: v.push_back(std::pow(a, i.exponent())); break;
      case Operation::power: v.push_back(std::pow(a, c)); break;
      case Operation::sqrt: v.push_back(std::sqrt(a)); break;
      case Operation::exp: v.push_back(std::exp(a)); break;
      case Operation::log: v.push_back(std::log(a)); break;
      case Operation::sin: v.push_back(std::sin(a)); break;
      case Operation::cos: v.push_back(std::cos(a)); break;
      case Operation::tan: v.push_back(std::tan(a)); break;
      case Operation::asin: v.push_back(std::asin(a)); break;
      case Operation::acos: v.push_back(std::acos(a)); break;
      case Operation::atan: v.push_back(std::atan(a)); break;
      case Operation::atan2: v.push_back(std::atan2(std::real(a), std::real(c))); break;
      case Operation::sinh: v.push_back(std::sinh(a)); break;
      case Operation::cosh: v.push_back(std::cosh(a)); break;
      case Operation::tanh: v.push_back(std::tanh(a)); break;
      case Operation::abs: v.push_back(std::abs(a)); break;
      case Operation::sign: v.push_back(std::real(a) > 0 ? 1 : std::real(a) < 0 ? -1 : 0); break;
      case Operation::step: v.push_back(std::real(a) < 0 ? 0 : 1); break;
      case Operation::min: v.push_back(std::real(c) < std::real(a) ? c : a); break;
      case Operation::max: v.push_back(std::real(c) > std::real(a) ? c : a); break;
      case Operation::floor: v.push_back(std::floor(std::real(a))); break;
      case Operation::lookup: v.push_back(0); break;  // no table among random ones
    }
  }
  std::vector<T> outputs;
  for (const std::uint32_t o : tape.outputs()) outputs.push_back(v[o]);
  return outputs;
}

// Far from the real axis functions grow without bound, and with them the rounding errors.
bool moderate(const Complex& value) { return std::isfinite(std::abs(value)) && std::abs(value) < 10; }

double close(double scale) { return 1e-11 * (1 + std::abs(scale)); }

TEST(Tape, RunsLikeItsInstructionsOneByOne) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int trial = 0; trial < 200; ++trial) {
    const Tape tape = random_tape(random, 30);
    std::vector<double> x;
    std::vector<Complex> z;
    for (int i = 0; i < 4; ++i) {
      x.push_back(uniform(random));
      z.emplace_back(x.back(), 1e-3 * uniform(random));
    }
    const auto real = tape.values<double>(x), expected = reference(tape, x);
    const auto complex = tape.values<Complex>(z), complex_expected = reference(tape, z);
    for (std::size_t o = 0; o < real.size(); ++o) {
      EXPECT_NEAR(real[o], expected[o], close(expected[o])) << "trial " << trial;
      ASSERT_TRUE(moderate(complex_expected[o]));
      EXPECT_LE(std::abs(complex[o] - complex_expected[o]), 1e-9 * (1 + std::abs(complex_expected[o]))) << "trial " << trial;
    }
  }
}

TEST(Tape, BatchesGiveTheSameAsSinglePoints) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (const std::size_t points : {1, 2, 63, 64, 65, 200}) {
    const Tape tape = random_tape(random, 30);
    std::vector<std::vector<double>> x(4);
    std::vector<std::vector<Complex>> z(4);
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t p = 0; p < (i == 3 ? 1 : points); ++p) {  // the last input is the same at all points
        x[i].push_back(uniform(random));
        z[i].emplace_back(uniform(random), 1e-3 * uniform(random));
      }
    }
    const std::vector<std::span<const double>> reals(x.begin(), x.end());
    const std::vector<std::span<const Complex>> complexes(z.begin(), z.end());
    std::vector<double> out(3 * points), parallel(3 * points), work(tape.slot_count() * Tape::batch_size);
    std::vector<Complex> zout(3 * points), zparallel(3 * points), zwork(tape.slot_count() * Tape::batch_size);
    tape.run_batch<double>(points, reals, out, work);
    tape.run_parallel<double>(points, reals, parallel, 3);
    tape.run_batch<Complex>(points, complexes, zout, zwork);
    tape.run_parallel<Complex>(points, complexes, zparallel, 3);
    EXPECT_EQ(out, parallel);
    for (std::size_t p = 0; p < points; ++p) {
      const auto at = [&](const auto& v, std::size_t i) { return v[i][i == 3 ? 0 : p]; };
      const std::vector<double> single{at(x, 0), at(x, 1), at(x, 2), at(x, 3)};
      const std::vector<Complex> zsingle{at(z, 0), at(z, 1), at(z, 2), at(z, 3)};
      const auto expected = tape.values<double>(single);
      const auto zexpected = tape.values<Complex>(zsingle);
      for (std::size_t o = 0; o < 3; ++o) {
        EXPECT_EQ(std::bit_cast<std::uint64_t>(out[o * points + p]), std::bit_cast<std::uint64_t>(expected[o]));
        ASSERT_TRUE(moderate(zexpected[o]));
        EXPECT_LE(std::abs(zout[o * points + p] - zexpected[o]), 1e-9 * (1 + std::abs(zexpected[o])));
        EXPECT_EQ(zout[o * points + p], zparallel[o * points + p]);
      }
    }
  }
}

TEST(Tape, GradientIsTheDifferenceQuotient) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int trial = 0; trial < 200; ++trial) {
    const Tape tape = random_tape(random, 40);
    std::vector<double> x, seeds{1, -2, 0.5}, outputs(3), derivatives(4), work(2 * tape.instructions().size());
    for (int i = 0; i < 4; ++i) x.push_back(uniform(random));
    tape.gradient<double>(x, seeds, outputs, derivatives, work);
    const auto weighted = [&](std::vector<double> at) {
      const auto y = tape.values<double>(at);
      return seeds[0] * y[0] + seeds[1] * y[1] + seeds[2] * y[2];
    };
    for (std::size_t i = 0; i < 4; ++i) {
      const double h = 1e-5;
      auto above = x, below = x;
      above[i] += h;
      below[i] -= h;
      const double quotient = (weighted(above) - weighted(below)) / (2 * h);
      EXPECT_NEAR(derivatives[i], quotient, 1e-4 * (1 + std::abs(quotient))) << "trial " << trial << " input " << i;
    }
  }
}

TEST(Tape, JacobianAndSlopesAgreeWithTheGradient) {
  std::mt19937_64 random(4);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int trial = 0; trial < 100; ++trial) {
    const Tape tape = random_tape(random, 50);
    const Tape derived = with_jacobian(tape);
    ASSERT_EQ(derived.outputs().size(), 3 + 3 * 4);
    std::vector<double> x;
    for (int i = 0; i < 4; ++i) x.push_back(uniform(random));
    const auto all = derived.values<double>(x);
    for (std::size_t o = 0; o < 3; ++o) {
      std::vector<double> seeds(3), outputs(3), derivatives(4), work(2 * tape.instructions().size());
      seeds[o] = 1;
      tape.gradient<double>(x, seeds, outputs, derivatives, work);
      EXPECT_NEAR(all[o], outputs[o], close(outputs[o]));
      for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(all[3 + 4 * o + i], derivatives[i], 1e-8 * (1 + std::abs(derivatives[i])));
    }
    for (std::uint32_t i = 0; i < 4; ++i) {
      const auto slopes = with_slopes(tape, i).values<double>(x);
      ASSERT_EQ(slopes.size(), 6U);
      for (std::size_t o = 0; o < 3; ++o) {
        EXPECT_EQ(slopes[o], all[o]);
        EXPECT_NEAR(slopes[3 + o], all[3 + 4 * o + i], 1e-8 * (1 + std::abs(slopes[3 + o])));
      }
    }
  }
}

TEST(TapeBuilder, FindsEqualExpressionsAgain) {
  TapeBuilder b;
  const Value x = b.input("x"), y = b.input("y");
  EXPECT_EQ(b.add(b.multiply(x, y), x), b.add(x, b.multiply(y, x)));
  EXPECT_EQ(b.input("x"), x);
  EXPECT_EQ(b.constant(2), b.constant(2.0));
}

TEST(TapeBuilder, LeavesOutWhatChangesNothing) {
  TapeBuilder b;
  const Value x = b.input("x"), zero = b.constant(0), one = b.constant(1);
  EXPECT_EQ(b.add(x, zero), x);
  EXPECT_EQ(b.multiply(one, x), x);
  EXPECT_EQ(b.multiply(x, zero), zero);
  EXPECT_EQ(b.subtract(x, x), zero);
  EXPECT_EQ(b.negate(b.negate(x)), x);
  EXPECT_EQ(b.multiply(b.constant(3), b.constant(4)), b.constant(12));
  const Value unused = b.apply(Operation::exp, x);
  const std::vector<Value> outputs{b.subtract(zero, x)};
  EXPECT_NE(unused, outputs[0]);
  EXPECT_EQ(b.tape(outputs).operation_count(), 1U);
}

TEST(TapeBuilder, KeepsUnusedInputs) {
  TapeBuilder b;
  b.input("unused");
  const std::vector<Value> outputs{b.input("x")};
  const Tape tape = b.tape(outputs);
  ASSERT_EQ(tape.inputs().size(), 2U);
  EXPECT_EQ(tape.values<double>(std::vector<double>{7, 9}), std::vector<double>{9});
}

TEST(Tape, SlotsDoNotGrowWithTheLengthOfAChain) {
  TapeBuilder b;
  Value v = b.input("x");
  for (int i = 0; i < 10'000; ++i) v = b.add(b.apply(Operation::sin, v), b.constant(1));
  EXPECT_LE(b.tape(std::vector<Value>{v}).slot_count(), 4U);
}

TEST(Tape, RefusesWrongLengths) {
  TapeBuilder b;
  const std::vector<Value> outputs{b.multiply(b.input("x"), b.input("y"))};
  const Tape tape = b.tape(outputs);
  std::vector<double> two(2), one(1), slots(tape.slot_count());
  EXPECT_THROW(tape.run<double>(one, one, slots), std::invalid_argument);
  EXPECT_THROW(tape.run<double>(two, two, slots), std::invalid_argument);
  EXPECT_THROW(tape.run<double>(two, one, std::span<double>()), std::invalid_argument);
}

TEST(Tape, ManyThreadsShareOne) {
  std::mt19937_64 random(5);
  const Tape tape = random_tape(random, 200);
  const std::vector<double> x{0.1, 0.2, 0.3, 0.4};
  const auto expected = tape.values<double>(x);
  std::vector<std::vector<double>> results(4);
  {
    std::vector<std::jthread> threads;
    for (auto& result : results)
      threads.emplace_back([&] {
        for (int i = 0; i < 1000; ++i) result = tape.values<double>(x);
      });
  }
  for (const auto& result : results) EXPECT_EQ(result, expected);
}

// Sums, products, quotients and functions in an order that loses digits; long double tells the truth.
TEST(Tape, ErrorBoundsHold) {
  using Complex = std::complex<double>;
  using Wide = std::complex<long double>;
  TapeBuilder b;
  const auto x = b.input("x"), y = b.input("y");
  const auto product = b.multiply(x, y), quotient = b.divide(b.add(product, b.constant(1)), b.subtract(x, y));
  const auto cancelled = b.subtract(b.add(quotient, product), quotient);
  const auto fused = b.subtract(b.multiply(cancelled, x), b.multiply(product, x));
  const auto function = b.apply(Operation::exp, b.power(b.divide(x, b.constant(3)), 5));
  const std::vector outputs{product, quotient, cancelled, fused, function};
  const Tape tape = b.tape(outputs);
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> part(-2, 2);
  constexpr std::size_t points = 300;
  std::vector<Complex> xs, ys;
  for (std::size_t p = 0; p < points; ++p) {
    xs.emplace_back(part(random), part(random));
    ys.emplace_back(xs.back() + Complex(part(random), part(random)) * std::pow(10.0, -static_cast<double>(p % 9)));
  }
  const std::vector<std::span<const Complex>> inputs{xs, ys};
  const std::vector<double> exact{0, 0};
  std::vector<Complex> values(points * outputs.size()), again(values);
  std::vector<double> errors(values.size()), errors_again(values.size());
  tape.run_bounded(points, inputs, exact, values, errors, 1);
  tape.run_bounded(points, inputs, exact, again, errors_again, 2);
  EXPECT_EQ(values, again);
  EXPECT_EQ(errors, errors_again);
  for (std::size_t p = 0; p < points; ++p) {
    const Wide u(xs[p].real(), xs[p].imag()), v(ys[p].real(), ys[p].imag());
    const Wide q = (u * v + Wide(1)) / (u - v);
    const std::vector<Wide> truth{u * v, q, u * v, Wide(0), std::exp(std::pow(u / Wide(3), 5))};
    for (std::size_t o = 0; o < truth.size(); ++o) {
      const Complex& value = values[o * points + p];
      const auto error = static_cast<double>(std::abs(Wide(value.real(), value.imag()) - truth[o]));
      EXPECT_LE(error, 1.001 * errors[o * points + p] + 1e-18 * std::abs(q)) << "output " << o << ", point " << p;
      EXPECT_LE(errors[o * points + p], 1e-12 * static_cast<double>(std::abs(q) * std::abs(q) + std::abs(truth[o]) + 1.0L));
    }
  }
}

TEST(Tape, ErrorsOfInputsArePassedOn) {
  using Complex = std::complex<double>;
  TapeBuilder b;
  const std::vector outputs{b.divide(b.constant(1), b.input("x"))};
  const Tape tape = b.tape(outputs);
  const std::vector<Complex> x{{3, 4}};
  const std::vector<std::span<const Complex>> inputs{x};
  const std::vector<double> relative{1e-6};
  std::vector<Complex> value(1);
  std::vector<double> error(1);
  tape.run_bounded(1, inputs, relative, value, error);
  EXPECT_NEAR(error[0], 1e-6 / 5, 1e-11);
}

TEST(Tape, ExactFoldingLeavesWhatWouldBeRounded) {
  TapeBuilder b(TapeBuilder::Folding::exact);
  const auto third = b.divide(b.constant(1), b.constant(3)), half = b.divide(b.constant(1), b.constant(2));
  EXPECT_FALSE(b.is_constant(third, 1.0 / 3));
  EXPECT_TRUE(b.is_constant(half, 0.5));
  EXPECT_TRUE(b.is_constant(b.add(half, b.constant(2)), 2.5));
  EXPECT_FALSE(b.is_constant(b.add(b.constant(1e16), half), 1e16));
  EXPECT_FALSE(b.is_constant(b.multiply(b.constant(1 + 0x1p-40), b.constant(1 + 0x1p-40)), 1 + 0x1p-39));
  const std::vector outputs{third};
  EXPECT_EQ(b.tape(outputs).values<double>({}).front(), 1.0 / 3);
}

}  // namespace
}  // namespace sfg::numeric
