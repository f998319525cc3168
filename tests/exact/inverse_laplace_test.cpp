#include "sfg/exact/inverse_laplace.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "sfg/exact/rational_polynomial.hpp"

namespace sfg::exact {
namespace {

using Coefficients = std::vector<Rational>;

double at(const InverseLaplace& f, double t) { return f.at(std::vector<double>{t}).front(); }

TEST(InverseLaplace, OneObjectAnswersSeveralThreads) {
  const Coefficients num{1}, den{1, 3, 5, 3};
  const InverseLaplace f(num, den);
  const std::vector<double> times{0.1, 1, 5};
  const std::vector<double> alone = InverseLaplace(num, den).at(times);
  std::vector<std::vector<double>> found(8);
  {
    std::vector<std::jthread> threads;
    for (auto& values : found) threads.emplace_back([&] { values = f.at(times); });
  }
  for (const auto& values : found) EXPECT_EQ(values, alone);
}

TEST(InverseLaplace, DoubleAndTriplePoles) {
  const InverseLaplace f(Coefficients{1}, Coefficients{1, 3, 3, 1});  // t²/2 e^(−t)
  for (const double t : {0.5, 1.0, 4.0}) EXPECT_NEAR(at(f, t), t * t / 2 * std::exp(-t), 1e-16);
  EXPECT_EQ(at(f, 0.0), 0.0);
}

TEST(InverseLaplace, OscillationAndRamp) {
  const InverseLaplace sine(Coefficients{3}, Coefficients{1, 0, 9});
  EXPECT_NEAR(at(sine, 1.25), std::sin(3.75), 1e-15);
  const InverseLaplace ramp(Coefficients{2}, Coefficients{1, 0, 0});
  EXPECT_NEAR(at(ramp, 3.5), 7.0, 1e-15);
}

TEST(InverseLaplace, CommonFactorsCancelAndImpulsesAreApart) {
  const InverseLaplace f(Coefficients{1, 0, 2}, Coefficients{1, 1});  // s − 1 + 3/(s+1)
  EXPECT_EQ(f.direct(), (Coefficients{1, -1}));
  EXPECT_NEAR(at(f, 1.0), 3 * std::exp(-1.0), 1e-15);
  const InverseLaplace g(Coefficients{1, 1}, Coefficients{1, 3, 2});
  EXPECT_NEAR(at(g, 40.0), std::exp(-80.0), 1e-15 * std::exp(-80.0));
}

TEST(InverseLaplace, FortyPolesFarFromDoublePrecision) {
  RationalPolynomial den = RationalPolynomial::constant(1);
  for (int k = 1; k <= 40; ++k) den *= RationalPolynomial::variable() + RationalPolynomial::constant(k);
  // Π k/(s+k) has the time function 40 e^(−t) (1 − e^(−t))^39: the largest of 40 exponential variables
  Rational factorial = 1;
  for (int k = 2; k <= 40; ++k) factorial *= k;
  const InverseLaplace f(Coefficients{factorial}, den.coefficients());
  for (const double t : {1.0, 3.7, 6.0}) EXPECT_NEAR(at(f, t), 40 * std::exp(-t) * std::pow(1 - std::exp(-t), 39), 1e-14);
}

TEST(InverseLaplace, ADoublePole) {
  const InverseLaplace f(Coefficients{1, 0}, Coefficients{1, 2, 1});  // 1/(s+1) − 1/(s+1)²
  for (const double t : {0.0, 0.5, 3.0}) EXPECT_NEAR(at(f, t), (1 - t) * std::exp(-t), 1e-15);
}

}  // namespace
}  // namespace sfg::exact
