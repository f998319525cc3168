// Fits of exact data, slopes against differences and against the certified passes, what data do not determine, bounds.
#include "sfg/study/fit/fit.hpp"

#include <fmt/format.h>
#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "sfg/ask/fit.hpp"
#include "sfg/ask/nonlinear_residuals.hpp"
#include "sfg/error.hpp"
#include "sfg/read/dot.hpp"
#include "sfg/study/fit/coefficient_response.hpp"
#include "sfg/study/fit/determined.hpp"
#include "sfg/study/fit/signal_residuals.hpp"

namespace sfg {
namespace {

SignalFlowGraph graph_with(const std::string& parameters, const std::string& branches, const std::string& variable = "s") {
  return read_dot(
      "digraph { input=\"u\"; output=\"y\"; variable=\"" + variable + "\"; parameters=\"" + parameters + "\"; " + branches + " }",
      "test.dot");
}

std::vector<double> even(std::size_t count, double until) {
  std::vector<double> times;
  for (std::size_t i = 0; i < count; ++i) times.push_back(until * static_cast<double>(i) / static_cast<double>(count - 1));
  return times;
}

SignalSamples all_of(std::size_t count, std::vector<double> value = {}) {
  SignalSamples samples;
  for (std::size_t i = 0; i < count; ++i) samples.at.push_back(i);
  samples.value = value.empty() ? std::vector<double>(count, 0) : std::move(value);
  samples.weight.assign(count, 1);
  return samples;
}

struct Values {
  std::vector<double> residuals, slopes;
};

Values at(FitResiduals& residuals, const std::vector<double>& x) {
  Values found{std::vector<double>(residuals.size()), std::vector<double>(residuals.size() * x.size())};
  EXPECT_TRUE(residuals.evaluate(x, found.residuals, found.slopes));
  return found;
}

/// Slopes against differences of sixth order; an absolute error of the values of 1e-12 is left 1e-9 of.
void expect_slopes(FitResiduals& residuals, const std::vector<double>& x, double tolerance) {
  const Values here = at(residuals, x);
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double step = 1e-2 * std::abs(x[k]);
    std::vector<std::vector<double>> values;
    for (const int i : {1, -1, 2, -2, 3, -3}) {
      std::vector<double> moved = x;
      moved[k] += step * i;
      values.push_back(at(residuals, moved).residuals);
    }
    double size = 0, worst = 0;
    for (std::size_t i = 0; i < residuals.size(); ++i) {
      const double slope =
          (45 * (values[0][i] - values[1][i]) - 9 * (values[2][i] - values[3][i]) + values[4][i] - values[5][i]) / (60 * step);
      size = std::max(size, std::abs(slope));
      worst = std::max(worst, std::abs(slope - here.slopes[i * x.size() + k]));
    }
    EXPECT_LE(worst, tolerance * size + 1e-12) << "parameter " << k;
  }
}

TEST(FitSlopes, OfRandomTransferFunctionsAreThoseOfDifferencesAndOfTheCertifiedPasses) {
  std::mt19937_64 random(37);
  std::uniform_real_distribution<double> size(0.4, 2.5);
  for (int round = 0; round < 12; ++round) {
    const int order = 1 + round % 4;
    std::string parameters = fmt::format("K={:.3f}, L={:.3f}", size(random), round % 3 == 0 ? 0.3 : 0.0), below, graph;
    std::vector<std::string> names{"K"};
    for (int i = 0; i < order; ++i) {
      parameters += fmt::format(", w{0}={1:.3f}, z{0}={2:.3f}", i, size(random), 0.2 + 0.3 * size(random));
      below += fmt::format("*(s^2+2*z{0}*w{0}*s+w{0}^2)", i);
      names.push_back(fmt::format("w{}", i));
      names.push_back(fmt::format("z{}", i));
    }
    const std::string above = round % 2 == 0 ? "K" : "K*(s+1)";
    const std::string delay = round % 3 == 0 ? "*exp(-s*L)" : "";
    if (round % 3 == 0) names.emplace_back("L");
    const SignalFlowGraph g = graph_with(parameters, "u -> y [gain=\"" + above + delay + "/(" + below.substr(1) + ")\"];");
    SampledSignal signal;
    for (double t = 0; t < 5; t += size(random)) signal.time.push_back(t), signal.value.push_back(size(random) - 1);
    const SymbolTable table = g.symbols;
    SignalQuestion question{.drives = {{g.at("u"), signal}}, .outputs = {g.at("y")}, .time = GiNaC::symbol("t")};
    const auto residuals = linear_residuals(g, question, names, even(23, 5.3), {all_of(23)}, {});
    std::vector<double> x;
    for (const std::string& name : names) x.push_back(GiNaC::ex_to<GiNaC::numeric>(*table.at(name).value).to_double());
    EXPECT_TRUE(residuals->check(x)) << "round " << round;
    expect_slopes(*residuals, x, round % 3 == 0 ? 1e-2 : 2e-6);
  }
}

TEST(FitSlopes, OfLawsAreThoseOfDifferences) {
  const SignalFlowGraph g =
      graph_with("c=0.3, k=1.2, q=0.7, a=1.4",
                 "u -> r [gain=\"a\"]; r -> y [gain=\"1/(p^2+c*p+k)\"]; y -> r [nonlinear=\"-q*u^3 - c*tanh(k*v)\"];", "p");
  const SignalQuestion question{.drives = {{g.at("u"), GiNaC::ex(1)}}, .outputs = {g.at("y")}, .time = GiNaC::symbol("t")};
  const auto residuals = nonlinear_residuals(g, question, {"c", "k", "q", "a"}, even(15, 6), {all_of(15)}, {});
  EXPECT_TRUE(residuals->notes().empty()) << residuals->notes().front();
  expect_slopes(*residuals, {0.3, 1.2, 0.7, 1.4}, 1e-5);
}

TEST(FitSlopes, OfLawsFromAnInitialStateAreThoseOfDifferences) {
  const SignalFlowGraph g =
      graph_with("c=0.3, m=1.2, q=0.7, x0=1.4",
                 "u -> r [gain=\"1\"]; r -> y [gain=\"1/(m*p^2+c*p+1)\"]; y -> r [nonlinear=\"-q*u^3\"];", "p");
  const SignalQuestion question{.drives = {{g.at("u"), GiNaC::ex(1)}},
                                .initial = {{"y", g.symbols.at("x0").expr}, {"Dy", g.symbols.at("c").expr}},
                                .outputs = {g.at("y")},
                                .time = GiNaC::symbol("t")};
  const auto residuals = nonlinear_residuals(g, question, {"c", "m", "q", "x0"}, even(15, 6), {all_of(15)}, {});
  EXPECT_TRUE(residuals->notes().empty()) << residuals->notes().front();
  expect_slopes(*residuals, {0.3, 1.2, 0.7, 1.4}, 1e-5);
}

TEST(FitSlopes, OfLawsThatJumpAreSaidToBeDifferences) {
  const SignalFlowGraph g =
      graph_with("c=0.3", "u -> r [gain=\"1\"]; r -> y [gain=\"1/(p^2+p+1)\"]; y -> r [nonlinear=\"-c*sign(u)\"];", "p");
  const SignalQuestion question{.drives = {{g.at("u"), GiNaC::ex(1)}}, .outputs = {g.at("y")}, .time = GiNaC::symbol("t")};
  const auto residuals = nonlinear_residuals(g, question, {"c"}, even(9, 4), {all_of(9)}, {});
  ASSERT_EQ(residuals->notes().size(), 1U);
  EXPECT_NE(residuals->notes()[0].find("differences"), std::string::npos);
}

/// Straight through least squares: y = Σ a_k f_k.
class Polynomial : public FitResiduals {
 public:
  explicit Polynomial(std::vector<std::vector<double>> rows, std::vector<double> y) : rows_(std::move(rows)), y_(std::move(y)) {}
  std::size_t size() const override { return rows_.size(); }
  bool evaluate(std::span<const double> p, std::span<double> r, std::span<double> J) override {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      r[i] = y_[i];
      for (std::size_t k = 0; k < p.size(); ++k) {
        r[i] -= rows_[i][k] * p[k];
        if (!J.empty()) J[i * p.size() + k] = -rows_[i][k];
      }
    }
    return true;
  }

 private:
  std::vector<std::vector<double>> rows_;
  std::vector<double> y_;
};

TEST(Fit, OfALineIsThatOfTheNormalEquations) {
  // y = 1, 3, 4 over x = 0, 1, 2: a = 7/6, b = 3/2, Σr² = 1/6, (XᵀX)⁻¹ = [5/6, −1/2; −1/2, 1/2]
  Polynomial line({{1, 0}, {1, 1}, {1, 2}}, {1, 3, 4});
  const Fit fit = fitted(line, {{"a", 1}, {"b", 1}});
  ASSERT_TRUE(fit.converged && fit.determined());
  EXPECT_NEAR(fit.parameters[0].value, 7.0 / 6, 1e-12);
  EXPECT_NEAR(fit.parameters[1].value, 1.5, 1e-12);
  EXPECT_NEAR(fit.rms, std::sqrt(1.0 / 18), 1e-12);
  EXPECT_NEAR(fit.covariance[0], 5.0 / 36, 1e-12);
  EXPECT_NEAR(fit.covariance[1], -1.0 / 12, 1e-12);
  EXPECT_NEAR(fit.correlation[1], -0.5 / std::sqrt(5.0 / 12), 1e-12);
  EXPECT_NEAR(fit.parameters[0].interval_high - fit.parameters[0].value, 12.706204736432095 * std::sqrt(5.0 / 36), 1e-9);  // t(1)
}

TEST(Fit, SaysWhatDataDoNotDetermine) {
  const Eigen::MatrixXd x = Eigen::VectorXd::LinSpaced(9, 1, 2);
  Eigen::MatrixXd J(9, 4);  // of a·b/c and, apart, of d
  J << x / 2, x / 3, -x / 5, x.cwiseProduct(x);
  const Determination found = determination(J, {"a", "b", "c", "d"}, {2, 3, 5, 7});
  EXPECT_EQ(found.rank, 2);
  EXPECT_EQ(found.determined, (std::vector<bool>{false, false, false, true}));
  EXPECT_EQ(found.combinations, (std::vector<std::string>{"a*b/c"}));
  Eigen::MatrixXd S(9, 3);  // of a + 2 b, and c not at all
  S << x, 2 * x, 0 * x;
  const Determination sum = determination(S, {"a", "b", "c"}, {0.3, 0.7, 1});
  EXPECT_EQ(sum.combinations, (std::vector<std::string>{"a + 2*b"}));
  EXPECT_EQ(sum.determined, (std::vector<bool>{false, false, false}));
}

TEST(Fit, OfExactDataReturnsTheTruth) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> size(0.5, 2);
  for (int round = 0; round < 8; ++round) {
    const double K = size(random), w = size(random), z = 0.4 * size(random);
    const SignalFlowGraph g = graph_with(fmt::format("K=1, w=1, z=0.5"),
                                         "u -> e [gain=\"1\"]; e -> y [gain=\"K*w^2/(s^2+2*z*w*s)\"]; y -> e [gain=\"-1/K\"];");
    const SignalQuestion question{.drives = {{g.at("u"), GiNaC::ex(1)}}, .outputs = {g.at("y")}, .time = GiNaC::symbol("t")};
    const std::vector<std::string> names{"K", "w", "z"};
    const auto model = linear_residuals(g, question, names, even(31, 8), {all_of(31)}, {});
    std::vector<double> y = at(*model, {K, w, z}).residuals;
    for (double& each : y) each = -each;
    const auto residuals = linear_residuals(g, question, names, even(31, 8), {all_of(31, y)}, {});
    const Fit fit = fitted(*residuals, {{"K", 1}, {"w", 1, 0.2, 4}, {"z", 0.5, 0.01, 2}});
    EXPECT_TRUE(fit.converged);
    EXPECT_NEAR(fit.parameters[0].value, K, 1e-8);
    EXPECT_NEAR(fit.parameters[1].value, w, 1e-8);
    EXPECT_NEAR(fit.parameters[2].value, z, 1e-8);
    EXPECT_LT(fit.rms, 1e-9);
  }
}

TEST(Fit, DoesNotDependOnWhenTheClockOfARecordBegins) {
  const SignalFlowGraph g = graph_with("K=1, T=1", "u -> y [gain=\"K/(T*s+1)\"];");
  const std::vector<std::optional<double>> u{1, 1, 2, 2, 0, 0, 1}, y{0, 0.3, 0.9, 2.1, 1.4, 0.5, 0.6};
  const auto fit = [&](double begin) {
    Measurement record{
        .file = "record.csv", .columns = {{.output = "y", .samples = y}}, .inputs = {{.output = "u", .samples = u}}};
    for (const double t : {0.0, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0}) record.at.push_back(begin + t);
    return fitted(g, {.records = {record}, .parameters = {{"K", 1}, {"T", 1}}, .inputs = {"u"}, .time = GiNaC::symbol("t")}).fit;
  };
  const Fit stated = fit(0);
  ASSERT_TRUE(stated.determined());
  for (const double begin : {-0.125, -1.5, -3.0, -8.0}) {  // its last sample at 0, or before it, too
    const Fit earlier = fit(begin);
    EXPECT_NEAR(earlier.parameters[0].value, stated.parameters[0].value, 1e-8) << begin;
    EXPECT_NEAR(earlier.parameters[1].value, stated.parameters[1].value, 1e-8) << begin;
    EXPECT_NEAR(earlier.rms, stated.rms, 1e-8) << begin;
  }
}

/// A square wave through a dead time looks nearly the same a period later: the least of those minima is found without bounds.
TEST(Fit, OfADeadTimeIsNotTheNearestWave) {
  const SignalFlowGraph graph = graph_with("K=1, T=0.5, L=0.3", "u -> y [gain=\"K*exp(-L*s)/(T*s + 1)\"];");
  const double gain = 2, lag = 0.4, dead = 3, period = 2.7;
  std::vector<double> times = even(161, 40);
  FitQuestion question;
  SymbolTable symbols;
  question.time = symbols.symbol("t");
  question.inputs = {"u"};
  question.driven = {{"u", GiNaC::sin(2 * GiNaC::Pi / GiNaC::ex(period) * question.time)}};
  question.parameters = {{"K", 1}, {"T", 0.5}, {"L", 0.3}};
  Measurement record;
  record.at = times;
  MeasuredColumn column;
  column.output = "y";
  const double w = 2 * std::numbers::pi / period, square = 1 + w * w * lag * lag;
  for (const double t : times) {
    const double after = t - dead;
    column.samples.emplace_back(
        after < 0 ? 0 : gain * (std::sin(w * after) - w * lag * std::cos(w * after) + w * lag * std::exp(-after / lag)) / square);
  }
  record.columns = {column};
  question.records = {record};
  const Fit found = fitted(graph, question, {}).fit;
  EXPECT_NEAR(found.parameters[0].value, gain, 1e-5);
  EXPECT_NEAR(found.parameters[1].value, lag, 1e-5);
  EXPECT_NEAR(found.parameters[2].value, dead, 1e-5);
  EXPECT_GT(found.starts, 1U);
}

TEST(Fit, NeedsAsManySamplesAsParameters) {
  Polynomial one({{1, 2}}, {1});
  EXPECT_THROW(fitted(one, {{"a", 1}, {"b", 1}}), Error);
}

TEST(MatrixExponential, OfARotationAndOfAJordanBlock) {
  Eigen::MatrixXd turn(2, 2), chain(3, 3);
  turn << 0, 30, -30, 0;
  chain << -1, 1, 0, 0, -1, 1, 0, 0, -1;
  const Eigen::MatrixXd e = matrix_exponential(turn), c = matrix_exponential(chain * 2);
  EXPECT_NEAR(e(0, 0), std::cos(30.0), 1e-12);
  EXPECT_NEAR(e(0, 1), std::sin(30.0), 1e-12);
  EXPECT_NEAR(c(0, 2), 2 * std::exp(-2.0), 1e-14);
}

}  // namespace
}  // namespace sfg
