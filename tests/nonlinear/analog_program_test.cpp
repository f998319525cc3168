#include "sfg/nonlinear/analog/analog_program.hpp"

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <random>

#include "sfg/expr/parse.hpp"
#include "sfg/read/dot.hpp"
#include "sfg/read/input.hpp"
#include "sfg/response/time_response.hpp"

namespace {

using namespace sfg;

SignalFlowGraph file(const char* name) {
  return std::get<SignalFlowGraph>(read_file(std::string(SFG_TEST_DATA) + "/analog/" + name).content);
}

SignalFlowGraph graph(const char* text) { return read_dot(text, "test.dot"); }

/// The program of a graph with one run; inputs as texts in t.
AnalogProgram program(const SignalFlowGraph& graph, const std::vector<std::string>& inputs, AnalogOptions options = {}) {
  AnalogEquations equations = analog_equations(graph);
  SymbolTable table;
  table.add({.name = "t", .kind = SymbolKind::time, .expr = equations.time});
  options.runs = {{"run", {}}};
  for (const std::string& text : inputs) options.runs[0].inputs.push_back(parse(text, table));
  return analog_program(std::move(equations), options);
}

std::vector<double> response(const AnalogProgram& program, std::vector<double> times, std::size_t output = 0) {
  return interpreted(program, program.runs.at(0), times, 1e-11).outputs.at(output);
}

std::size_t count(const AnalogProgram& program, AnalogKind kind) {
  return static_cast<std::size_t>(std::ranges::count(program.elements, kind, &AnalogElement::kind));
}

void expect_near(const std::vector<double>& found, const std::vector<double>& expected, double tolerance) {
  ASSERT_EQ(found.size(), expected.size());
  double top = 0;
  for (const double value : expected) top = std::max(top, std::abs(value));
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], tolerance * top) << i;
}

/// What a machine can do: settings within 0 … 1, gains of 1, 10 and 100, outputs within the machine unit.
void expect_sound(const AnalogProgram& program) {
  for (const AnalogElement& element : program.elements) {
    EXPECT_LE(element.peak, program.machine_unit * (1 + 1e-6)) << element.id;
    for (const auto& input : element.inputs) {
      EXPECT_GT(input.alpha, 0) << element.id;
      EXPECT_LE(input.alpha, 1) << element.id;
      EXPECT_TRUE(input.gain == 1 || input.gain == 10 || input.gain == 100) << element.id;
      EXPECT_EQ(input.pot != 0, input.alpha < 1) << element.id;
    }
  }
}

const std::vector<double> sampled{0.5, 1, 5, 10, 15, 20};

// Responses by other means, agreeing to 1e-10: physical equations, and a realisation of the principal transmittances.
TEST(AnalogProgram, TwoMassesAndACubicSpringMoveAsTheyDo) {
  const AnalogProgram step = program(file("two_masses.dot"), {"4"}, {.until = 20});
  expect_sound(step);
  EXPECT_EQ(count(step, AnalogKind::INT), 4u);
  EXPECT_EQ(count(step, AnalogKind::MUL), 2u);
  EXPECT_FALSE(step.equations.eliminated);
  expect_near(response(step, sampled),
              {0.05526839606401108, -0.014819248995983298, 0.011963578370874101, 0.021633305003259995, 0.022660274106491927,
               0.020970030247021956},
              1e-8);
  const AnalogProgram cosine = program(file("two_masses.dot"), {"4*cos(13*t)"}, {.until = 20});
  expect_sound(cosine);
  expect_near(response(cosine, sampled),
              {-0.009795782671154527, 0.021476893322057617, -0.002486825249248901, -0.0028067667573633544, 0.008472752561502124,
               -0.009726432976122223},
              1e-8);
}

TEST(AnalogProgram, ThreeMassesWithACubicSpringAndAQuadraticDamper) {
  const AnalogProgram step = program(file("three_masses.dot"), {"5"}, {.until = 20});
  expect_sound(step);
  EXPECT_EQ(count(step, AnalogKind::INT), 6u);
  EXPECT_EQ(count(step, AnalogKind::ABS), 1u);
  expect_near(response(step, sampled),
              {0.09029428511783152, 0.07193056156350447, 0.0832459913841933, 0.03935643877634106, 0.04936861241238963,
               0.05573134833326905},
              1e-8);
  expect_near(response(program(file("three_masses.dot"), {"5*cos(6*t)"}, {.until = 20}), sampled),
              {0.062423982634991854, -0.12017064961747422, -0.05994445192461864, 0.11147220208363248, 0.036060840197925055,
               -0.07447240980902868},
              1e-8);
}

TEST(AnalogProgram, ScalesAsToldLeaveTheResponse) {
  const SignalFlowGraph two = file("two_masses.dot");
  const AnalogProgram scaled = program(
      two, {"4"}, {.machine_unit = 100, .time_scale = 10, .maxima = {{"x1", 0.05 * 1.5}, {"w", 5}, {"Dx1", 0.5}}, .until = 20});
  EXPECT_EQ(scaled.time_scale, 10);
  expect_sound(scaled);
  for (const AnalogElement& element : scaled.elements) {
    if (element.variable == "w") {
      EXPECT_DOUBLE_EQ(element.scale, 20);
    }
    if (element.variable == "Dx1") {
      EXPECT_DOUBLE_EQ(element.scale, 200);
    }
    if (element.kind == AnalogKind::MUL) {
      const auto& a = scaled.elements[element.inputs[0].from];
      const auto& b = scaled.elements[element.inputs[1].from];
      EXPECT_DOUBLE_EQ(element.scale, a.scale * b.scale / 100);
      EXPECT_EQ(element.sign, a.sign * b.sign);
    }
  }
  expect_near(response(scaled, {1, 10}), {-0.014819248995983298, 0.021633305003259995}, 1e-8);
  EXPECT_THROW(program(two, {"4"}, {.maxima = {{"x3", 1}}}), Error);
}

TEST(AnalogProgram, AnOverloadIsSaid) {
  const AnalogProgram small = program(file("two_masses.dot"), {"4"}, {.maxima = {{"x2", 0.01}}, .until = 5});
  EXPECT_TRUE(std::ranges::any_of(small.notes, [](const Diagnostic& d) {
    return d.severity == Severity::warning && d.message.find("(x2, ") != std::string::npos;
  }));
}

// Far from the input nothing moves but rounding: that is no amplitude.
TEST(AnalogProgram, VariablesAtRestAreSaidOnce) {
  std::string chain = "digraph { input=\"u\"; output=\"x60\"; u -> x0;";
  for (int i = 0; i < 60; ++i) chain += "x" + std::to_string(i) + " -> x" + std::to_string(i + 1) + " [gain=\"1/(1000*s+1)^2\"];";
  const AnalogProgram found = program(graph((chain + "}").c_str()), {"1"}, {.until = 0.01});
  std::size_t said = 0;
  for (const Diagnostic& note : found.notes) said += note.message.find("of no amplitude") != std::string::npos ? 1 : 0;
  EXPECT_EQ(said, 1u);
  EXPECT_LE(found.notes.size(), 3u);
  for (const AnalogElement& element : found.elements)
    for (const auto& input : element.inputs) EXPECT_GT(input.alpha, 0) << element.id;
}

// y = 2 e^(−t) − e^(−2t) from y = 1, y' = 0
TEST(AnalogProgram, InitialValuesOfAChainAreThoseOfTheSignalAndItsRates) {
  const SignalFlowGraph decay = graph(R"dot(digraph { input="u"; output="y"; u -> y [gain="(s+5)/(s^2+3*s+2)"]; })dot");
  const AnalogProgram found = program(decay, {"0"}, {.initial = {{"y", 1}}, .until = 3});
  const auto y = [](double t) { return 2 * std::exp(-t) - std::exp(-2 * t); };
  expect_near(response(found, {0, 0.5, 1, 3}), {y(0), y(0.5), y(1), y(3)}, 1e-9);
  EXPECT_THROW(program(decay, {"0"}, {.initial = {{"z", 1}}}), Error);
}

// x'' = −4 x: at x = 1/2 E and x' = 1/2 E the rates follow from the table by hand.
TEST(AnalogProgram, StaticTestIsWhatTheTableGives) {
  const SignalFlowGraph oscillator =
      graph(R"dot(digraph { input="u"; output="x"; u -> a; a -> v [gain="1/s"]; v -> x [gain="1/s"]; x -> a [gain="-4"]; })dot");
  const AnalogProgram found =
      program(oscillator, {"0"},
              {.machine_unit = 10, .time_scale = 2, .maxima = {{"x", 1}, {"v", 2}, {"u", 1}}, .initial = {{"x", 1}}, .until = 3});
  for (const AnalogElement& element : found.elements) {
    if (element.kind != AnalogKind::INT) continue;
    const bool is_x = element.variable == "x";
    EXPECT_DOUBLE_EQ(element.test, is_x ? element.sign * 10.0 : 0.0);
    EXPECT_DOUBLE_EQ(element.test_rate, is_x ? 0.0 : element.sign * -4 * 5 * 1.0 / 2);  // a_v x''/λ
  }
  expect_near(response(found, {1, 2, 3}), {std::cos(2), std::cos(4), std::cos(6)}, 1e-9);
}

TEST(AnalogProgram, LawsOfSeveralSignalsAreMultiplied) {  // van der Pol's oscillator: x'' = (1 − x²) x' − x
  const SignalFlowGraph oscillator = graph(R"dot(digraph { input="u"; output="x";
    u -> a; a -> x [gain="1/s^2"]; x -> a [gain="-1"]; x -> a [nonlinear="(1 - u^2)*v"]; })dot");
  const AnalogProgram found = program(oscillator, {"0"}, {.initial = {{"x", 2}}, .until = 20});
  expect_sound(found);
  EXPECT_EQ(count(found, AnalogKind::MUL), 2u);
  // the limit cycle has the amplitude 2.00862 and the period 6.66329 (Kanamaru, Scholarpedia 2(1):2202; Strogatz, exercise 7.6)
  const std::vector<double> x = response(found, {10, 10 + 6.6632868593231301});
  EXPECT_NEAR(x[0], x[1], 2e-4);
  for (const AnalogElement& element : found.elements)
    if (element.variable == "x") {
      EXPECT_NEAR(element.peak / element.scale, 2.00862, 2e-3);
    }
}

/// The law as it stands, integrated beside the table: x' = −x + law(x, w).
double with_law(const std::function<double(double, double)>& law, double until) {
  double x = 0;
  constexpr int steps = 20000;
  const double h = until / steps;
  const auto w = [](double t) { return 2 * std::sin(3 * t) + 0.3; };
  const auto rate = [&](double t, double v) { return -v + w(t) + law(v, w(t)); };
  for (int i = 0; i < steps; ++i) {
    const double t = i * h;
    const double a = rate(t, x), b = rate(t + h / 2, x + h / 2 * a), c = rate(t + h / 2, x + h / 2 * b),
                 d = rate(t + h, x + h * c);
    x += h / 6 * (a + 2 * b + 2 * c + d);
  }
  return x;
}

TEST(AnalogProgram, LawsOfEveryKindHaveElements) {
  const std::vector<std::pair<const char*, std::function<double(double, double)>>> laws{
      {"tanh(3*u) - u/4", [](double u, double) { return std::tanh(3 * u) - u / 4; }},
      {"min(max(u, -1/2), 1/2)", [](double u, double) { return std::clamp(u, -0.5, 0.5); }},
      {"u^5 - 2*u^4*abs(u)", [](double u, double) { return std::pow(u, 5) - 2 * std::pow(u, 4) * std::abs(u); }},
      {"exp(-u)*u^2/(1 + u^2)", [](double u, double) { return std::exp(-u) * u * u / (1 + u * u); }},
      {"-sqrt(1 + abs(u))", [](double u, double) { return -std::sqrt(1 + std::abs(u)); }}};
  for (const auto& [text, law] : laws) {
    const SignalFlowGraph lag =
        graph((std::string(R"dot(digraph { input="w"; output="x"; w -> a; a -> x [gain="1/(s+1)"]; x -> a [nonlinear=")dot") +
               text + R"dot("]; })dot")
                  .c_str());
    const AnalogProgram found = program(lag, {"2*sin(3*t) + 3/10"}, {.until = 4});
    expect_sound(found);
    EXPECT_NEAR(response(found, {4})[0], with_law(law, 4), 2e-7) << text;
  }
}

// x = 1 − e^(−t), v = e^(−t): min and max of signals that cross.
TEST(AnalogProgram, TheLesserAndTheGreaterOfTwoSignals) {
  const SignalFlowGraph lag = graph(R"dot(digraph { input="w"; output="low, high"; w -> x [gain="1/(s+1)"];
    x -> low [nonlinear="min(u, v)"]; x -> high [nonlinear="max(u, 2*v)"]; })dot");
  const AnalogProgram found = program(lag, {"1"}, {.until = 3});
  expect_sound(found);
  const std::vector<double> times{0.2, 0.5, 1, 1.5, 3};
  for (std::size_t output : {0u, 1u}) {
    std::vector<double> exact;
    for (const double t : times) {
      const double x = 1 - std::exp(-t), v = std::exp(-t);
      exact.push_back(output == 0 ? std::min(x, v) : std::max(x, 2 * v));
    }
    expect_near(response(found, times, output), exact, 1e-9);
  }
}

TEST(AnalogProgram, RatesAndTimeInLaws) {  // x' = −x − 0.1 t x², y = x'·|x'|
  const SignalFlowGraph lag = graph(R"dot(digraph { input="w"; output="y"; w -> a; a -> x [gain="1/(s+1)"];
    x -> a [nonlinear="-t*u^2/10"]; x -> y [nonlinear="v*abs(v)"]; })dot");
  const AnalogProgram found = program(lag, {"1"}, {.until = 2});
  double x = 0;
  constexpr int steps = 20000;
  for (int i = 0; i < steps; ++i) {
    const double h = 2.0 / steps, t = i * h;
    const auto rate = [](double time, double v) { return 1 - v - time * v * v / 10; };
    const double a = rate(t, x), b = rate(t + h / 2, x + h / 2 * a), c = rate(t + h / 2, x + h / 2 * b),
                 d = rate(t + h, x + h * c);
    x += h / 6 * (a + 2 * b + 2 * c + d);
  }
  const double v = 1 - x - 2 * x * x / 10;
  EXPECT_NEAR(response(found, {2})[0], v * std::abs(v), 1e-8);
}

// A pulse that ends within the run: the table follows the jump exactly.
TEST(AnalogProgram, JumpsOfInputsAreMet) {
  const SignalFlowGraph lag = graph(R"dot(digraph { input="w"; output="x"; w -> x [gain="1/(s+1)"]; })dot");
  const AnalogProgram found = program(lag, {"step(t) - step(t - 1/3)"}, {.until = 2});
  const double top = 1 - std::exp(-1.0 / 3);
  expect_near(response(found, {1.0 / 3, 1, 2}), {top, top * std::exp(-2.0 / 3), top * std::exp(-5.0 / 3)}, 1e-9);
}

TEST(AnalogProgram, ImproperResponsesAndLoopsOfLawsAreRefused) {
  EXPECT_THROW(
      analog_equations(graph(R"dot(digraph { r -> lead [gain="s"]; lead -> y [gain="s+2"]; r -> y [gain="1/(s+1)"]; })dot")),
      NoAnswer);
  EXPECT_THROW(analog_equations(graph(R"dot(digraph { r -> a; a -> b [nonlinear="u^3"]; b -> a [gain="-1"]; b -> y; })dot")),
               NoAnswer);
  EXPECT_THROW(analog_equations(graph(R"dot(digraph { r -> y [gain="exp(-s)"]; })dot")), Error);
  EXPECT_THROW(analog_equations(graph(R"dot(digraph { r -> y [gain="k/(s+1)"]; })dot")), Error);
  EXPECT_THROW(analog_equations(graph(R"dot(digraph { variable="z"; r -> y [gain="1/z"]; })dot")), Error);
}

TEST(AnalogProgram, LoopsWithoutIntegratorAreSolvedExactly) {  // unity feedback of a bi-proper gain: (s+2)/(2s+3)
  const AnalogProgram found =
      program(graph(R"dot(digraph { input="r"; output="y"; r -> e; e -> y [gain="(s+2)/(s+1)"]; y -> e [gain="-1"]; })dot"),
              {"1"}, {.until = 4});
  EXPECT_TRUE(found.equations.eliminated);
  const auto y = [](double t) { return 2.0 / 3 - std::exp(-1.5 * t) / 6; };
  expect_near(response(found, {0, 1, 4}), {y(0), y(1), y(4)}, 1e-9);
}

// Poles at −1 and −10^6: an explicit method would make millions of steps.
TEST(AnalogProgram, StiffProgramsRun) {
  const SignalFlowGraph stiff =
      graph(R"dot(digraph { input="r"; output="y"; r -> a [gain="1/(s/1000000+1)"]; a -> y [gain="1/(s+1)"]; })dot");
  const AnalogProgram found = program(stiff, {"sin(3*t) + step(t - 2)"}, {.until = 4});
  const auto y = [](double t) {
    const std::complex<double> s(0, 3), gain = 1.0 / ((1.0 + s / 1e6) * (1.0 + s));
    const double jump = t > 2 ? 1 - std::exp(-(t - 2)) * (1 + 1e-6) : 0;
    return (gain * std::exp(s * t)).imag() + 0.3 / (1 - 1e-6) * std::exp(-t) + jump;
  };
  expect_near(response(found, {0.5, 1, 1.9, 2.5, 4}), {y(0.5), y(1), y(1.9), y(2.5), y(4)}, 1e-8);
}

/// A gain of degree up to three, now and then improper.
std::string random_gain(std::mt19937_64& engine) {
  const auto digit = [&](int low, int high) { return std::to_string(std::uniform_int_distribution<int>(low, high)(engine)); };
  switch (std::uniform_int_distribution<int>(0, 6)(engine)) {
    case 0: return digit(-3, 3) + "/2";
    case 1: return "1/s";
    case 2: return digit(-3, 3) + "/(s+" + digit(1, 4) + ")";
    case 3: return "(" + digit(-2, 2) + "*s+" + digit(1, 3) + ")/(s^2+" + digit(0, 3) + "*s+" + digit(1, 9) + ")";
    case 4: return "(s^2+" + digit(-2, 3) + ")/(s^3+2*s^2+" + digit(1, 4) + "*s+1)";
    case 5: return "(s+" + digit(0, 3) + ")/(s+" + digit(1, 5) + ")";
    default: return digit(1, 2) + "*s/4+" + digit(-2, 2);
  }
}

TEST(AnalogProgram, RandomLinearGraphsRespondAsTheirTransferFunctions) {
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    std::mt19937_64 engine(seed);
    const auto node = [&] { return std::string(1, static_cast<char>('a' + std::uniform_int_distribution<int>(0, 3)(engine))); };
    std::string text = "digraph { input=\"r\"; output=\"a\"; r -> " + node() + ";";
    for (int i = 0; i < 6; ++i) text += node() + " -> " + node() + " [gain=\"" + random_gain(engine) + "\"];";
    const SignalFlowGraph random = graph((text + " r -> a; }").c_str());
    const Question asked = question(random, "r", "a");
    std::vector<double> exact;
    std::vector<double> times;
    for (int i = 0; i <= 20; ++i) times.push_back(i / 10.0);
    try {
      const TimeResponse response = step_responses(random, {&asked, 1}, {.until = 2, .points = 21}).front().value;
      if (!response.impulses.empty()) throw NoAnswer("improper");
      exact = response.value;
    } catch (const Failure&) {
      EXPECT_THROW(analog_equations(random), Failure) << seed << text;
      continue;
    }
    SCOPED_TRACE(std::to_string(seed) + " " + text);
    expect_near(response(program(random, {"1"}, {.until = 2}), times), exact, 1e-7);
    ++compared;
  }
  EXPECT_GT(compared, 60);
}

}  // namespace
