// Correlated parameters: Shapley effects against closed forms and against all subsets of normal parameters, ellipsoids against
// c'μ ± k sqrt(c'Σc) and the stationary points of quadratic functions on a ball, over random covariance matrices, singular ones
// too.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <numbers>
#include <random>

#include "sfg/error.hpp"
#include "sfg/numeric/dense.hpp"
#include "sfg/read/toml.hpp"
#include "sfg/study/boxes/worst_case.hpp"
#include "sfg/study/samples/global_sensitivity.hpp"
#include "sfg/study/semidefinite.hpp"

namespace sfg {
namespace {

using exact::Rational;

std::string parameter_name(std::size_t k) { return std::string("p") + std::to_string(k); }

/// Σ = B Bᵀ of small fractions; of rank `columns` at most.
Covariance random_covariance(std::mt19937_64& random, std::size_t n, std::size_t columns) {
  std::uniform_int_distribution<int> number(-6, 6);
  std::vector<Rational> B;
  for (std::size_t k = 0; k < n * columns; ++k) B.push_back(Rational(number(random)) / 10);
  Covariance result;
  for (std::size_t i = 0; i < n; ++i) {
    result.names.push_back(parameter_name(i));
    for (std::size_t j = 0; j < n; ++j) {
      Rational sum = i == j && columns >= n ? Rational(1) / 50 : Rational();
      for (std::size_t k = 0; k < columns; ++k) sum += B[i * columns + k] * B[j * columns + k];
      result.matrix.push_back(sum);
    }
  }
  return result;
}

Eigen::MatrixXd matrix_of(const Covariance& covariance) {
  const auto n = static_cast<Eigen::Index>(covariance.names.size());
  Eigen::MatrixXd result(n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j) result(i, j) = covariance.matrix[static_cast<std::size_t>(i * n + j)].to_double();
  return result;
}

/// Measures of parameters p0, p1, … with the values given; u → y is their sum.
struct Parameters {
  Parameters(const std::vector<double>& values, const std::optional<Covariance>& covariance,
             const std::vector<std::string>& texts, const std::string& more = "") {
    std::string gain, stated;
    for (std::size_t k = 0; k < values.size(); ++k) {
      gain += (k > 0 ? "+" : "") + parameter_name(k);
      stated += parameter_name(k) + " = " + std::to_string(values[k]) + "\n";
    }
    const std::string text =
        "[graph]\nbranches = [[\"u\", \"y\", \"" + gain + "\"]]\n[parameters]\n" + (more.empty() ? stated : more);
    system.graph = std::get<SignalFlowGraph>(read_toml(text, "model.toml"));
    system.question = {*system.graph.find("u"), *system.graph.find("y")};
    variation = variation_of(system.graph.symbols, {.covariance = covariance});
    for (const std::string& measure : texts) measures.push_back(measure_of(measure, system.graph.symbols));
  }
  SobolIndices indices(std::size_t samples) const {
    const MeasureProgram program(system, measures, variation.names());
    return sobol_indices(program, variation, samples).measures.front();
  }
  MeasuredSystem system;
  Variation variation;
  std::vector<Measure> measures;
};

std::string linear_text(const std::vector<double>& weight) {
  std::string text;
  for (std::size_t k = 0; k < weight.size(); ++k)
    text += (k > 0 ? " + (" : "(") + std::to_string(weight[k]) + ")*" + parameter_name(k);
  return text;
}

/// Var(cᵀx | x_kept) of normal x.
double variance_left(const Eigen::MatrixXd& sigma, const Eigen::VectorXd& c, unsigned kept) {
  std::vector<Eigen::Index> in, out;
  for (Eigen::Index k = 0; k < sigma.rows(); ++k) ((kept >> k & 1U) != 0 ? in : out).push_back(k);
  Eigen::MatrixXd all = sigma(out, out);
  if (!in.empty())
    all -=
        sigma(out, in) * Eigen::MatrixXd(sigma(in, in)).completeOrthogonalDecomposition().solve(Eigen::MatrixXd(sigma(in, out)));
  const Eigen::VectorXd weight = c(out);
  return out.empty() ? 0 : weight.dot(all * weight);
}

/// Shapley effects over all subsets.
std::vector<double> effects_of(const Eigen::MatrixXd& sigma, const Eigen::VectorXd& c) {
  const auto n = static_cast<unsigned>(sigma.rows());
  std::vector<double> result(n);
  const double variance = c.dot(sigma * c);
  for (unsigned i = 0; i < n; ++i)
    for (unsigned kept = 0; kept < 1U << n; ++kept) {
      if ((kept >> i & 1U) != 0) continue;
      const auto size = static_cast<double>(std::popcount(kept));
      const double weight = std::tgamma(size + 1) * std::tgamma(n - size) / std::tgamma(n + 1.0);
      result[i] += weight * (variance_left(sigma, c, kept) - variance_left(sigma, c, kept | 1U << i)) / variance;
    }
  return result;
}

Eigen::VectorXd vector_of(const std::vector<double>& values) {
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

/// Of b₁x₁ + b₂x₂: (b₁²σ₁²(1 − ρ²/2) + ρ b₁σ₁ b₂σ₂ + b₂²σ₂² ρ²/2)/V (Owen and Prieur 2017; Iooss and Prieur 2019).
TEST(ShapleyEffects, OfTwoCorrelatedParametersAreTheClosedForm) {
  for (const char* covariance : {"p0,p0=0.04; p1,p1=0.09; p0,p1=0.03", "p0,p0=0.04; p1,p1=0.09; p0,p1=-0.054"}) {
    const std::vector<double> b{2, 1};
    const Parameters two({1, 1}, parse_covariance({covariance}), {linear_text(b)});
    const Eigen::MatrixXd sigma = matrix_of(*two.variation.covariance);
    const double u = b[0] * std::sqrt(sigma(0, 0)), v = b[1] * std::sqrt(sigma(1, 1)),
                 r = sigma(0, 1) / std::sqrt(sigma(0, 0) * sigma(1, 1)), variance = u * u + v * v + 2 * r * u * v;
    const SobolIndices found = two.indices(4096);
    EXPECT_NEAR(found.variance, variance, 0.03 * variance);
    EXPECT_NEAR(found.shapley[0], (u * u * (1 - r * r / 2) + r * u * v + v * v * r * r / 2) / variance, 0.015);
    EXPECT_NEAR(found.shapley[0] + found.shapley[1], 1, 1e-12);
    EXPECT_NEAR(found.first[0], (u + r * v) * (u + r * v) / variance, 0.03);
    EXPECT_NEAR(found.total[0], u * u * (1 - r * r) / variance, 0.03);
  }
}

TEST(ShapleyEffects, OfRandomCovariancesAreThoseOfAllSubsets) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> weight(-2, 2);
  for (int trial = 0; trial < 8; ++trial) {
    const std::size_t n = 2 + static_cast<std::size_t>(trial) % 4;
    const Covariance covariance = random_covariance(random, n, trial < 4 ? n : std::max<std::size_t>(1, n - 1));
    std::vector<double> c;
    for (std::size_t k = 0; k < n; ++k) c.push_back(std::round(100 * weight(random)) / 100);
    const Parameters model(std::vector<double>(n, 1), covariance, {linear_text(c)});
    if (model.variation.parameters.size() < n || !model.variation.correlated()) continue;
    const SobolIndices found = model.indices(4096);
    const std::vector<double> expected = effects_of(matrix_of(covariance), vector_of(c));
    double sum = 0;
    for (std::size_t k = 0; k < n; ++k) {
      sum += found.shapley[k];
      EXPECT_NEAR(found.shapley[k], expected[k], std::max(0.02, 2.5 * found.shapley_error[k])) << trial << ": " << k;
      EXPECT_LT(found.shapley_error[k], 0.08);
    }
    EXPECT_NEAR(sum, 1, 1e-12);
  }
}

/// Of two that are one the measure may name either: they share.
TEST(ShapleyEffects, OfParametersThatAreOneAreEqual) {
  const Parameters same({1, 1, 1}, parse_covariance({"p0,p0=1; p1,p1=1; p0,p1=1; p2,p2=1"}), {"p0 + p2"});
  const SobolIndices found = same.indices(8192);
  EXPECT_NEAR(found.shapley[0], 0.25, 0.02);
  EXPECT_NEAR(found.shapley[1], 0.25, 0.02);
  EXPECT_NEAR(found.shapley[2], 0.5, 0.02);
  EXPECT_NEAR(found.total[0], 0, 1e-12);
  EXPECT_NEAR(found.first[1], 0.5, 0.03);
}

/// Without correlations an interaction is shared equally: φ = S + half of what two do together.
TEST(ShapleyEffects, ShareAnInteraction) {
  Parameters model({0, 0, 0, 0}, parse_covariance({"p0,p0=1; p1,p1=1; p2,p2=1; p3,p3=1"}), {"p0*p1 + 2*p2 + 0*p3"});
  model.variation.cholesky = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  const SobolIndices found = model.indices(8192);
  EXPECT_NEAR(found.shapley[0], 0.1, 0.02);
  EXPECT_NEAR(found.shapley[1], 0.1, 0.02);
  EXPECT_NEAR(found.shapley[2], 0.8, 0.03);
  EXPECT_NEAR(found.shapley[3], 0, 1e-12);
}

TEST(ShapleyEffects, UseTheCorrelationsOfTheModel) {
  const Parameters model({1, 1}, {}, {"p0 + p1"},
                         "p0 = { value = 1, tolerance = 0.3, distribution = \"normal\" }\np1 = { value = 2, tolerance = 0.15, "
                         "distribution = \"normal\" }\n[correlations]\n\"p0,p1\" = 0.5\n");
  const SobolIndices found = model.indices(4096);
  EXPECT_NEAR(found.variance, 0.03, 1e-3);
  EXPECT_NEAR(found.shapley[0], 0.5, 0.015);
}

TEST(Ellipsoid, ALinearMeasureReachesItsClosedForm) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> weight(-2, 2);
  for (int trial = 0; trial < 24; ++trial) {
    const std::size_t n = 1 + static_cast<std::size_t>(trial) % 6, columns = trial % 3 == 0 ? std::max<std::size_t>(1, n / 2) : n;
    const Covariance covariance = random_covariance(random, n, columns);
    std::vector<double> c, mu;
    for (std::size_t k = 0; k < n; ++k) {
      c.push_back(std::round(100 * weight(random)) / 100);
      mu.push_back(std::round(100 * weight(random)) / 100);
    }
    const Parameters model(mu, covariance, {linear_text(c)});
    if (model.variation.parameters.size() < n) continue;  // a variance is 0
    const double k = 1 + trial % 4;
    const WorstCases found = worst_cases(model.system, model.measures, model.variation, {.level = EllipsoidLevel{k}});
    const Eigen::VectorXd weights = vector_of(c);
    const double middle = weights.dot(vector_of(mu)),
                 reach = k * std::sqrt(std::max(0.0, weights.dot(matrix_of(covariance) * weights)));
    const WorstCase& worst = found.measures.front();
    ASSERT_TRUE(worst.complete && worst.upper.bound && worst.lower.bound) << trial;
    EXPECT_NEAR(worst.upper.attained, middle + reach, 1e-6 * (1 + reach)) << trial;
    EXPECT_NEAR(*worst.lower.bound, middle - reach, 1e-6 * (1 + reach)) << trial;
    EXPECT_GE(*worst.upper.bound, middle + reach - 1e-12 * (1 + reach));
    EXPECT_LE(*worst.lower.bound, middle - reach + 1e-12 * (1 + reach));
    EXPECT_LE(found.ellipsoid->rank, columns);
  }
}

/// The greatest value of gᵀz + ½ zᵀHz for |z| ≤ k: (μ − H) z = g with |z| = k, or within (Moré and Sorensen 1983).
double greatest_on_ball(const Eigen::MatrixXd& H, const Eigen::VectorXd& g, double k) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> modes(H);
  const Eigen::VectorXd h = modes.eigenvalues(), b = modes.eigenvectors().transpose() * g;
  const auto z = [&](double mu) { return Eigen::VectorXd(b.array() / (mu - h.array())); };
  double low = std::max(0.0, h.maxCoeff()), high = low + b.norm() / k + 1;
  if (h.maxCoeff() < 0 && z(0).norm() <= k) high = 0;
  if (high > 0) {
    for (int i = 0; i < 200; ++i) (z((low + high) / 2).norm() > k ? low : high) = (low + high) / 2;
  }
  const Eigen::VectorXd at = z(high);
  return b.dot(at) + at.dot(Eigen::VectorXd(h.array() * at.array())) / 2;
}

TEST(Ellipsoid, AQuadraticMeasureReachesItsStationaryPoint) {
  std::mt19937_64 random(13);
  std::uniform_int_distribution<int> number(-9, 9);
  for (int trial = 0; trial < 12; ++trial) {
    const std::size_t n = 2 + static_cast<std::size_t>(trial) % 2;
    const auto size = static_cast<Eigen::Index>(n);
    const Covariance covariance = random_covariance(random, n, trial % 4 == 3 ? n - 1 : n);
    Eigen::MatrixXd Q(size, size);
    Eigen::VectorXd c(size);
    std::string text;
    std::vector<double> mu;
    for (Eigen::Index i = 0; i < size; ++i) {
      c(i) = number(random) / 5.0;
      mu.push_back(number(random) / 10.0);
      text += (i > 0 ? " + " : "") + ("(" + std::to_string(c(i)) + ")*") + parameter_name(static_cast<std::size_t>(i));
      for (Eigen::Index j = 0; j <= i; ++j) {
        Q(i, j) = Q(j, i) = number(random) / 10.0;
        text += " + (" + std::to_string(Q(i, j)) + ")*" + (i == j ? "" : "2*") + parameter_name(static_cast<std::size_t>(i)) +
                "*" + parameter_name(static_cast<std::size_t>(j));
      }
    }
    const Parameters model(mu, covariance, {text});
    if (model.variation.parameters.size() < n) continue;
    const double k = 1.5;
    const WorstCase worst =
        worst_cases(model.system, model.measures, model.variation, {.gap = 1e-3, .level = EllipsoidLevel{k}}).measures.front();
    // x = μ + S z with the symmetric root S of Σ
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> modes(matrix_of(covariance));
    const Eigen::MatrixXd S = modes.eigenvectors() * modes.eigenvalues().cwiseMax(0).cwiseSqrt().asDiagonal();
    const Eigen::VectorXd middle = vector_of(mu), g = S.transpose() * (c + 2 * Q * middle);
    const Eigen::MatrixXd H = 2 * S.transpose() * Q * S;
    const double at = c.dot(middle) + middle.dot(Q * middle), high = at + greatest_on_ball(H, g, k),
                 low = at - greatest_on_ball(-H, -g, k), width = high - low;
    ASSERT_TRUE(worst.upper.bound && worst.lower.bound) << trial;
    EXPECT_TRUE(worst.complete) << trial;
    EXPECT_GE(*worst.upper.bound, high - 1e-9 * width) << trial << text;
    EXPECT_LE(worst.upper.attained, high + 1e-9 * width) << trial;
    EXPECT_LE(*worst.lower.bound, low + 1e-9 * width) << trial;
    EXPECT_GE(worst.lower.attained, low - 1e-9 * width) << trial;
    EXPECT_LE(*worst.upper.bound - worst.upper.attained, 1e-3 * std::max(std::abs(high), width) * (1 + 1e-9)) << trial;
  }
}

/// Beside a box of others, of a measure of a system; every sample of both lies within the bounds, and what is attained in the
/// set.
TEST(Ellipsoid, HoldsEverySampleBesideABox) {
  Parameters model({1, 2, 3}, parse_covariance({"p0,p0=0.01; p1,p1=0.04; p0,p1=0.018"}),
                   {"dc/(p0 + p1)^2 + p2/p0", "sqrt(p0*p1*p2)"});
  model.variation.parameters.push_back({"p2", 3, 0.3, Distribution::uniform});
  const MeasureProgram program(model.system, model.measures, model.variation.names());
  const double k = 2.5;
  const WorstCases found = worst_cases(model.system, model.measures, model.variation, {.level = EllipsoidLevel{k}});
  ASSERT_TRUE(found.complete());
  const auto distance = [&](const std::vector<double>& x) {
    const double a = (x[0] - 1) / 0.1, b = (x[1] - 2) / 0.2, r = 0.9;
    return std::sqrt((a * a - 2 * r * a * b + b * b) / (1 - r * r));
  };
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> part(-1, 1);
  std::vector<double> values(2);
  for (int sample = 0; sample < 20'000; ++sample) {
    const double angle = std::numbers::pi * part(random), length = k * std::sqrt(std::abs(part(random)));
    const double a = length * std::cos(angle), b = 0.9 * a + std::sqrt(1 - 0.81) * length * std::sin(angle);
    const std::vector<double> x{1 + 0.1 * a, 2 + 0.2 * b, 3 + 0.3 * part(random)};
    ASSERT_LE(distance(x), k * (1 + 1e-12));
    program.evaluate(1, x, values);
    for (std::size_t m = 0; m < 2; ++m) {
      ASSERT_GE(values[m], *found.measures[m].lower.bound - 1e-12);
      ASSERT_LE(values[m], *found.measures[m].upper.bound + 1e-12);
    }
  }
  for (const WorstCase& worst : found.measures)
    for (const WorstCaseEnd* end : {&worst.lower, &worst.upper}) {
      EXPECT_LE(distance(end->at), k * (1 + 1e-9));
      EXPECT_LE(std::abs(end->at[2] - 3), 0.3 * (1 + 1e-12));
    }
}

/// p1 follows from p0, in the measure as in the graph.
TEST(WorstCase, AMeasureMayNameWhatFollowsFromOthers) {
  const Parameters model({1, 1}, {}, {"p1 + dc", "p1"}, "p0 = { value = 1, tolerance = 0.1 }\np1 = \"2*p0\"\n");
  const WorstCases found = worst_cases(model.system, model.measures, model.variation);
  EXPECT_NEAR(*found.measures[0].upper.bound, 5.5, 1e-9);
  EXPECT_NEAR(*found.measures[1].lower.bound, 1.8, 1e-9);
}

TEST(Ellipsoid, AProbabilityIsALevel) {
  const Parameters model({1, 1}, parse_covariance({"p0,p0=1; p1,p1=1; p0,p1=0.5"}), {"p0"});
  const WorstCases found = worst_cases(model.system, model.measures, model.variation, {.level = EllipsoidLevel{0.95, true}});
  EXPECT_NEAR(found.ellipsoid->level, std::sqrt(-2 * std::log(0.05)), 1e-12);  // of two degrees of freedom
  EXPECT_NEAR(found.ellipsoid->probability, 0.95, 1e-12);
}

TEST(Ellipsoid, IsOfNormalParameters) {
  Parameters model({1, 1}, {}, {"p0"}, "p0 = { value = 1, tolerance = 0.3 }\np1 = 1\n");
  EXPECT_THROW(static_cast<void>(worst_cases(model.system, model.measures, model.variation, {.level = EllipsoidLevel{}})), Error);
  const Parameters mixed({1, 1}, {}, {"p0"},
                         "p0 = { value = 1, tolerance = 0.3 }\np1 = { value = 1, tolerance = 0.3, distribution = \"normal\" }\n"
                         "[correlations]\n\"p0,p1\" = 0.5\n");
  EXPECT_THROW(static_cast<void>(worst_cases(mixed.system, mixed.measures, mixed.variation, {.level = EllipsoidLevel{}})), Error);
}

TEST(SemidefiniteFactor, GivesTheMatrixBackExactly) {
  std::mt19937_64 random(3);
  for (int trial = 0; trial < 40; ++trial) {
    const std::size_t n = 1 + static_cast<std::size_t>(trial) % 6, columns = 1 + static_cast<std::size_t>(trial) % 4;
    const Covariance covariance = random_covariance(random, n, columns);
    const SemidefiniteFactor factor = factor_of(covariance);
    EXPECT_LE(factor.rank, std::min(n, columns >= n ? n : columns));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        Rational sum;
        for (std::size_t k = 0; k < factor.rank; ++k)
          sum += factor.L[i * factor.rank + k] * factor.D[k] * factor.L[j * factor.rank + k];
        ASSERT_EQ(sum, covariance.matrix[i * n + j]);
      }
  }
}

/// What is refused has a negative eigenvalue, and what is taken has none, as the numbers have it.
TEST(SemidefiniteFactor, RefusesWhatHasANegativeEigenvalue) {
  std::mt19937_64 random(4);
  std::uniform_int_distribution<int> number(-5, 5);
  int refused = 0, taken = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const std::size_t n = 1 + static_cast<std::size_t>(trial) % 4;
    Covariance covariance = random_covariance(random, n, 2);
    const std::size_t i = random() % n, j = random() % n;
    covariance.matrix[i * n + j] = covariance.matrix[j * n + i] += Rational(number(random)) / 20;
    const double least = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(matrix_of(covariance)).eigenvalues()(0);
    if (std::abs(least) < 1e-12) continue;
    bool well = true;
    try {
      static_cast<void>(factor_of(covariance));
    } catch (const Error& error) {
      well = false;
      EXPECT_NE(std::string(error.what()).find(" would be -"), std::string::npos) << error.what();
    }
    EXPECT_EQ(well, least > 0);
    ++(well ? taken : refused);
  }
  EXPECT_GT(refused, 40);
  EXPECT_GT(taken, 40);
}

}  // namespace
}  // namespace sfg
