#include "sfg/nonlinear/balance/describing_function.hpp"

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "sfg/read/dot.hpp"

namespace {

using namespace sfg;
using Complex = std::complex<double>;
constexpr double pi = std::numbers::pi;

DescribingFunction of(const std::string& law) {
  const PrincipalForm form = principal_form(read_dot(
      "digraph { input=w; output=y; parameters=\"k=3, w0=1/2\"; w -> x [gain=\"1/(s+1)\"]; x -> y [nonlinear=\"" + law + "\"]; }",
      "test.dot"));
  return {form, 0, form.linear.parameter_values()};
}

// Gelb and Vander Velde 1968, appendix B; Wojnarowski and Świder 1978 for the polynomials.
TEST(DescribingFunction, IsThatOfTheTables) {
  const double A = 1.7, w = 3;
  const auto expect = [&](const char* law, Complex expected) {
    const auto found = of(law).closed_form(A, w);
    ASSERT_TRUE(found) << law;
    EXPECT_NEAR(std::abs(*found - expected), 0, 1e-13 * (1 + std::abs(expected))) << law;
  };
  const auto part = [](double x) { return x >= 1 ? 1 : 2 / pi * (std::asin(x) + x * std::sqrt(1 - x * x)); };
  expect("k*u", 3);
  expect("k*u^3", 3 * 0.75 * A * A);
  expect("u^5", 5.0 / 8 * std::pow(A, 4));
  expect("u*abs(u)", 8 * A / (3 * pi));
  expect("dead_zone(u, w0)", 1 - part(0.5 / A));
  expect("saturation(u, w0)", part(0.5 / A));
  expect("saturation(u, 5)", 1);
  expect("relay(u, 2)", 8 / (pi * A));
  expect("relay(u, w0, 2)", 8 / (pi * A) * std::sqrt(1 - 0.25 / (A * A)));
  expect("hysteresis(u, 1, 2)", 8 / (pi * A) * Complex(std::sqrt(1 - 1 / (A * A)), -1 / A));
  expect("coulomb(v, 2)", Complex(0, 8 / (pi * A)));
  expect("k*u^3 + 2*v*abs(v)", Complex(9.0 / 4 * A * A, 2 * w * 8 * A * w / (3 * pi)));
  const double b = 0.25 / A;  // backlash of the half gap 1/4
  expect("backlash(u, w0)",
         Complex((pi / 2 + std::asin(1 - 2 * b) + 2 * (1 - 2 * b) * std::sqrt(b * (1 - b))) / pi, -4 * b * (1 - b) / pi));
  double steps = 0;  // of a quantiser: 4q/πA Σ √(1 − ((2i − 1) q/2A)²)
  for (int i = 1; (2 * i - 1) * 0.25 / 2 < A; ++i) steps += std::sqrt(1 - std::pow((2 * i - 1) * 0.25 / (2 * A), 2));
  expect("quantise(u, 1/4)", 4 * 0.25 / (pi * A) * steps);
}

TEST(DescribingFunction, ClosedFormsAgreeWithQuadrature) {
  for (const char* law : {"k*u^3 - u^5/7", "u*abs(u)", "dead_zone(u, w0)", "dead_zone(u, -1, w0)", "saturation(2*u, -1, w0)",
                          "relay(u, 2)", "relay(u, w0, 2)", "hysteresis(u, 1, -1/4, 2)", "3*backlash(2*u, w0) + u",
                          "quantise(u, 1/4)", "coulomb(v, 2)", "k*u^3 + v*abs(v) - hysteresis(v, 1, 2)", "abs(u^3)",
                          "min(u, 1/3)*max(u, -1)", "step(u - w0)", "table(u, [-1, 2], [0, 0], [1, 1], [2, 5])"}) {
    const DescribingFunction N = of(law);
    for (const double A : {0.2, 0.7, 1.3, 4.1}) {
      const auto closed = N.closed_form(A, 1.5);
      if (!closed) {
        EXPECT_STREQ(law, "abs(u^3)");  // a corner where a cubic vanishes: found by quadrature alone
        continue;
      }
      const Complex other = N.by_quadrature(A, 1.5);
      EXPECT_NEAR(std::abs(*closed - other), 0, 2e-7 * (1 + std::abs(other)))
          << law << ", A = " << A << ": " << *closed << " " << other;
    }
  }
}

TEST(DescribingFunction, IsFoundByQuadratureForAnyLaw) {
  // exp: I_1 of Bessel, Abramowitz and Stegun 9.6.19; sin: 2 J_1(A)/A, 9.1.18.
  EXPECT_FALSE(of("exp(u)").closed_form(1));
  EXPECT_NEAR(of("exp(u)")(1).real(), 2 * std::cyl_bessel_i(1, 1.0), 1e-12);
  EXPECT_NEAR(of("sin(u)")(2).real(), std::cyl_bessel_j(1, 2.0), 1e-12);
  EXPECT_NEAR(std::abs(of("u^2*v")(2, 3) - Complex(0, 3.0 * 4 / 4)), 0, 1e-12);  // cos² sin has the fundamental sin/4
}

TEST(DescribingFunction, RefusesTheTime) { EXPECT_THROW(of("u*step(t - 1)"), Error); }

TEST(FirstHarmonics, OfAProductOfTwoSignals) {
  const SignalFlowGraph graph = read_dot(
      "digraph { input=w; output=y; w -> x [gain=\"1/(s+1)\"]; x -> b [gain=\"1/(s+2)\"]; x -> y [nonlinear=\"u*b\", "
      "arguments=\"b\"]; }",
      "test.dot");
  const PrincipalForm form = principal_form(graph);
  const CompiledLaws laws(form, {});
  const std::vector<Complex> amplitudes{2, Complex(1, 1)};
  const std::vector<double> bias{3, 0};
  const FirstHarmonics found = first_harmonics(laws, amplitudes, bias);
  EXPECT_NEAR(found.mean[0], 1, 1e-12);  // ½ Re 2 (1 − j)
  EXPECT_NEAR(std::abs(found.amplitude[0] - Complex(3, 3)), 0, 1e-12);
}

}  // namespace
