#include "sfg/model/polar_network.hpp"

#include <gtest/gtest.h>

#include "sfg/derive/derive.hpp"
#include "sfg/model/settings.hpp"
#include "sfg/read/input.hpp"

namespace sfg {
namespace {

/// "line:column: error: message; hint" of every problem of a network with these elements, one a line each.
std::string problems_of(const std::string& elements, const std::string& head = "", const std::string& tail = "") {
  try {
    const Input input = read(head + "[polar]\nelements = [\n" + elements + "\n]\n" + tail, InputFormat::toml, "m.toml");
    graph_of(std::get<Model>(input.content));
  } catch (const Error& error) {
    std::string text;
    for (const Diagnostic& problem : error.diagnostics()) text += to_string(problem) + "\n";
    return text;
  }
  return "none";
}

void expect_problem(const std::string& elements, const std::string& message, const std::string& tail = "") {
  const std::string found = problems_of(elements, "", tail);
  EXPECT_NE(found.find(message), std::string::npos) << "expected: " << message << "\nfound: " << found;
}

const std::string mass = R"({name = "m", type = "mass", nodes = ["1", "0"], value = "m"})";

TEST(PolarNetwork, NamesEveryMistakeWithItsPlace) {
  expect_problem(R"({name = "k", type = "sprung", nodes = ["1", "0"], value = "k"})",
                 "m.toml:3:22: error: unknown type 'sprung' of an element; did you mean 'spring'?");
  expect_problem(R"({name = "k", type = "spring", nodes = ["1", "0"]})", "3:1: error: spring 'k' is without its value");
  expect_problem(R"({name = "k", type = "spring", value = "k"})", "element 'k' is without nodes");
  expect_problem(R"({name = "k", type = "spring", nodes = ["1"], value = "k"})", "3:39: error: spring 'k' has 1 node, not two");
  expect_problem(R"({type = "spring", nodes = ["1", "0"], value = "k"})", "an element without a name");
  expect_problem(R"({name = "m", type = "mass", nodes = ["1", "0"], law = "u^3"})",
                 "3:55: error: mass 'm' has a law, but its force follows from the acceleration");
  expect_problem(R"({name = "b", type = "inerter", nodes = ["1", "0"], law = "u^3"})", "this type is linear");
  expect_problem(R"({name = "m", type = "mass", nodes = ["1", "2"], value = "m"},)" + mass, "write the node 0 for one of them");
  expect_problem(mass + R"(, {name = "k", type = "spring", nodes = ["1", "1"], value = "k"})", "between the node '1' and itself");
  expect_problem(mass + "," + mass, "element 'm' is stated twice, first at m.toml:3:1");
  expect_problem(mass + R"(, {name = "k", type = "spring", nodes = ["2", "3"], value = "k"})",
                 "nothing joins the node '2' with the reference");
  expect_problem(R"({name = "1", type = "mass", nodes = ["1", "0"], value = "m"})", "is that of an element and of a node");
  expect_problem(mass + R"(, {name = "k", type = "spring", nodes = ["1", "0"], value = "k", law = "u"})",
                 "has both a value and a law");
  expect_problem(mass + R"(, {name = "k", type = "spring", nodes = ["1", "0"], law = "mu"})", "has neither u nor v");
  expect_problem(
      mass +
          R"(, {name = "k", type = "spring", nodes = ["1", "0"], law = "u^3"}, {name = "c", type = "damper", nodes = ["1", "0"], value = "v"})",
      "name 'v' in a value is a parameter");
  expect_problem(mass + R"(, {name = "F", type = "force", nodes = ["1", "0"], value = "3"})",
                 "is a source, an input of the model");
  expect_problem(mass + R"(, {name = "F", type = "force", nodes = ["1", "0"]})", "of a source, which is an input",
                 "[parameters]\nF = 3\n");
  expect_problem(mass, "5:11: error: there is no signal 'x(7)'; did you mean 'x(1)'?", "output = \"x(7)\"\n");
  expect_problem(mass, "there is no signal 'x(7)'", "output = \"x(1) - x(7)\"\n");
  expect_problem(mass, "the input 'm' is not known here", "input = \"m\"\n");
  expect_problem(mass, "unknown key 'masses' in [polar]", "masses = 3\n");
  expect_problem(R"({name = "a b", type = "mass", nodes = ["1", "0"], value = "m"})", "has a blank");
}

TEST(PolarNetwork, NamesWhatCannotBeJoined) {
  const std::string coil = R"(, {name = "R", type = "resistor", nodes = ["1", "0"], value = "R"})";
  expect_problem(mass + coil, "resistor 'R' cannot join the translational node '1'");
  expect_problem(mass + R"(, {name = "J", type = "inertia", nodes = ["2", "0"], value = "J"},
    {name = "k", type = "spring", nodes = ["1", "2"], value = "k"})",
                 "spring 'k' cannot join the translational node '1' and the rotational node '2'");
  expect_problem(
      mass + R"(, {name = "u", type = "motion", nodes = ["1", "0"]}, {name = "v0", type = "velocity", nodes = ["1", "0"]})",
      "what 'v0' prescribes is prescribed already: 'u', 'v0' form a circuit");
  expect_problem(R"({name = "u", type = "motion", nodes = ["1", "0"]}, {name = "w", type = "motion", nodes = ["2", "0"]},
    {name = "L", type = "lever", nodes = ["1", "2"], ratio = "2"})",
                 "the coupled elements 'L' leave no tree");
  expect_problem(mass + R"(, {name = "F", type = "force", nodes = ["2", "0"]})",
                 "node '2' is held by nothing but nonlinear elements");
  expect_problem(R"({name = "L", type = "lever", nodes = ["1", "2", "3"], ratio = "2"})", "has 3 nodes, not two or four");
  expect_problem(R"({name = "L", type = "lever", nodes = ["1", "2"]})", "lever 'L' is without its ratio");
}

TEST(PolarNetwork, AMassOfZeroHoldsNothing) {
  const std::string text =
      "[polar]\nelements = [" + mass +
      R"(, {name = "k", type = "spring", nodes = ["1", "0"], value = "k"}, {name = "F", type = "force", nodes = ["1", "0"]}])";
  Input input = read(text, InputFormat::toml, "m.toml");
  auto& model = std::get<PolarNetwork>(std::get<Model>(input.content));
  const SymbolTable symbols = model.symbols;
  const PolarNetwork light = substituted(model, {{symbols.at("m").expr, 0}});
  const SignalFlowGraph graph = graph_of(Model(light));
  EXPECT_TRUE(graph.find("x(1)"));  // of the spring, which is in the tree now
  EXPECT_EQ(graph.branches().size(), 4u);
}

TEST(PolarNetwork, DomainsFollowFromTheElements) {
  const Input input = read(R"([polar]
elements = [
  {name = "J", type = "inertia", nodes = ["w", "0"], value = "J"},
  {name = "k", type = "spring", nodes = ["w", "x"], value = "k"},
  {name = "c", type = "damper", nodes = ["x", "y"], value = "c"},
  {name = "G", type = "rack", nodes = ["z", "y"], ratio = "r"},
  {name = "F", type = "force", nodes = ["z", "0"]},
])",
                           InputFormat::toml, "m.toml");
  const auto domains = std::get<PolarNetwork>(std::get<Model>(input.content)).domains();
  EXPECT_EQ(domains.at("x"), Domain::rotation);
  EXPECT_EQ(domains.at("y"), Domain::rotation);
  EXPECT_EQ(domains.at("z"), Domain::translation);
}

TEST(PolarNetwork, UnitsOfItsValuesAreChecked) {
  const auto conflicts = [](const std::string& unit) {
    return read("[polar]\nelements = [" + mass + R"(, {name = "k", type = "spring", nodes = ["1", "0"], value = "k"}])" +
                    "\n[parameters]\nm = {value = 1, unit = \"kg\"}\nk = {value = 2, unit = \"" + unit + "\"}\n",
                InputFormat::toml, "m.toml")
        .dimensions;
  };
  EXPECT_TRUE(conflicts("N/m").conflicts.empty());
  EXPECT_EQ(conflicts("N/m").unit("v(1)"), "m/s");
  EXPECT_EQ(conflicts("N/m").unit("x(1) - x(k)"), "m");
  EXPECT_EQ(conflicts("N/m").unit("x(1) - v(k)"), "");
  EXPECT_EQ(conflicts("N/m").unit("2(x(1) - v(k))"), "");
  EXPECT_EQ(conflicts("N/mm").conflicts.size(), 1u);  // beside kg, of which N is with metres
  EXPECT_EQ(conflicts("N").conflicts.size(), 1u);
}

}  // namespace
}  // namespace sfg
