// Responses to any input against tables of transforms and against numerical integration of the differential equation, which
// shares nothing with partial fractions.
#include "sfg/response/simulation.hpp"

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "sfg/error.hpp"
#include "sfg/exact/inverse_laplace.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/response/closed_form.hpp"
#include "sfg/response/switching_times.hpp"

namespace sfg {
namespace {

using Complex = std::complex<double>;

struct Plant {
  explicit Plant(const std::string& gain) {
    graph.symbols.symbol(graph.op.symbol());
    graph.add_branch(graph.node("u"), graph.node("y"), parse(gain, graph.symbols));
  }
  ExactTransfer transfer() const {
    const Question question{*graph.find("u"), *graph.find("y"), Question::Mode::source, {}};
    return exact_transfers(graph, std::span(&question, 1)).front();
  }
  SignalFlowGraph graph;
};

struct Time {
  SymbolTable symbols;
  GiNaC::ex t = symbols.symbol("t");
  GiNaC::ex operator()(const std::string& text) { return parse(text, symbols); }
};

Complex value(const std::vector<exact::Rational>& p, Complex s) {
  Complex sum = 0;
  for (const exact::Rational& c : p) sum = sum * s + c.to_double();
  return sum;
}

TEST(InputSignal, TableOfTransforms) {
  Time time;
  const Complex s(1.7, 0.6);
  const std::vector<std::pair<std::string, Complex>> table{
      {"1", 1.0 / s},
      {"3*t^2", 6.0 / (s * s * s)},
      {"t^3*exp(-2*t)", 6.0 / std::pow(s + 2.0, 4)},
      {"sin(3*t)", 3.0 / (s * s + 9.0)},
      {"exp(-t)*cos(2*t)", (s + 1.0) / ((s + 1.0) * (s + 1.0) + 4.0)},
      {"t*sin(t)", 2.0 * s / std::pow(s * s + 1.0, 2)},
      {"sinh(t/2)", 0.5 / (s * s - 0.25)},
      {"cosh(t)*sin(t)", (s * s + 2.0) / (std::pow(s, 4) + 4.0)},
      {"sin(t)^2", 2.0 / (s * (s * s + 4.0))},
      {"sin(t + 1)", (std::cos(1.0) + s * std::sin(1.0)) / (s * s + 1.0)},
      {"2^t", 1.0 / (s - std::log(2.0))},
      {"step(t - 2)*(t - 2)", std::exp(-2.0 * s) / (s * s)},
      {"step(3 - t)", (1.0 - std::exp(-3.0 * s)) / s},
      {"abs(t - 1)", 1.0 / s - 1.0 / (s * s) + 2.0 * std::exp(-s) / (s * s)},
      {"max(t, 2)", 2.0 / s + std::exp(-2.0 * s) / (s * s)},
      {"sign(t - 1)", (2.0 * std::exp(-s) - 1.0) / s},
      {"step(t-1)*exp(-t)", std::exp(-1.0 - s) / (s + 1.0)},
  };
  for (const auto& [text, wanted] : table) {
    const auto signal = input_signal(time(text), time.t);
    ASSERT_TRUE(signal) << text;
    Complex sum = 0;
    for (const auto& piece : signal->pieces)
      sum += std::exp(-piece.start.to_double() * s) * value(piece.numerator, s) / value(piece.denominator, s);
    EXPECT_NEAR(std::abs(sum - wanted), 0, 1e-13) << text;
  }
}

TEST(InputSignal, WhatHasNoExactForm) {
  Time time;
  for (const char* text : {"tanh(t)", "sqrt(t)", "sin(t^2)", "1/(1+t)", "abs(sin(t))", "step(sin(t))", "exp(-t^2)"})
    EXPECT_FALSE(input_signal(time(text), time.t)) << text;
}

TEST(InputSignal, SwitchesInsideOtherFunctions) {
  Time time;
  const GiNaC::ex u = time("tanh(step(t-1)) + sqrt(abs(2*t-5)) + max(t, 3)");
  EXPECT_EQ(switching_times(u, time.t, 10).times, (std::vector<double>{1, 2.5, 3}));
  EXPECT_EQ(last_switch(u, time.t), 3);
}

/// x'' + 2 d x' + x = u(t), y = x, by Runge and Kutta's rule in steps that end at the events.
double integrated(double d, const std::function<double(double)>& u, std::vector<double> events, double until) {
  events.push_back(until);
  long double x = 0, v = 0, t = 0;
  for (const double event : events) {
    const double next = std::min(event, until);
    if (next <= t) continue;
    const int steps = std::max(1, static_cast<int>((next - t) * 2000));
    const long double h = (next - t) / steps;
    for (int k = 0; k < steps; ++k) {
      const long double a = t + h * k;
      const auto f = [&](long double at, long double y, long double w) -> long double {
        // just inside the interval, so that a jump at its end is not seen
        const long double inside = std::min<long double>(std::max<long double>(at, t + h * 1e-9L), next - h * 1e-9L);
        return static_cast<long double>(u(static_cast<double>(inside))) - 2 * d * w - y;
      };
      const long double k1 = v, l1 = f(a, x, v), k2 = v + h / 2 * l1, l2 = f(a + h / 2, x + h / 2 * k1, v + h / 2 * l1),
                        k3 = v + h / 2 * l2, l3 = f(a + h / 2, x + h / 2 * k2, v + h / 2 * l2), k4 = v + h * l3,
                        l4 = f(a + h, x + h * k3, v + h * l3);
      x += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
      v += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
    }
    t = next;
  }
  return static_cast<double>(x);
}

TEST(ForcedResponse, AgreesWithNumericalIntegration) {
  Time time;
  struct Case {
    std::string text;
    std::function<double(double)> u;
    std::vector<double> events;
    bool exact;
  };
  const std::vector<Case> cases{
      {"exp(-t)*sin(3*t) + t", [](double t) { return std::exp(-t) * std::sin(3 * t) + t; }, {}, true},
      {"step(t-1) - 2*step(t-2.5)*cos(t)", [](double t) { return (t > 1) - 2 * (t > 2.5) * std::cos(t); }, {1, 2.5}, true},
      {"cos(t)", [](double t) { return std::cos(t); }, {}, true},  // near resonance
      {"tanh(t)", [](double t) { return std::tanh(t); }, {}, false},
      {"step(t-1)*sqrt(t)", [](double t) { return t > 1 ? std::sqrt(t) : 0.0; }, {1}, false},
      {"exp(-t^2)", [](double t) { return std::exp(-t * t); }, {}, false},
      {"abs(sin(t))", [](double t) { return std::abs(std::sin(t)); }, {M_PI}, false},
  };
  const ExactTransfer T = Plant("1/(s^2 + 0.4*s + 1)").transfer();
  const std::vector<double> times{0, 0.75, 2, 4};
  for (const Case& c : cases) {
    const TimeResponse y = forced_response(T, time(c.text), time.t, times);
    EXPECT_EQ(y.method.starts_with("partial fractions"), c.exact) << c.text;
    EXPECT_EQ(y.value[0], 0) << c.text;
    for (std::size_t i = 1; i < times.size(); ++i)
      EXPECT_NEAR(y.value[i], integrated(0.2, c.u, c.events, times[i]), 2e-9) << c.text << " at " << times[i];
  }
}

TEST(ForcedResponse, BothMethodsAgreeWhereBothApply) {
  Time time;
  // |cos t| sign(cos t) = cos t; poles are multiple, complex, unstable
  for (const char* plant : {"1/(s+1)^3", "(s+2)/((s^2+s+5)^2*(s+0.1))", "1/(s-1)", "1/s^2", "(s^2+1)/(s^2+2*s+2)"}) {
    const ExactTransfer T = Plant(plant).transfer();
    const std::vector<double> times{0, 0.5, 1, 3, 6};
    const TimeResponse a = forced_response(T, time("sin(2*t)*step(t-1)"), time.t, times);
    const TimeResponse c =
        forced_response(T, time("step(t-1)*2*sin(t)*sqrt(cos(t)^2)*sign(cos(t))"), time.t, times, {.rtol = 1e-10});
    for (std::size_t i = 0; i < times.size(); ++i) {
      EXPECT_NEAR(a.value[i], c.value[i], 1e-8 * std::max(1.0, std::abs(a.value[i]))) << plant;
    }
    EXPECT_TRUE(c.method.starts_with("the input followed")) << c.method;
  }
}

TEST(ForcedResponse, DeadTimeShiftsAndEventsAreExact) {
  Time time;
  const ExactTransfer T = Plant("exp(-0.3*s)/s").transfer();
  const std::vector<double> times{0.79, 0.8, 0.9, 1.8};
  const TimeResponse y = forced_response(T, time("step(t - 0.5)"), time.t, times);
  EXPECT_EQ(y.value[0], 0);
  EXPECT_NEAR(y.value[2], 0.1, 1e-15);
  EXPECT_NEAR(y.value[3], 1.0, 1e-15);
  const TimeResponse f = forced_response(T, time("tanh(t)"), time.t, times);
  EXPECT_NEAR(f.value[3], std::log(std::cosh(1.5)), 1e-9);
}

TEST(ForcedResponse, DeadTimeInsideALoopByTheMethodOfSteps) {
  // y' = 1 − K y(t − 1): 1, 2, 3 steps by hand; K = 2 is unstable (K > π/2)
  SignalFlowGraph graph;
  graph.symbols.symbol("s");
  graph.add_branch(graph.node("u"), graph.node("e"), parse("1", graph.symbols));
  graph.add_branch(graph.node("e"), graph.node("y"), parse("1/s", graph.symbols));
  graph.add_branch(graph.node("y"), graph.node("e"), parse("-2*exp(-s)", graph.symbols));
  const Question question{*graph.find("u"), *graph.find("y"), Question::Mode::source, {}};
  const ExactTransfer T = exact_transfers(graph, std::span(&question, 1)).front();
  const std::vector<double> times{0.5, 1, 1.5, 2.5, 20};
  Time time;
  const TimeResponse y = forced_response(T, time("1"), time.t, times), step = step_response(T, times);
  EXPECT_TRUE(step.notes.empty());  // neither an approximant nor digits that are lost
  EXPECT_TRUE(y.notes.empty());
  const auto by_hand = [](double t) {
    long double sum = 0, sign = 1;
    for (int k = 0; k <= static_cast<int>(t); ++k, sign *= -2) sum += sign * std::pow(t - k, k + 1.0L) / std::tgamma(k + 2.0L);
    return static_cast<double>(sum);
  };
  for (std::size_t i = 0; i < times.size(); ++i) {
    const double tolerance = times[i] < 5 ? 1e-14 : 1e-11;  // parts of some 1e7 add up to 18 at last
    EXPECT_NEAR(y.value[i], by_hand(times[i]), tolerance) << times[i];
    EXPECT_NEAR(step.value[i], y.value[i], tolerance);
  }
  const TimeResponse followed = forced_response(T, time("1 + 0.1*tanh(t)"), time.t, times);
  // by integration of the delayed equation with a fixed step
  const int n = 2000;
  std::vector<long double> x(20 * n + 1, 0);
  const auto f = [&](long double t, long double late) { return 1 + 0.1L * std::tanh(t) - 2 * late; };
  for (int k = 0; k < 20 * n; ++k) {  // the trapezoidal rule: its error is of the order of the square of the step
    const long double a = k >= n ? x[k - n] : 0, b = k + 1 >= n ? x[k + 1 - n] : 0;
    x[k + 1] = x[k] + (f(k / 2000.0L, a) + f((k + 1) / 2000.0L, b)) / (2.0L * n);
  }
  for (std::size_t i = 0; i + 1 < times.size(); ++i)
    EXPECT_NEAR(followed.value[i], static_cast<double>(x[static_cast<std::size_t>(times[i] * n)]), 1e-6) << times[i];
}

TEST(ForcedResponse, InputsThatAreNotFiniteAreRefused) {
  Time time;
  const ExactTransfer T = Plant("1/(s+1)").transfer();
  const std::vector<double> times{0, 1};
  EXPECT_THROW(forced_response(T, time("1/t"), time.t, times), NoAnswer);
  EXPECT_THROW(forced_response(T, time("log(t - 2)"), time.t, times), NoAnswer);
  EXPECT_THROW(forced_response(Plant("s").transfer(), time("tanh(t)"), time.t, times), NoAnswer);
  EXPECT_NEAR(forced_response(Plant("s").transfer(), time("sin(t)"), time.t, times).value[1], std::cos(1.0), 1e-15);
}

TEST(InverseLaplace, ConvolutionWithPolynomialsPieceByPiece) {
  // ∫ e^(−(t−τ)) u dτ by hand: u = τ until 1, then 1
  using Coefficients = std::vector<exact::Rational>;
  const exact::InverseLaplace f(Coefficients{1}, Coefficients{1, 1});
  const std::vector<exact::PolynomialPiece> pieces{{0, {0, 1}}, {1, {1}}};
  const std::vector<double> times{0.5, 1, 3};
  const auto y = f.convolved(pieces, times);
  EXPECT_NEAR(y[0], 0.5 - 1 + std::exp(-0.5), 1e-16);
  EXPECT_NEAR(y[1], std::exp(-1.0), 1e-16);
  EXPECT_NEAR(y[2], 1 + (std::exp(-1.0) - 1) * std::exp(-2.0), 1e-16);
  // stiff and slow together, a double pole: against the closed form of the response to t^6
  const exact::InverseLaplace g(Coefficients{1}, Coefficients{1, 2000, 1000000});  // 1/(s+1000)^2
  const std::vector<double> at{1e-3};
  double series = 0;  // ∫ τ e^(−1000τ) (t−τ)^6 dτ, 1000 t = 1: t^8 Σ (−1)^n (n+1)! 6!/(n! (n+8)!)
  double sign = 1;
  for (int n = 0; n < 30; ++n, sign = -sign) series += sign * (n + 1) * 720.0 / std::tgamma(n + 9);
  EXPECT_NEAR(g.convolved(std::vector<exact::PolynomialPiece>{{0, {0, 0, 0, 0, 0, 0, 1}}}, at)[0] / (1e-24 * series), 1, 1e-13);
}

TEST(SampledResponse, ManyPointsAndJumps) {
  std::vector<double> t, u;
  for (int i = 0; i <= 1000; ++i) {
    t.push_back(i * 0.005);
    u.push_back(std::sin(t.back()));
  }
  const std::vector<double> times{1, 2.5, 5};
  Time time;
  const ExactTransfer T = Plant("1/(s^2 + 0.4*s + 1)").transfer();
  const TimeResponse points = sampled_response(T, t, u, times), smooth = forced_response(T, time("sin(t)"), time.t, times);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(points.value[i], smooth.value[i], 1e-5);
  const std::vector<double> jt{0, 1, 1, 2}, ju{0, 0, 1, 1}, at{1, 3};
  const TimeResponse jump = sampled_response(Plant("1/s + 2").transfer(), jt, ju, at);
  EXPECT_NEAR(jump.value[0], 2, 1e-15);
  EXPECT_NEAR(jump.value[1], 4, 1e-15);
}

TEST(Simulation, InitialValuesAndSeveralInputs) {
  // m x'' + k x = F1 − F2 with ω = 2: x(0) = 1, x'(0) = 3
  SignalFlowGraph graph;
  graph.symbols.symbol("s");
  graph.add_branch(graph.node("F1"), graph.node("a"), parse("1", graph.symbols));
  graph.add_branch(graph.node("F2"), graph.node("a"), parse("-1", graph.symbols));
  graph.add_branch(graph.node("a"), graph.node("v"), parse("1/s", graph.symbols));
  graph.add_branch(graph.node("v"), graph.node("x"), parse("1/s", graph.symbols));
  graph.add_branch(graph.node("x"), graph.node("a"), parse("-4", graph.symbols));
  Time time;
  SimulationQuestion question;
  question.time = time.t;
  question.outputs = {*graph.find("x"), *graph.find("v")};
  question.drives = {{*graph.find("F1"), time("4")}, {*graph.find("F2"), SampledSignal{{0, 0.5}, {2, 2}}}};
  question.initial = {{"x", 1}, {"v", 3}};
  const std::vector<double> times{0, 0.3, 2};
  const auto found = responses(simulation(graph, question), times);
  ASSERT_EQ(found.size(), 2u);
  for (std::size_t i = 0; i < times.size(); ++i) {
    const double t = times[i];
    EXPECT_NEAR(found[0].value.value[i], 0.5 + 0.5 * std::cos(2 * t) + 1.5 * std::sin(2 * t), 1e-14);
    EXPECT_NEAR(found[1].value.value[i], -std::sin(2 * t) + 3 * std::cos(2 * t), 1e-14);
  }
  question.initial = {{"q", 1}};
  EXPECT_THROW(simulation(graph, question), Error);
}

TEST(Simulation, DiscreteInputAndInitialValue) {
  // y(k+1) = 0.5 y(k) + u(k)
  SignalFlowGraph graph;
  graph.op = "z";
  graph.symbols.symbol("z");
  graph.add_branch(graph.node("u"), graph.node("next"), parse("1", graph.symbols));
  graph.add_branch(graph.node("next"), graph.node("y"), parse("1/z", graph.symbols));
  graph.add_branch(graph.node("y"), graph.node("next"), parse("1/2", graph.symbols));
  Time time;
  SimulationQuestion question;
  question.time = time.t;
  question.outputs = {*graph.find("y")};
  question.drives = {{*graph.find("u"), time("t")}};
  question.initial = {{"y", 8}};
  const std::vector<double> times{0, 0.1, 0.2, 0.3};
  const auto y = responses(simulation(graph, question), times)[0].value.value;
  double wanted = 8;
  for (std::size_t k = 0; k < times.size(); wanted = wanted / 2 + times[k++]) EXPECT_NEAR(y[k], wanted, 1e-15);
}

TEST(Simulation, NonlinearBranchesAreNamed) {
  SignalFlowGraph graph;
  Symbol u;
  u.name = "u";
  const GiNaC::ex law = graph.symbols.add(u).expr;
  Branch branch{graph.node("r"), graph.node("y"), Nonlinearity{GiNaC::pow(law, 3)}, {}, {}};
  graph.add_branch(branch);
  Time time;
  SimulationQuestion question;
  question.time = time.t;
  question.outputs = {*graph.find("y")};
  question.drives = {{*graph.find("r"), time("1")}};
  try {
    simulation(graph, question);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("do not add up"), std::string::npos);
  }
}

TEST(ClosedForm, EqualsTheSamples) {
  Time time;
  for (const char* plant :
       {"1/(s+1)", "2/(s^2+2*s+5)", "(s+3)/((s+1)^2*(s+4))", "exp(-s/2)/(s+2)", "1/(s^2-2)", "(s+2)/(s^2+s+3)^3", "s/(s^2-2)^2"})
    for (const char* input : {"1", "t", "exp(-3*t)", "step(t-1)*2", "t*sin(2*t)"}) {
      const ExactTransfer T = Plant(plant).transfer();
      const auto signal = input_signal(time(input), time.t);
      ASSERT_TRUE(signal);
      const auto f = time_function(T, *signal, time.t);
      ASSERT_TRUE(f) << plant << " " << input;
      for (const double t : {0.25, 0.75, 2.0}) {
        const double value = *double_value(f->value.subs(time.t == parse_number(std::to_string(t))));
        EXPECT_NEAR(value, forced_response(T, time(input), time.t, std::span(&t, 1)).value[0], 1e-14) << plant << " " << input;
      }
    }
}

TEST(ClosedForm, SymbolsStay) {
  for (const char* plant : {"K/(1+T*s)", "K*w^2/(s^2 + 2*d*w*s + w^2)", "K*(s+b)/(s*(1+T*s))", "K/((1+T*s)^2*(s+b))",
                            "K*(1+s*b)/(1+s*T)", "K*s/(s^2+w^2)^2", "K/(T*s^2+d*s+b)^3"})
    for (const Excitation excitation : {Excitation::step, Excitation::impulse}) {
      const bool step = excitation == Excitation::step;
      Plant p(plant);
      const Question question{*p.graph.find("u"), *p.graph.find("y"), Question::Mode::source, {}};
      const GiNaC::ex t = p.graph.symbols.symbol("t");
      const auto symbolic = symbolic_response(transfer_function(p.graph, question), p.graph.symbols.symbol("s"), excitation, t);
      ASSERT_TRUE(symbolic) << plant;
      GiNaC::exmap values;
      for (const auto& [name, number] : {std::pair{"K", "3"}, {"T", "1/4"}, {"w", "2"}, {"d", "1/3"}, {"b", "5/2"}}) {
        Symbol symbol;
        symbol.name = name;
        symbol.value = parse_number(number);
        values[p.graph.symbols.add(symbol).expr] = *symbol.value;
      }
      const ExactTransfer T = p.transfer();
      for (const double time : {0.25, 1.0}) {
        values[t] = parse_number(std::to_string(time));
        const double wanted = (step ? step_response : impulse_response)(T, std::span(&time, 1), {}).value[0];
        EXPECT_NEAR(*double_value(symbolic->value.subs(values)), wanted, 1e-13) << plant;
      }
    }
}

}  // namespace
}  // namespace sfg
