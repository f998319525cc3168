// Loops made of factors whose constants are known from them alone.
#include "sfg/control/margins.hpp"

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <random>

#include "sfg/expr/exact_value.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/study/boxes/box_measures.hpp"
#include "sfg/study/measures/measure.hpp"

namespace sfg {
namespace {

const char* const letters[]{"a", "b", "c", "K"};

struct Loop {
  SignalFlowGraph graph;
  Question question;
  Loop(const std::string& gain, bool discrete, const std::map<std::string, std::string>& values) {
    graph.op = discrete ? Operator("z", exact::Rational(1) / exact::Rational(10)) : Operator("s");
    graph.op.declare(graph.symbols);
    graph.add_branch(graph.node("u"), graph.node("y"), parse(gain, graph.symbols));
    for (const auto& [name, value] : values) {
      if (!graph.symbols.find(name)) graph.symbols.symbol(name);
      graph.symbols.find(name)->value = parse(value, graph.symbols);
    }
    question = {*graph.find("u"), *graph.find("y"), Question::Mode::source, {}};
  }
  ExactTransfer stated() const { return exact_transfers(graph, std::span(&question, 1)).front(); }
  ErrorConstants constants() const { return error_constants(graph, question, stated()); }
};

/// A product of factors, its type and the constant that is neither 0 nor infinite.
struct Known {
  std::string gain = "K", constant = "K";
  int order = 0;  ///< poles at rest less zeros there
};

Known random_loop(std::mt19937& random, bool discrete) {
  const auto number = [&](int low, int high) { return std::uniform_int_distribution(low, high)(random); };
  Known known;
  const std::string x = discrete ? "z" : "s";
  const auto factor = [&](const char* sign) {
    const std::string letter = letters[number(0, 2)], k = std::to_string(number(1, 4));
    // at rest k + letter in z, the letter in s
    known.gain += sign + ("(" + k + "*" + x + "+" + letter + ")");
    known.constant += sign + ("(" + (discrete ? k + "+" : std::string()) + letter + ")");
  };
  for (int i = number(0, 2); i-- > 0;) factor("*");
  for (int i = number(1, 3); i-- > 0;) factor("/");
  known.order = number(-1, 3);
  const std::string rest = discrete ? "(z-1)" : "s";
  for (int i = 0; i < std::abs(known.order); ++i) {
    known.gain += (known.order > 0 ? "/" : "*") + rest;
    if (discrete) known.constant += known.order > 0 ? "*10" : "/10";
  }
  if (number(0, 1) > 0 && !discrete) known.gain += "*exp(-b*s)";
  return known;
}

std::map<std::string, std::string> random_values(std::mt19937& random) {
  std::map<std::string, std::string> values;
  for (const char* letter : letters) values[letter] = std::to_string(std::uniform_int_distribution(3, 19)(random)) + "/10";
  if (random() % 3 == 0) values["a"] = "sqrt(2)";
  return values;
}

TEST(ErrorConstants, OfRandomLoopsAreTheLimits) {
  std::mt19937 random(5);
  for (int trial = 0; trial < 120; ++trial) {
    const bool discrete = trial % 2 == 1;
    const Known known = random_loop(random, discrete);
    SCOPED_TRACE(known.gain);
    Loop loop(known.gain, discrete, random_values(random));
    const ErrorConstants found = loop.constants();
    EXPECT_EQ(found.note, "");
    EXPECT_EQ(static_cast<int>(found.type), std::max(0, known.order));
    for (int j = 0; j < 3; ++j) {
      const std::optional<GiNaC::ex>& value = found.constants[static_cast<std::size_t>(j)];
      ASSERT_EQ(value.has_value(), j >= known.order) << j;
      if (!value) continue;
      const GiNaC::ex wanted = j == known.order ? parse(known.constant, loop.graph.symbols) : GiNaC::ex(0);
      EXPECT_TRUE(vanishes(*value - wanted)) << print(*value) << " is not " << print(wanted);
    }
  }
}

TEST(ErrorConstants, AreOfTheTypeThatStatedValuesMake) {
  const ErrorConstants found = Loop("K*(s+c)/((s+a)*(s+b))", false, {{"K", "2"}, {"a", "0"}, {"b", "3"}, {"c", "1"}}).constants();
  EXPECT_EQ(found.type, 1U);
  EXPECT_FALSE(found.constants[0]);
  EXPECT_EQ(print(*found.constants[1]), "K*c/b");
  const ErrorConstants both = Loop("K*(s+c)/(s+a)", false, {{"K", "2"}, {"a", "0"}, {"c", "0"}}).constants();
  EXPECT_EQ(both.type, 0U);
  EXPECT_EQ(print(*both.constants[0]), "K");
}

/// Values and derivatives of the measures, and their bounds over a small box, against the closed form.
TEST(ErrorConstants, AsMeasuresHaveTheDerivativesOfTheClosedForm) {
  std::mt19937 random(6);
  const std::vector<std::string> names{"a", "b", "c", "K"};
  for (int trial = 0; trial < 60; ++trial) {
    const bool discrete = trial % 2 == 1;
    const Known known = random_loop(random, discrete);
    SCOPED_TRACE(known.gain);
    std::map<std::string, std::string> values = random_values(random);
    values["a"] = "7/10";
    Loop loop(known.gain, discrete, values);
    const std::string rest = "1/(1+" + known.constant + ")";
    std::vector<std::pair<std::string, std::string>> asked{{"type", std::to_string(std::max(0, known.order))},
                                                           {"dc-error", known.order > 0   ? "0"
                                                                        : known.order < 0 ? "1"
                                                                                          : rest}};
    const char* const constant_names[]{"Kp", "Kv", "Ka"};
    for (int j = std::max(0, known.order); j < 3; ++j)
      asked.emplace_back(constant_names[j], j == known.order ? known.constant : "0");
    std::vector<Measure> measures;
    for (const auto& [name, form] : asked) measures.push_back(measure_of(name, loop.graph.symbols));
    const MeasuredSystem system{loop.graph, loop.question, {}};
    const MeasureProgram program(system, measures, names);
    std::vector<double> point;
    GiNaC::exmap there;
    for (const std::string& name : names) {
      point.push_back(std::uniform_real_distribution(0.3, 3.0)(random));
      there[loop.graph.symbols.at(name).expr] = numeric_value(exact::Rational::of(point.back()));
    }
    const LocalMeasures found = program.at(point, false);
    const BoxMeasures boxes(system, measures, names);
    std::vector<ring::Interval> sides;
    for (const double x : point) sides.emplace_back(x * (1 - 1e-3), x * (1 + 1e-3));
    const ring::ParameterBox box(sides);
    std::vector<ring::Jet> parameters;
    for (std::size_t k = 0; k < names.size(); ++k) parameters.push_back(ring::Jet::variable(box, k));
    for (std::size_t m = 0; m < asked.size(); ++m) {
      SCOPED_TRACE(asked[m].first);
      const GiNaC::ex form = parse(asked[m].second, loop.graph.symbols);
      const auto number = [&](const GiNaC::ex& e) { return GiNaC::ex_to<GiNaC::numeric>(e.subs(there).evalf()).to_double(); };
      const ring::Interval range = boxes.over(m, box, parameters).value();
      EXPECT_TRUE(range.contains(number(form))) << range.low << ", " << range.high << ": " << number(form);
      EXPECT_LE(range.width(), 0.1 * (1 + std::abs(number(form))));
      ASSERT_TRUE(found.decided[m]);
      EXPECT_NEAR(found.value[m], number(form), 1e-11 * (1 + std::abs(number(form))));
      for (std::size_t k = 0; k < names.size(); ++k) {
        const double slope = number(form.diff(GiNaC::ex_to<GiNaC::symbol>(loop.graph.symbols.at(names[k]).expr)));
        EXPECT_NEAR(found.derivative[m * names.size() + k], slope, 1e-9 * (1 + std::abs(slope))) << names[k];
      }
    }
  }
}

}  // namespace
}  // namespace sfg
