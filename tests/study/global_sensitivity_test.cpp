// Indices against closed forms (Ishigami's function, products, sums); effects and bars against linear and failing measures.
#include "sfg/study/samples/global_sensitivity.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "sfg/error.hpp"
#include "sfg/read/toml.hpp"

namespace sfg {
namespace {

/// u → y with the gain, and measures of it.
struct Model {
  Model(const std::string& parameters, const std::string& gain, const std::vector<std::string>& measures) {
    const std::string text = "[graph]\nbranches = [[\"u\", \"y\", \"" + gain + "\"]]\n[parameters]\n" + parameters;
    MeasuredSystem system{std::get<SignalFlowGraph>(read_toml(text, "model.toml")), {}, {}};
    system.question = {*system.graph.find("u"), *system.graph.find("y")};
    variation = variation_of(system.graph.symbols);
    std::vector<Measure> asked;
    for (const std::string& measure : measures) asked.push_back(measure_of(measure, system.graph.symbols));
    program.emplace(system, asked, variation.names());
  }
  Variation variation;
  std::optional<MeasureProgram> program;
};

const char* const three =
    "a = { value = 2, tolerance = 0.4 }\nb = { value = 3, tolerance = \"50%\" }\nc = { value = -1, tolerance = \"±0.2\" }\n";

TEST(SobolIndices, AreThoseOfIshigamisFunction) {
  const std::string wide = " = { value = 0, tolerance = \"±3.14159265358979\" }\n";
  const Model model("a" + wide + "b" + wide + "c" + wide, "a+b+c", {"sin(a) + 7*sin(b)^2 + c^4*sin(a)/10"});
  const SobolStudy study = sobol_indices(*model.program, model.variation, 2048);
  // Ishigami and Homma 1990: variances of a alone, of b alone, of a and c together.
  const double p4 = std::pow(std::numbers::pi, 4), p8 = p4 * p4;
  const double va = std::pow(1 + p4 / 50, 2) / 2, vb = 49.0 / 8, vac = p8 / 100 * (1.0 / 18 - 1.0 / 50), v = va + vb + vac;
  const SobolIndices& found = study.measures.front();
  EXPECT_NEAR(found.variance, v, 0.02 * v);
  const double first[]{va / v, vb / v, 0}, total[]{(va + vac) / v, vb / v, vac / v};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(found.first[i], first[i], 0.02) << i;
    EXPECT_NEAR(found.total[i], total[i], 0.02) << i;
    EXPECT_LT(std::abs(found.first[i] - first[i]), 2 * found.first_error[i]);
    EXPECT_LT(found.first_error[i], 0.15);
  }
  EXPECT_EQ(study.evaluations, 2048U * 5);
}

TEST(SobolIndices, OfASumAreShares) {
  const Model model(
      "a = { value = 1, tolerance = \"±3\", distribution = \"normal\" }\nb = { value = 1, tolerance = \"±1\", distribution = "
      "\"triangular\" }\n",
      "a + 2*b", {"dc"});
  const SobolIndices found = sobol_indices(*model.program, model.variation, 1024).measures.front();
  const double va = 1, vb = 4.0 / 6;  // σ = 3/3; a triangle of half width 1 has the variance 1/6
  EXPECT_NEAR(found.variance, va + vb, 0.03);
  EXPECT_NEAR(found.first[0], va / (va + vb), 0.02);
  EXPECT_NEAR(found.total[1], vb / (va + vb), 0.02);
}

TEST(SobolIndices, AreTheSameForAnyNumberOfThreads) {
  const Model model(three, "a*b*c", {"dc"});
  const SobolIndices one = sobol_indices(*model.program, model.variation, 300, {.seed = 7, .threads = 1}).measures.front();
  const SobolIndices two = sobol_indices(*model.program, model.variation, 300, {.seed = 7, .threads = 2}).measures.front();
  EXPECT_EQ(one.first, two.first);
  EXPECT_EQ(one.total_error, two.total_error);
}

/// 1/sqrt(a - 1.5) is real for a > 1.5 only: a ∈ [1.2, 2.8] fails on 3/16 of its range, at either point of a sample.
TEST(SobolIndices, LeaveOutAndCountWhatFails) {
  const Model model(three, "a*b*c", {"1/sqrt(a - 1.5)", "b"});
  const SobolStudy study = sobol_indices(*model.program, model.variation, 512);
  EXPECT_NEAR(static_cast<double>(study.measures[0].failed), 512 * (1 - std::pow(13.0 / 16, 2)), 6);
  EXPECT_TRUE(std::isfinite(study.measures[0].variance));
  EXPECT_EQ(study.measures[1].failed, 0U);
  EXPECT_NEAR(study.measures[1].first[1], 1, 0.01);
}

TEST(GlobalSensitivity, RefusesTooFewSamplesAndSingleStepsOfCorrelatedParameters) {
  Model model(three, "a*b*c", {"dc"});
  EXPECT_THROW(static_cast<void>(sobol_indices(*model.program, model.variation, 1)), std::invalid_argument);
  model.variation.cholesky = {1, 0, 0, 0.5, 0.9, 0, 0, 0, 1};
  EXPECT_THROW(static_cast<void>(morris_effects(*model.program, model.variation, 64)), std::invalid_argument);
}

TEST(MorrisEffects, OfALinearMeasureAreSlopesTimesWidths) {
  const Model model(three, "2*a + 3*b - c", {"dc"});
  const MorrisEffects found = morris_effects(*model.program, model.variation, 12).measures.front();
  const double slope[]{2 * 1.6, 3 * 3.0, -0.4};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(found.mu[i], slope[i], 1e-12);
    EXPECT_NEAR(found.mu_star[i], std::abs(slope[i]), 1e-12);
    EXPECT_NEAR(found.sigma[i], 0, 1e-12);
  }
}

/// a² on [1.2, 2.8] from four levels: effects are 2a̅·1.6, between 2·(1.2 + 1/3·1.6)·1.6 and its mirror.
TEST(MorrisEffects, SpreadWhereAMeasureBends) {
  const Model model(three, "a^2", {"dc"});
  const MorrisEffects found = morris_effects(*model.program, model.variation, 200).measures.front();
  EXPECT_NEAR(found.mu[0], 2 * 2 * 1.6, 0.1);
  EXPECT_NEAR(found.sigma[0], 2 * 1.6 * 1.6 / 6, 0.02);  // a̅ is 2 ± 1.6/6
  EXPECT_EQ(found.mu[1], 0);
}

TEST(Tornado, HasTheLongestBarFirst) {
  const Model model(three, "2*a + 3*b - c", {"dc"});
  const Tornado found = tornado(*model.program, model.variation).measures.front();
  EXPECT_NEAR(found.nominal, 14, 1e-12);
  ASSERT_EQ(found.bars.size(), 3U);
  EXPECT_EQ(found.bars[0].parameter, "b");
  EXPECT_EQ(found.bars[1].parameter, "a");
  EXPECT_NEAR(found.bars[2].low, 14.2, 1e-12);
  EXPECT_NEAR(found.bars[2].high, 13.8, 1e-12);
}

TEST(Tornado, SaysWhichEndsFail) {
  const Model model(three, "a*b*c", {"b/sqrt(a - 1.5)"});
  const Tornado found = tornado(*model.program, model.variation).measures.front();
  EXPECT_EQ(found.bars[0].parameter, "a");
  EXPECT_TRUE(std::isnan(found.bars[0].low));
  EXPECT_TRUE(std::isfinite(found.bars[0].high));
  const Model nowhere(three, "a*b*c", {"sqrt(a - 3)"});
  EXPECT_THROW(static_cast<void>(tornado(*nowhere.program, nowhere.variation)), NoAnswer);
}

}  // namespace
}  // namespace sfg
