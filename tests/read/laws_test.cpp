#include "sfg/read/laws.hpp"

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "../same_graph.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/graph/rewrite.hpp"
#include "sfg/nonlinear/compiled_laws.hpp"
#include "sfg/read/dot.hpp"
#include "sfg/read/json.hpp"
#include "sfg/read/toml.hpp"
#include "sfg/transfer/transfer.hpp"
#include "sfg/write/graph.hpp"

namespace {

using namespace sfg;

constexpr const char* product = R"dot(digraph {
  input="w"; output="y"; tables="spring=[-1, -2] [0, 0] [1, 5] monotone"; parameters="k=2";
  w -> x [gain="1/(s+1)"];  x -> "node 3" [gain="1/(s+2)"];
  x -> y [nonlinear="k*u*x3 + spring(Dx3) + table(u, [0, 0], [1, 2.5]) + backlash(u, 1/10)", arguments="x3=node 3"];
})dot";

const Nonlinearity& law_of(const SignalFlowGraph& graph) {
  for (const Branch& branch : graph.branches())
    if (!branch.linear()) return std::get<Nonlinearity>(branch.law);
  throw std::logic_error("no law");
}

double value(const SignalFlowGraph& graph, double u, double x3, double Dx3) {
  const PrincipalForm form = principal_form(graph);
  const CompiledLaws laws(form, graph.parameter_values());
  std::vector<double> arguments;
  for (const auto& argument : form.arguments) arguments.push_back(argument.rate ? Dx3 : argument.signal == "x" ? u : x3);
  double f = 0;
  laws.values({arguments}, {&f, 1});
  return f;
}

TEST(Laws, HaveFurtherArgumentsAndTables) {
  const SignalFlowGraph graph = read_dot(product, "test.dot");
  ASSERT_EQ(law_of(graph).arguments.size(), 1u);
  EXPECT_EQ(graph[law_of(graph).arguments[0].node].name, "node 3");
  EXPECT_DOUBLE_EQ(value(graph, 0.5, 3, 1), 2 * 0.5 * 3 + 5 + 1.25 + 0.45);
}

template <class Write>
std::string written(const SignalFlowGraph& graph, Write write) {
  std::ostringstream out;
  write(out, graph);
  return out.str();
}

TEST(Laws, AreReadBackFromEveryFormat) {
  const SignalFlowGraph graph = read_dot(product, "test.dot");
  const std::string dot = written(graph, write_dot);
  const auto check = [&](const SignalFlowGraph& again, const std::string& text) {
    ASSERT_EQ(law_of(again).arguments.size(), 1u) << text;
    EXPECT_EQ(print(law_of(again).law), print(law_of(graph).law)) << text;
    EXPECT_DOUBLE_EQ(value(again, 0.5, 3, 0.7), value(graph, 0.5, 3, 0.7));
    EXPECT_EQ(written(again, write_dot), dot);
  };
  check(read_dot(dot, "again.dot"), dot);
  const std::string json = written(graph, [](std::ostream& out, const SignalFlowGraph& g) { write_json(out, g); });
  check(read_json(json, "again.json"), json);
  const std::string toml = written(graph, [](std::ostream& out, const SignalFlowGraph& g) { write_toml(out, g); });
  check(std::get<SignalFlowGraph>(read_toml(toml, "again.toml")), toml);
  const std::string graphml = written(graph, write_graphml);
  EXPECT_NE(graphml.find("x3=node 3"), std::string::npos);
}

TEST(Laws, TablesOfTomlComeFromFilesBesideIt) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "sfg_laws_test";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "force.csv") << "u, F\n-1, -3\n0, 0\n1, 3\n2, 4\n";
  const std::string model = R"toml(
[tables]
force = { file = "force.csv", interpolation = "linear" }
curve = { x = [0, 1, "2"], y = [1, 0, 1], interpolation = "spline" }
[graph]
input = "w"
output = "y"
branches = [ ["w", "x", "1/(s+1)"], { from = "x", to = "y", nonlinear = "force(u) + curve(u) + monotone(u, 'force.csv')" } ]
)toml";
  const SignalFlowGraph graph = std::get<SignalFlowGraph>(read_toml(model, (folder / "model.toml").string()));
  EXPECT_DOUBLE_EQ(value(graph, 1, 0, 0), 3 + 0 + 3);
  const auto refused = [&](const std::string& text) {
    try {
      read_dot("digraph { tables=\"" + text + "\"; a -> b [nonlinear=\"f(u)\"]; }", (folder / "x.dot").string());
      return std::string("read");
    } catch (const Error& problem) {
      EXPECT_GT(problem.where().line, 0u);
      return std::string(problem.what());
    }
  };
  EXPECT_NE(refused("f=../force.csv").find("not in the folder"), std::string::npos);
  EXPECT_NE(refused("f=none.csv").find("cannot be read"), std::string::npos);
  EXPECT_NE(refused("f=[0, 0] [0, 1]").find("not above"), std::string::npos);
  EXPECT_NE(refused("f=[0, 0] [1, 1] cubic").find("unknown interpolation"), std::string::npos);
  EXPECT_NE(refused("sin=[0, 0] [1, 1]").find("name of a function"), std::string::npos);
  EXPECT_EQ(refused("f=force.csv spline"), "read");
  std::filesystem::remove_all(folder);
}

TEST(Laws, SayWhatIsWrongWithArguments) {
  const auto message = [](const std::string& arguments, const std::string& gain = "2") {
    try {
      read_dot("digraph { parameters=\"p=1\"; a -> b [gain=\"" + gain + "\"]; a -> c [nonlinear=\"u*b\", arguments=\"" +
                   arguments + "\"]; }",
               "x.dot");
      return std::string("read");
    } catch (const Error& problem) {
      return std::string(problem.what());
    }
  };
  EXPECT_EQ(message("b"), "read");
  EXPECT_NE(message("q").find("is no node"), std::string::npos);
  EXPECT_NE(message("u=b").find("cannot stand in a law"), std::string::npos);
  EXPECT_NE(message("p=b").find("is a parameter"), std::string::npos);
  EXPECT_NE(message("b", "b").find("stands in a gain"), std::string::npos);
}

TEST(Laws, ASignalThatOnlyALawNeedsIsNotOverlooked) {
  // r reaches y by a law alone, whose tail it does not reach: in the first graph there is a gain beside it.
  for (const char* beside : {"r -> y [gain=2];", ""}) {
    const SignalFlowGraph graph =
        read_dot(std::string("digraph { input=r; output=y; r -> b [gain=3]; a -> y [nonlinear=\"u*b\", arguments=\"b\"]; ") +
                     beside + " }",
                 "x.dot");
    EXPECT_THROW(transfer_function(graph, {*graph.find("r"), *graph.find("y"), {}, {}}), Error) << beside;
  }
}

TEST(Laws, RewritesKeepFurtherArguments) {
  const SignalFlowGraph graph = read_dot(product, "test.dot");
  const NodeId third = graph.at("node 3");
  EXPECT_THROW(without_node(graph, third), Error);  // no branch leaves it, and yet the law needs it
  const SignalFlowGraph scaled_graph = scaled(graph, third, 10);
  EXPECT_DOUBLE_EQ(value(scaled_graph, 0.5, 30, 7), value(graph, 0.5, 3, 0.7));
  const SignalFlowGraph tail = scaled(graph, graph.at("x"), 2);
  EXPECT_DOUBLE_EQ(value(tail, 1.0, 3, 0.7), value(graph, 0.5, 3, 0.7));
}

}  // namespace
