#include "sfg/model/operator.hpp"

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>
#include <stdexcept>

#include "sfg/control/poles.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/read/dot.hpp"
#include "sfg/read/json.hpp"
#include "sfg/read/toml.hpp"
#include "sfg/response/discretize.hpp"
#include "sfg/response/frequency_response.hpp"
#include "sfg/write/graph.hpp"

namespace sfg {
namespace {

using exact::Rational;

TEST(Operator, IsWhatItsNameSays) {
  EXPECT_EQ(Operator().kind(), Operator::Kind::none);
  EXPECT_EQ(Operator("").kind(), Operator::Kind::none);
  for (const char* name : {"s", "p", "D", "zeta"}) {
    const Operator op = name;
    EXPECT_EQ(op.kind(), Operator::Kind::continuous) << name;
    EXPECT_EQ(op.boundary(), exact::Boundary::imaginary_axis) << name;
    EXPECT_EQ(op.at_rest(), 0) << name;
    EXPECT_EQ(op.name_of_rate("x"), "Dx") << name;
  }
  const Operator z = "z";
  EXPECT_TRUE(z.discrete());
  EXPECT_EQ(z.boundary(), exact::Boundary::unit_circle);
  EXPECT_EQ(z.at_rest(), 1);
  EXPECT_EQ(z.name_of_rate("x"), "zx");
}

TEST(Operator, SampleTimeIsExactAndPositive) {
  const Operator z = "z";
  EXPECT_FALSE(z.sample_time());
  EXPECT_EQ(z.period(), 1);
  const Operator sampled = z.sampled(Rational(1) / 10);
  EXPECT_EQ(sampled.period() * 10, 1);
  EXPECT_EQ(sampled, Operator("z", Rational(1) / 10));
  EXPECT_NE(sampled, z);
  EXPECT_THROW(z.sampled(0), std::invalid_argument);
  EXPECT_THROW(Operator("s", Rational(-1)), std::invalid_argument);
}

/// e^(jωh) and ln(z)/h undo each other up to half the sampling frequency; in s both do nothing.
TEST(Operator, OscillationsComeBackFromTheCircle) {
  for (const Operator& op : {Operator("s"), Operator("z"), Operator("z", Rational(1) / 8), Operator("z", Rational(3))}) {
    const double half = M_PI / op.period().to_double();
    for (const double part : {0.001, 0.3, 0.99}) {
      const std::complex<double> s = op.in_s(op.at_frequency(part * half));
      EXPECT_NEAR(s.imag(), part * half, 1e-12 * half) << op.symbol();
      EXPECT_NEAR(s.real(), 0, 1e-12 * half) << op.symbol();
    }
  }
  EXPECT_NEAR(std::abs(Operator("z", Rational(1) / 8).at_frequency(5)), 1, 1e-15);
}

TEST(Operator, HasOneSymbolInATable) {
  SymbolTable symbols;
  const Operator p = "p";
  const GiNaC::ex unknown = p.in(symbols);
  const GiNaC::ex mentioned = parse("p + 1", symbols) - 1;
  EXPECT_FALSE(mentioned.is_equal(unknown));
  EXPECT_EQ(symbols.at("p").kind, SymbolKind::parameter);
  EXPECT_TRUE(p.declare(symbols).is_equal(mentioned));
  EXPECT_TRUE(p.in(symbols).is_equal(mentioned));
  EXPECT_EQ(symbols.at("p").kind, SymbolKind::laplace);
  EXPECT_EQ(symbols.all().size(), 1u);
}

SignalFlowGraph of_dot(const std::string& statements) {
  return read_dot("digraph { " + statements + " u -> y [gain=\"1/(z - 1/2)\"]; }", "g.dot");
}

TEST(Operator, IsReadFromEveryFormat) {
  const Operator expected("z", Rational(1) / 10);
  EXPECT_EQ(of_dot("variable=z; sample_time=\"0.1\";").op, expected);
  EXPECT_EQ(of_dot("sample_time=\"1/10\"; variable=z;").op, expected);
  const auto toml = [](const std::string& head, const std::string& tail) {
    return std::get<SignalFlowGraph>(
        read_toml(head + "[graph]\nbranches = [[\"u\", \"y\", \"1/(z - 1/2)\"]]\n" + tail, "g.toml"));
  };
  EXPECT_EQ(toml("variable = \"z\"\nsample_time = 0.1\n", "").op, expected);
  EXPECT_EQ(toml("variable = \"z\"\n", "[graph.attributes]\nsample_time = \"1/10\"\n").op, expected);
  EXPECT_EQ(read_json("{\"variable\": \"z\", \"branches\": [], \"attributes\": {\"sample_time\": \"0.1\"}}", "g.json").op,
            expected);
}

TEST(Operator, AGraphIsWrittenWithItsSampleTime) {
  SignalFlowGraph graph = of_dot("variable=z; expect=\"1\";");
  graph.op = graph.op.sampled(Rational(2) / 7);
  std::ostringstream dot, toml, json, graphml;
  write_dot(dot, graph);
  write_toml(toml, graph);
  write_json(json, graph);
  write_graphml(graphml, graph);
  const SignalFlowGraph again = read_dot(dot.str(), "g.dot");
  EXPECT_EQ(again.op, graph.op);
  EXPECT_EQ(again.attributes, graph.attributes);
  EXPECT_EQ(std::get<SignalFlowGraph>(read_toml(toml.str(), "g.toml")).op, graph.op);
  EXPECT_EQ(read_json(json.str(), "g.json").op, graph.op);
  EXPECT_NE(graphml.str().find("<data key=\"graph_1\">2/7</data>"), std::string::npos) << graphml.str();
}

TEST(Operator, ASampleTimeThatIsNoneIsRefusedWithItsPlace) {
  for (const std::string value : {"0", "-0.1", "h", "1/0", "0.1 s", ""}) {
    const std::string text = "digraph { variable=z;\n  sample_time=\"" + value + "\";\n u -> y [gain=\"1/z\"]; }";
    try {
      read_dot(text, "g.dot");
      FAIL() << value;
    } catch (const Error& error) {
      EXPECT_EQ(error.diagnostics().front().message, "the sample time '" + value + "' is not a positive number");
      EXPECT_EQ(to_string(error.diagnostics().front().where).substr(0, 8), "g.dot:2:")
          << to_string(error.diagnostics().front().where);
    }
  }
  EXPECT_THROW(read_toml("variable = \"z\"\nsample_time = true\n[graph]\nbranches = []\n", "g.toml"), Error);
  EXPECT_THROW(read_toml("variable = \"z\"\nsample_time = \"-1\"\n[graph]\nbranches = []\n", "g.toml"), Error);
  EXPECT_THROW(read_json("{\"branches\": [], \"attributes\": {\"sample_time\": \"soon\"}}", "g.json"), Error);
}

/// The answers take the sample time from the graph: poles and frequency responses of a sampled system are those in time.
TEST(Operator, AnswersFollowTheSampleTimeOfTheGraph) {
  SignalFlowGraph graph = of_dot("variable=z; sample_time=\"1/4\";");
  const Question question{graph.at("u"), graph.at("y"), Question::Mode::source, {}};
  const PolesZeros found = poles(graph, question);
  EXPECT_EQ(found.op, graph.op);
  EXPECT_NEAR(found.modes.front().frequency, 4 * std::log(2.0), 1e-12);  // 2^(-4t)
  const FrequencyResponse response = frequency_responses(graph, std::span(&question, 1), {.frequency = {3.0}}).front();
  EXPECT_NEAR(std::abs(response.value.front() - 1.0 / (std::polar(1.0, 0.75) - 0.5)), 0, 1e-15);
  const std::vector<double> range = frequency_responses(graph, std::span(&question, 1)).front().frequency;
  EXPECT_NEAR(range.back(), 4 * M_PI, 1e-12);
  const auto compiled = frequency_responses(graph, std::span(&question, 1), {.way = SweepOptions::Way::compiled}).front();
  EXPECT_NEAR(compiled.frequency.back(), 4 * M_PI, 1e-9);
  graph.op = "z";
  EXPECT_NEAR(poles(graph, question).modes.front().frequency, std::log(2.0), 1e-12);  // rad per sample
}

}  // namespace
}  // namespace sfg
