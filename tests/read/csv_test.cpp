#include "sfg/read/csv.hpp"

#include <gtest/gtest.h>

#include "sfg/read/toml.hpp"

namespace sfg {
namespace {

TEST(Csv, SeparatorsHeadingsAndComments) {
  for (const char* text :
       {"t,u\n0,1\n0.5,2\n", "0;1\r\n0.5;2\r\n", "# made by hand\n\n0 1\n 5e-1\t+2", "time\tvalue\n0\t1\n.5\t2\n"}) {
    const SampledSignal signal = read_csv(text, "u.csv");
    EXPECT_EQ(signal.time, (std::vector<double>{0, 0.5})) << text;
    EXPECT_EQ(signal.value, (std::vector<double>{1, 2})) << text;
  }
}

std::vector<Diagnostic> problems(const char* text) {
  try {
    read_csv(text, "u.csv");
  } catch (const Error& error) {
    return {error.diagnostics().begin(), error.diagnostics().end()};
  }
  return {};
}

TEST(Csv, EveryWrongLineHasItsPlace) {
  const auto found = problems("t,u\n0,1\n1,x\n2\n3,4,5\n0.5,inf\n2,1\n1,1\n4,\n");
  ASSERT_EQ(found.size(), 6u);
  EXPECT_EQ(to_string(found[0].where), "u.csv:3:3");
  EXPECT_EQ(to_string(found[1].where), "u.csv:4:1");
  EXPECT_EQ(to_string(found[2].where), "u.csv:5:1");
  EXPECT_EQ(to_string(found[3].where), "u.csv:6:5");
  EXPECT_EQ(to_string(found[4].where), "u.csv:8:1");
  EXPECT_EQ(found[4].message, "the time goes back");
  EXPECT_EQ(found[5].where.line, 9u);
  EXPECT_EQ(problems("").size(), 1u);
  EXPECT_EQ(problems("-1,2\n").at(0).message, "a time below 0");
}

TEST(Csv, ACovarianceMatrixIsExact) {
  for (const char* text :
       {"R,L\n0.04, 1/3\n1/3, 4\n", "# of a reel\n, R, L\nR, 0.04, 1/3\nL, 1/3, 4\n", "R L\n0.04 1/3\n1/3 4"}) {
    const Covariance found = read_covariance(text, "c.csv");
    EXPECT_EQ(found.names, (std::vector<std::string>{"R", "L"})) << text;
    using exact::Rational;
    EXPECT_EQ(found.matrix, (std::vector<Rational>{Rational(1) / 25, Rational(1) / 3, Rational(1) / 3, Rational(4)})) << text;
  }
}

TEST(Csv, AWrongCovarianceMatrixHasItsPlaces) {
  const auto place_of = [](const char* text) -> std::string {
    try {
      read_covariance(text, "c.csv");
    } catch (const Error& error) {
      return to_string(error.diagnostics().front().where);
    }
    return "none";
  };
  EXPECT_EQ(place_of("R,L\n0.04,0.1\n0.2,4\n"), "c.csv:3:1");  // not symmetric
  EXPECT_EQ(place_of("R,L\n0.04,x\n0.2,4\n"), "c.csv:2:6");
  EXPECT_EQ(place_of("R,L\n0.04,0.1\n"), "c.csv:1:1");
  EXPECT_EQ(place_of("R,L\n0.04,0.1\n0.1,4\n1,2\n"), "c.csv:4:1");
  EXPECT_EQ(place_of("R,L\n0.04\n0.1,4\n"), "c.csv:2:1");
  EXPECT_EQ(place_of("R,R\n0.04,0.1\n0.1,4\n"), "c.csv:1:3");
  EXPECT_EQ(place_of("R,L\nL,0.04,0.1\nR,0.1,4\n"), "c.csv:2:1");
  EXPECT_EQ(place_of("0.04,0.1\n0.1,4\n"), "c.csv:1:1");
  EXPECT_EQ(place_of(""), "c.csv:1:1");
}

TEST(Toml, SimulationIsKept) {
  SimulationSettings settings;
  read_toml(
      "[graph]\nbranches = [[\"u\", \"y\", \"1/s\"]]\n[simulation]\nuntil = 10\ninputs = { u = \"0.1*step(t-1)\" }\ninitial = { "
      "y = 2 }\n",
      "m.toml", nullptr, &settings);
  EXPECT_EQ(settings.until, "10");
  ASSERT_EQ(settings.inputs.size(), 1u);
  EXPECT_EQ(settings.inputs[0].name, "u");
  EXPECT_EQ(settings.inputs[0].text, "0.1*step(t-1)");
  EXPECT_EQ(settings.inputs[0].where.line, 5u);
  ASSERT_EQ(settings.initial.size(), 1u);
  EXPECT_THROW(read_toml("[graph]\nbranches = [[\"u\", \"y\", \"1/s\"]]\n[simulation]\nuntl = 10\n", "m.toml"), Error);
  EXPECT_THROW(read_toml("[graph]\nbranches = [[\"u\", \"y\", \"1/s\"]]\n[simulation]\ninputs = { u = \"1+\" }\n", "m.toml"),
               Error);
}

TEST(Toml, SampleTimeIsThatOfTheOperator) {
  const auto content =
      read_toml("variable = \"z\"\nsample_time = 0.1\n[graph]\nbranches = [[\"u\", \"y\", \"1/z\"]]\n", "m.toml");
  const auto& graph = std::get<SignalFlowGraph>(content);
  EXPECT_EQ(graph.op, Operator("z", exact::Rational(1) / 10));
  EXPECT_TRUE(graph.attributes.empty());
}

}  // namespace
}  // namespace sfg
