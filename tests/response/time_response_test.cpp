// Responses with impulses, with dead time inside loops and to inputs that switch, against what is known by other means:
// integrals, the sums of the method of steps, and numerical integration. Random cases have a fixed seed.
#include "sfg/response/time_response.hpp"

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "sfg/error.hpp"
#include "sfg/exact/delayed_loop.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/response/discretize.hpp"
#include "sfg/response/simulation.hpp"
#include "sfg/response/switching_times.hpp"

namespace sfg {
namespace {

using Impulses = std::vector<exact::DelayedImpulse>;
using Random = std::mt19937_64;

ExactTransfer transfer_of(SignalFlowGraph graph) {
  const Question question{*graph.find("u"), *graph.find("y"), Question::Mode::source, {}};
  return exact_transfers(graph, std::span(&question, 1)).front();
}

ExactTransfer plant(const std::string& gain, const std::string& variable = "s") {
  SignalFlowGraph graph;
  graph.op = variable;
  graph.symbols.symbol(variable);
  graph.add_branch(graph.node("u"), graph.node("y"), parse(gain, graph.symbols));
  return transfer_of(std::move(graph));
}

/// Negative unity feedback.
ExactTransfer loop(const std::string& gain) {
  SignalFlowGraph graph;
  graph.symbols.symbol("s");
  graph.add_branch(graph.node("u"), graph.node("e"), 1);
  graph.add_branch(graph.node("e"), graph.node("y"), parse(gain, graph.symbols));
  graph.add_branch(graph.node("y"), graph.node("e"), -1);
  return transfer_of(std::move(graph));
}

std::vector<double> even(double until, std::size_t points) {
  std::vector<double> times;
  for (std::size_t i = 0; i < points; ++i) times.push_back(until * static_cast<double>(i) / static_cast<double>(points - 1));
  return times;
}

double step_at(const ExactTransfer& T, double t) { return step_response(T, std::span(&t, 1)).value.front(); }

int between(Random& random, int low, int high) { return std::uniform_int_distribution(low, high)(random); }

StepFigures figures_of(const ExactTransfer& T, double until = 5) { return step_figures(T, step_response(T, even(until, 6))); }

// --- impulses ---

TEST(Impulses, OfPolynomialsAndOfWhatIsDelayed) {
  const std::vector<std::pair<std::string, Impulses>> table{
      {"3", {{0, 0, 3}}},
      {"s", {{0, 1, 1}}},
      {"s^2 + 3", {{0, 0, 3}, {0, 2, 1}}},
      {"(s+2)/(s+1)*exp(-s)", {{1, 0, 1}}},
      {"s*exp(-s)", {{1, 1, 1}}},
      {"s + exp(-s)", {{0, 1, 1}, {1, 0, 1}}},
      {"s^2/(s+1)", {{0, 0, -1}, {0, 1, 1}}},
      {"1/(s+1)", {}},
      {"1 - exp(-s/2)", {{0, 0, 1}, {exact::Rational(1) / 2, 0, -1}}},
  };
  for (const auto& [gain, impulses] : table) EXPECT_EQ(impulse_response(plant(gain), even(2, 3)).impulses, impulses) << gain;
}

TEST(Impulses, GoRoundALoop) {
  // 1/(1 + e^(−s)/2) = Σ (−1/2)^k e^(−ks)
  EXPECT_EQ(impulse_response(loop("exp(-s)/2"), even(3.5, 2)).impulses,
            (Impulses{{1, 0, exact::Rational(1) / 2}, {2, 0, exact::Rational(-1) / 4}, {3, 0, exact::Rational(1) / 8}}));
  // and the step response is a staircase of the partial sums
  const std::vector<double> times{0.5, 1.0, 1.5, 2.0, 2.999, 3.0};
  EXPECT_EQ(step_response(loop("exp(-s)/2"), times).value, (std::vector<double>{0, 0.5, 0.5, 0.25, 0.25, 0.375}));
  // (s+2)/(s+1) e^(−s) in a loop: s → ∞ gives Σ (−1)^(k+1) e^(−ks)
  EXPECT_EQ(impulse_response(loop("(s+2)/(s+1)*exp(-s)"), even(2.5, 2)).impulses, (Impulses{{1, 0, 1}, {2, 0, -1}}));
}

TEST(Impulses, OfSimulatedInputs) {
  SymbolTable symbols;
  const GiNaC::ex t = symbols.symbol("t");
  const TimeResponse y = forced_response(plant("s*exp(-s)"), parse("step(t) + step(t-1)", symbols), t, even(3, 4));
  EXPECT_EQ(y.impulses, (Impulses{{1, 0, 1}, {2, 0, 1}}));
}

/// ∫ f e^(−σt) by Gauss and Legendre's rule of five points on pieces.
double laplace(const ExactTransfer& T, double sigma, const std::vector<double>& ends) {
  constexpr std::array<double, 5> node{0, 0.538469310105683, -0.538469310105683, 0.906179845938664, -0.906179845938664};
  constexpr std::array<double, 5> weight{0.568888888888889, 0.478628670499366, 0.478628670499366, 0.236926885056189,
                                         0.236926885056189};
  constexpr int pieces = 150;
  std::vector<double> times, weights;
  for (std::size_t i = 0; i + 1 < ends.size(); ++i)
    for (int k = 0; k < pieces; ++k) {
      const double h = (ends[i + 1] - ends[i]) / pieces, middle = ends[i] + h * (k + 0.5);
      for (std::size_t q = 0; q < node.size(); ++q) {
        times.push_back(middle + h / 2 * node[q]);
        weights.push_back(weight[q] * h / 2);
      }
    }
  const TimeResponse y = impulse_response(T, times);
  double sum = 0;
  for (std::size_t i = 0; i < times.size(); ++i) sum += weights[i] * y.value[i] * std::exp(-sigma * times[i]);
  for (const auto& impulse : y.impulses)
    sum += impulse.weight.to_double() * std::pow(sigma, impulse.order) * std::exp(-sigma * impulse.at.to_double());
  return sum;
}

TEST(Impulses, TheTransformOfTheResponseIsTheTransferFunction) {
  Random random(20);
  constexpr double sigma = 2;
  for (int i = 0; i < 30; ++i) {
    std::string gain;
    std::vector<double> ends{0};
    double wanted = 0;
    for (int k = between(random, 1, 3); k > 0; --k) {
      const int dead = between(random, 0, 12), a = between(random, 1, 5), b = between(random, -4, 4), c = between(random, -3, 3);
      const bool polynomial = between(random, 0, 2) == 0;
      gain += (gain.empty() ? "" : " + ") + ("(" + std::to_string(c) + "*s^2 + (" + std::to_string(b) + ")*s + 1)") +
              (polynomial ? "" : "/(s + " + std::to_string(a) + ")") + "*exp(-" + std::to_string(dead) + "*s/10)";
      ends.push_back(dead / 10.0);
      wanted += (c * sigma * sigma + b * sigma + 1) / (polynomial ? 1 : sigma + a) * std::exp(-sigma * dead / 10.0);
    }
    ends.push_back(14);  // the response has died out
    std::sort(ends.begin(), ends.end());
    EXPECT_NEAR(laplace(plant(gain), sigma, ends), wanted, 1e-9 * std::max(1.0, std::abs(wanted))) << gain;
  }
}

// --- dead time in loops ---

/// L⁻¹ of 1/(s (s+a)^m): the share of a gamma distribution, all of its terms positive.
long double gamma_share(long double a, int m, long double t) {
  long double term = std::exp(-a * t), sum = 0;
  for (int j = 1; j < m + 200; ++j) {
    term *= a * t / j;
    if (j >= m) sum += term;
  }
  return sum / std::pow(a, m);
}

TEST(DeadTimeInALoop, FirstOrderIsTheSumOverTheRounds) {
  Random random(21);
  for (int i = 0; i < 25; ++i) {
    const int k = between(random, 1, 30), a = between(random, 3, 20), tau = between(random, 1, 20);
    const std::string gain = std::to_string(k) + "/10/(s + " + std::to_string(a) + "/10)*exp(-" + std::to_string(tau) + "/10*s)";
    const std::vector<double> times = even(5, 11);
    const TimeResponse y = step_response(loop(gain), times);
    double largest = 0;
    for (const double value : y.value) largest = std::max(largest, std::abs(value));
    for (std::size_t j = 0; j < times.size(); ++j) {
      long double wanted = 0, weight = k / 10.0L;
      for (int m = 1; times[j] > m * tau / 10.0; ++m, weight *= -k / 10.0L)
        wanted += weight * gamma_share(a / 10.0L, m, times[j] - m * tau / 10.0L);
      EXPECT_NEAR(y.value[j], static_cast<double>(wanted), 1e-9 * largest) << gain << " at " << times[j];
    }
    EXPECT_TRUE(y.notes.empty()) << gain;
  }
}

/// y(t) = C x(t − τ), x′ = A x + B (1 − y) with A, B, C of num/den in controllable form, by Runge and Kutta's rule in steps of
/// τ/n; within a step the past is the cubic through its ends and slopes. Values at the multiples of τ/2.
std::vector<double> integrated(const std::vector<double>& num, const std::vector<double>& den, double tau, double until, int n) {
  using State = std::vector<double>;
  const std::size_t order = den.size() - 1;
  const double h = tau / n;
  const auto output = [&](const State& x) {
    double sum = 0;
    for (std::size_t i = 0; i < num.size(); ++i) sum += num[num.size() - 1 - i] * x[i];
    return sum;
  };
  const auto slope = [&](const State& x, double y) {
    State d(order);
    for (std::size_t i = 0; i + 1 < order; ++i) d[i] = x[i + 1];
    d[order - 1] = 1 - y;
    for (std::size_t i = 0; i < order; ++i) d[order - 1] -= den[order - i] * x[i];
    return d;
  };
  const auto moved = [](State x, const State& d, double by) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += by * d[i];
    return x;
  };
  std::vector<double> past(static_cast<std::size_t>(n) + 1, 0.0), rate(past.size(), 0.0);  // of C x, from −τ on
  State x(order, 0.0);
  std::vector<double> values{0};
  const auto steps = static_cast<std::size_t>(std::llround(until / h));
  past.back() = output(x);
  rate.back() = 0;
  for (std::size_t k = 0; k < steps; ++k) {
    const bool from_rest = k < static_cast<std::size_t>(n);
    const double y0 = past[k], y1 = past[k + 1];
    const double middle = from_rest ? 0 : (y0 + y1) / 2 + h / 8 * (rate[k] - rate[k + 1]);
    const State k1 = slope(x, y0);
    if (k == 0) rate.back() = output(k1);
    const State k2 = slope(moved(x, k1, h / 2), middle), k3 = slope(moved(x, k2, h / 2), middle), k4 = slope(moved(x, k3, h), y1);
    for (std::size_t i = 0; i < order; ++i) x[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
    past.push_back(output(x));
    rate.push_back(output(slope(x, y1)));
    if ((k + 1) % static_cast<std::size_t>(n / 2) == 0) values.push_back(past[k + 1]);
  }
  return values;
}

std::string polynomial(const std::vector<double>& c) {
  std::string text;
  for (std::size_t i = 0; i < c.size(); ++i)
    text += (i ? " + (" : "(") + std::to_string(std::lround(100 * c[i])) + "/100)*s^" + std::to_string(c.size() - 1 - i);
  return text;
}

TEST(DeadTimeInALoop, RandomLoopsOfOrder1To10AgreeWithNumericalIntegration) {
  Random random(22);
  for (int i = 0; i < 20; ++i) {
    const int order = i < 12 ? 1 + i % 6 : 7 + i % 4;
    std::vector<double> den{1};
    while (static_cast<int>(den.size()) <= order) {  // real roots and pairs, coefficients of two decimals
      const bool pair = static_cast<int>(den.size()) < order && between(random, 0, 1) == 1;
      const std::vector<double> factor = pair ? std::vector<double>{1, between(random, 0, 2) * 1.0, between(random, 1, 3) * 1.0}
                                              : std::vector<double>{1, between(random, 0, 2) * 1.0};
      std::vector<double> product(den.size() + factor.size() - 1, 0.0);
      for (std::size_t a = 0; a < den.size(); ++a)
        for (std::size_t b = 0; b < factor.size(); ++b) product[a + b] += den[a] * factor[b];
      den = std::move(product);
    }
    std::vector<double> num;
    for (int k = between(random, 1, std::min(order, 3)); k > 0; --k) num.push_back(between(random, 1, 8) / 4.0);
    const int dead = between(random, 2, 9);
    const double tau = dead / 10.0, until = 10 * tau;
    const std::string gain = "(" + polynomial(num) + ")/(" + polynomial(den) + ")*exp(-" + std::to_string(dead) + "/10*s)";
    const std::vector<double> coarse = integrated(num, den, tau, until, 400), fine = integrated(num, den, tau, until, 800);
    const TimeResponse y = step_response(loop(gain), even(until, fine.size()));
    double largest = 0;
    for (const double value : fine) largest = std::max(largest, std::abs(value));
    for (std::size_t k = 0; k < fine.size(); ++k) {
      const double wanted = fine[k] + (fine[k] - coarse[k]) / 15;  // Richardson: the rule is of order 4
      EXPECT_NEAR(y.value[k], wanted, 1e-9 * largest) << gain << " at " << y.time[k];
    }
    EXPECT_TRUE(y.notes.empty()) << gain;
  }
}

TEST(DeadTimeInALoop, UpToTwoDeadTimesItIsTheOpenLoop) {
  const ExactTransfer open = plant("0.5/((s + 1)*(s^2 + 0.2*s + 9.01))");
  const double y = step_at(loop("0.5*exp(-0.5*s)/((s + 1)*(s^2 + 0.2*s + 9.01))"), 0.9);
  EXPECT_NEAR(y, step_at(open, 0.9 - 0.5), 1e-12 * y);
}

TEST(DeadTimeInALoop, SeveralDeadTimesWithoutCommonMeasure) {
  // 1/(s + 1 + e^(−0.3 s)/2 + e^(−0.7 s)/4), by two-fold sums over the rounds: w = Σ (−1/2)^i (−1/4)^j C(i+j, i) g_(i+j+1)
  SignalFlowGraph graph;
  graph.symbols.symbol("s");
  graph.add_branch(graph.node("u"), graph.node("y"), parse("1/(s+1)", graph.symbols));
  graph.add_branch(graph.node("y"), graph.node("u2"), parse("-exp(-0.3*s)/2 - exp(-0.7*s)/4", graph.symbols));
  graph.add_branch(graph.node("u2"), graph.node("y"), parse("1/(s+1)", graph.symbols));
  const ExactTransfer T = transfer_of(std::move(graph));
  for (const double t : {0.2, 1.0, 3.0, 6.0}) {
    long double wanted = 0, left = 1;
    for (int i = 0; 0.3 * i < t; ++i, left *= -0.5L) {
      long double weight = left;  // C(i+j, i) (−1/4)^j
      for (int j = 0; 0.3 * i + 0.7 * j < t; ++j) {
        wanted += weight * gamma_share(1, i + j + 1, t - 0.3L * i - 0.7L * j);
        weight *= -0.25L * (i + j + 1) / (j + 1);
      }
    }
    EXPECT_NEAR(step_at(T, t), static_cast<double>(wanted), 1e-12) << t;
  }
}

TEST(DeadTimeInALoop, FinalValuesExistWhereAllPolesAreOnTheLeft) {
  const std::vector<double> times{1.0};
  // s + K e^(−s): stable up to K = π/2
  EXPECT_EQ(step_response(loop("1.57*exp(-s)/s"), times).final, 1);
  const TimeResponse unstable = step_response(loop("1.571*exp(-s)/s"), times);
  EXPECT_FALSE(unstable.final);
  EXPECT_TRUE(unstable.final_known);
  EXPECT_TRUE(step_figures(loop("1.571*exp(-s)/s"), unstable).grows);
  const auto zeros = [](const exact::Rational& K, const exact::Rational& tau) {
    return exact::right_half_plane_zeros(std::vector<exact::DelayedPolynomial>{{0, {1, 0}}, {tau, {K}}});
  };
  EXPECT_EQ(zeros(exact::Rational(157) / 100, 1), 0u);
  EXPECT_EQ(zeros(exact::Rational(158) / 100, 1), 2u);
  EXPECT_EQ(zeros(exact::Rational(78) / 10, 1), 2u);  // the next pair crosses at 5π/2 = 7.85
  EXPECT_EQ(zeros(exact::Rational(79) / 10, 1), 4u);
  EXPECT_EQ(zeros(-1, 1), 1u);
  EXPECT_FALSE(exact::right_half_plane_zeros(  // 1 + e^(−s) vanishes on the axis
      std::vector<exact::DelayedPolynomial>{{0, {1}}, {1, {1}}}));
}

TEST(DeadTimeInALoop, WhatWouldNeedTheFutureIsRefused) { EXPECT_THROW(step_at(loop("s*exp(-s)"), 3.0), NoAnswer); }

TEST(DeadTimeInALoop, WhatComesBackLargerGrows) {
  EXPECT_TRUE(figures_of(loop("2*(s+1)/(s+2)*exp(-s)")).grows);
  EXPECT_FALSE(step_response(loop("exp(-s)"), even(3, 4)).final_known);  // poles on the axis, without end
}

TEST(DeadTimeInALoop, ManyShortDeadTimes) {
  // y' = −0.1 y + 0.1 (1 − y(t − 0.001)) is y' = 0.1 − 0.2 y but for the dead time: y ≈ (1 − e^(−0.2 t))/2
  const TimeResponse y = step_response(loop("0.1*exp(-0.001*s)/(s+0.1)"), even(20, 3));
  EXPECT_NEAR(y.value[1], (1 - std::exp(-2.0)) / 2, 1e-4);
  EXPECT_THROW(step_response(loop("1e6/(s+1e6)*exp(-s)/2"), even(20, 3)), LimitReached);
}

TEST(DeadTimeInALoop, StopsAtTheTimeLimit) {
  const std::vector<double> times = even(1000, 3);
  const ResponseOptions options{.budget = Budget({.seconds = 0.01})};
  EXPECT_THROW(step_response(loop("0.1*exp(-s)*(s+3)/(s^3+20*s^2+s+1)"), times, options), LimitReached);
}

// --- figures ---

TEST(Figures, WhatGrowsHasNoPeak) {
  for (const char* gain : {"1/s", "1/s^4", "1/(s^2+1)^3", "1/(s-1)", "s/(s^2+4)^2"}) {
    const StepFigures figures = figures_of(plant(gain));
    EXPECT_TRUE(figures.grows) << gain;
    EXPECT_FALSE(figures.peak) << gain;
    EXPECT_FALSE(figures.overshoot || figures.settling_time || figures.rise_time) << gain;
  }
  EXPECT_EQ(step_growth(plant("1/(z-1)", "z")), Growth::unbounded);
  EXPECT_EQ(step_growth(plant("1/(z-2)", "z")), Growth::unbounded);
  EXPECT_EQ(step_growth(plant("1/(z+1)", "z")), Growth::bounded);
  EXPECT_EQ(step_growth(plant("(z-1)/((z+1)*(z-1/2))", "z")), Growth::bounded);
}

TEST(Figures, APeakIsNeverBelowASample) {
  const StepFigures derivative = figures_of(plant("s^2/(s+1)"));  // δ − e^(−t)
  EXPECT_EQ(derivative.peak, -1);
  EXPECT_EQ(derivative.peak_time, 0);
  const StepFigures undamped = figures_of(plant("1/(s^2+1)"));  // 1 − cos t
  EXPECT_NEAR(*undamped.peak, 2, 1e-12);
  EXPECT_NEAR(undamped.peak_time, std::numbers::pi, 1e-5);
  EXPECT_TRUE(undamped.until);
  EXPECT_FALSE(undamped.settling_time);
  const StepFigures down = figures_of(plant("-1/(s^2+1)"));
  EXPECT_NEAR(*down.peak, -2, 1e-12);
  Random random(23);
  for (int i = 0; i < 20; ++i) {
    const std::string gain = "(" + std::to_string(between(random, -5, 5)) + "*s + " + std::to_string(between(random, 1, 5)) +
                             ")/((s + " + std::to_string(between(random, 1, 9)) + ")*(s^2 + 0.1*s + " +
                             std::to_string(between(random, 1, 9)) + "))*exp(-" + std::to_string(between(random, 0, 3)) + "*s)";
    const ExactTransfer T = plant(gain);
    const TimeResponse shown = step_response(T, even(37, 41));
    const StepFigures figures = step_figures(T, shown);
    for (const double y : shown.value) EXPECT_GE(*figures.peak, y) << gain;
  }
}

TEST(Figures, FinalValueOfAWindow) {
  EXPECT_EQ(step_response(plant("(1-exp(-s))/s"), even(2, 3)).final, 1);  // N and D vanish at 0
  EXPECT_EQ(impulse_response(plant("(1-exp(-s))/s"), even(2, 3)).final, 0);
}

// --- switching inputs ---

TEST(Switching, EveryZeroOfTheArgumentsIsFound) {
  SymbolTable symbols;
  const GiNaC::ex t = symbols.symbol("t");
  const auto times = [&](const char* text, double until) { return switching_times(parse(text, symbols), t, until).times; };
  const auto expect = [&](const char* text, double until, const std::vector<double>& wanted, double precision = 4e-16) {
    const std::vector<double> found = times(text, until);
    ASSERT_EQ(found.size(), wanted.size()) << text;
    for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(found[i], wanted[i], precision * wanted[i]) << text;
  };
  const double pi = std::numbers::pi;
  expect("step(sin(3*t))", 3, {pi / 3, 2 * pi / 3});
  expect("abs(cos(t))", 5, {pi / 2, 3 * pi / 2});
  expect("max(exp(-t), 1/2)", 5, {std::log(2.0)});
  expect("min(t^2, 2)*sign(t - 3)", 5, {std::sqrt(2.0), 3});
  expect("step((t-1)*(t-1-1e-7))", 5, {1, 1 + 1e-7});
  expect("step(sin(step(t-2)*t))", 4, {2, pi}, 1e-14);  // jumps over 0 at 2
  expect("step(t^2+1)", 5, {});
  expect("max(0, sign(t - 1))", 5, {1});  // what touches goes with what jumps
  expect("max(0, sign(sin(4*t)))", 3, {pi / 4, pi / 2, 3 * pi / 4});
  const std::vector<double> touch = times("step((t^2-2)^2)", 3);  // touches 0 at √2
  ASSERT_EQ(touch.size(), 1u);
  EXPECT_NEAR(touch[0], std::sqrt(2.0), 1e-7);
}

TEST(Switching, RandomSwitchingInputsAreSumsOfSteps) {
  Random random(24);
  SymbolTable symbols;
  const GiNaC::ex t = symbols.symbol("t");
  for (int i = 0; i < 25; ++i) {
    const int a = between(random, 1, 40), b = between(random, -30, 30);
    const ExactTransfer T =
        plant("1/(s + " + std::to_string(between(random, 0, 3)) + ")*exp(-" + std::to_string(between(random, 0, 2)) + "*s/4)");
    const std::string argument = std::to_string(a) + "/10*t + " + std::to_string(b) + "/10";
    const std::vector<double> times = even(8, 9);
    const TimeResponse y = forced_response(T, parse("sign(sin(" + argument + "))", symbols), t, times);
    std::vector<double> wanted(times.size(), 0.0);
    const auto add_step = [&](double start, double size) {
      for (std::size_t k = 0; k < times.size(); ++k)
        if (times[k] > start) wanted[k] += size * step_at(T, times[k] - start);
    };
    double now = std::sin(b / 10.0) >= 0 ? 1 : -1;
    add_step(0, now);
    for (int k = -20; k < 40; ++k) {
      const double start = (k * std::numbers::pi - b / 10.0) / (a / 10.0);
      if (start <= 0 || start > 8) continue;
      add_step(start, -2 * now);
      now = -now;
    }
    for (std::size_t k = 0; k < times.size(); ++k) EXPECT_NEAR(y.value[k], wanted[k], 1e-9) << argument << " at " << times[k];
  }
}

// --- sampling ---

TEST(Matched, NamesTheRootThatIsTooFarToTheRight) {
  try {
    discretized(plant("(s - 80000)/((s + 1)*(s + 2))"), exact::Rational(1) / 10, Discretization::matched);
    FAIL();
  } catch (const NoAnswer& refusal) {
    EXPECT_NE(std::string(refusal.what()).find("zero at 80000"), std::string::npos) << refusal.what();
    EXPECT_NE(std::string(refusal.what()).find("matched"), std::string::npos) << refusal.what();
  }
}

TEST(StepRange, IsHalfAsLongAgainAsItTakesToSettle) {
  EXPECT_EQ(step_range(plant("1/(s + 1)")), 6);                             // 1.5 ln 50 = 5.87
  EXPECT_EQ(step_range(plant("1000/((s + 1)*(s + 1000))")), 6);             // the fast pole is over at once
  EXPECT_EQ(step_range(plant("1/(s + 1000) + 1/1000000/(s + 1)")), 0.006);  // and here the slow one is not seen
  EXPECT_EQ(step_range(plant("1")), settling_range(plant("1")));            // nothing moves
  EXPECT_GT(step_range(plant("1/(s + 1)^8")), 1.5 * 13);  // a multiple pole takes longer than five time constants
}

TEST(StepRange, OfWhatGrowsIsAFewDoublings) {
  EXPECT_EQ(step_range(plant("1/(s - 2)")), 1.5);
  EXPECT_EQ(step_range(plant("1/((s + 1/100)*(s - 2))")), 1.5);  // however slow the rest is
}

}  // namespace
}  // namespace sfg
