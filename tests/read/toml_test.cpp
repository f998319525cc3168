#include "sfg/read/toml.hpp"

#include <gtest/gtest.h>

#include <random>

#include "read/problems.hpp"
#include "sfg/expr/print.hpp"

namespace sfg {
namespace {

Lagrangian lagrangian(const std::string& text, std::vector<Diagnostic>* notes = nullptr) {
  return std::get<Lagrangian>(std::get<Model>(read_toml(text, "m.toml", notes)));
}
EquationSystem equations(const std::string& text, std::vector<Diagnostic>* notes = nullptr) {
  return std::get<EquationSystem>(std::get<Model>(read_toml(text, "m.toml", notes)));
}
SignalFlowGraph graph(const std::string& text) { return std::get<SignalFlowGraph>(read_toml(text, "m.toml")); }

/// "line:column message" of every error, one a line.
std::string errors(const std::string& text) {
  return test::errors_of([&] { read_toml(text, "m.toml"); });
}

std::string value(const SymbolTable& symbols, const char* name) { return print(symbols.at(name).value.value()); }

// The vehicle of Augustaitis et al. 2011 (docs/design/derivation.md, section 7).
constexpr const char* vehicle = R"toml(
title = "Vehicle on an uneven road"
variable = "p"
[lagrange]
coordinates = ["phix", "phiy", "Z"]            # principal: one equation each
redundant   = []
excitations = ["z1", "z2", "z3", "z4"]
forces      = { phix = "Mx", phiy = "My", Z = "Pz" }
T   = ["m*DZ^2/2", "Jx*Dphix^2/2"]
Pi  = "k/2*(delta1^2 + delta2^2 + delta3^2 + delta4^2)"
Phi = "h/2*(Ddelta1^2 + Ddelta2^2 + Ddelta3^2 + Ddelta4^2)"
equilibrium = { }
[lagrange.auxiliary]
delta4 = "Z + l2*phix + l1*phiy - z4"
delta1 = "Z - l2*phix - l1*phiy - z1"
delta3 = "Z + l2*phix - l1*phiy - z3"
delta2 = "Z - l2*phix + l1*phiy - z2"
[parameters]
m  = 5000
k  = { value = 80000, unit = "N/m", tolerance = "5%", distribution = "normal", text = "wheel stiffness" }
l  = "1/3"
l2 = 0.85
h  = "1.92k"
w  = "2*l*sqrt(k/m)"
[analysis]
input = "z1"
output = ["Z"]
[simulation]
until = 10
inputs = { z1 = "0.1" }
)toml";

TEST(ReadToml, TheVehicle) {
  const Lagrangian model = lagrangian(vehicle);
  EXPECT_EQ(model.title, "Vehicle on an uneven road");
  ASSERT_EQ(model.variables.size(), 7U);
  EXPECT_EQ(model.variables[2].name, "Z");
  EXPECT_EQ(model.variables[2].force, "Pz");
  EXPECT_EQ(model.variables[2].role, Lagrangian::Role::principal);
  EXPECT_EQ(model.variables[3].role, Lagrangian::Role::excitation);
  EXPECT_EQ(model.T.size(), 2U);
  EXPECT_EQ(print(model.T[1].value), "Dphix^2*Jx/2");
  EXPECT_EQ(model.inputs, std::vector<std::string>{"z1"});
  EXPECT_EQ(model.outputs, std::vector<std::string>{"Z"});
  EXPECT_EQ(model.symbols.at("DZ").kind, SymbolKind::coordinate);
  EXPECT_EQ(model.symbols.at("Dz1").kind, SymbolKind::input);
  EXPECT_EQ(model.symbols.at("Ddelta1").kind, SymbolKind::signal);
  EXPECT_EQ(model.symbols.at("Jx").kind, SymbolKind::parameter);
}

TEST(ReadToml, KeepsTheOrderOfTheAuxiliaries) {
  const Lagrangian model = lagrangian(vehicle);
  std::string order;
  for (const auto& auxiliary : model.auxiliaries) order += auxiliary.name + " ";
  EXPECT_EQ(order, "delta4 delta1 delta3 delta2 ");
}

TEST(ReadToml, NumbersMeanExactlyWhatIsWritten) {
  const SymbolTable symbols = lagrangian(vehicle).symbols;
  EXPECT_EQ(value(symbols, "m"), "5000");
  EXPECT_EQ(value(symbols, "k"), "80000");
  EXPECT_EQ(value(symbols, "l"), "1/3");
  EXPECT_EQ(value(symbols, "l2"), "17/20");
  EXPECT_EQ(value(symbols, "h"), "1920");
  EXPECT_EQ(symbols.at("k").unit, "N/m");
  EXPECT_EQ(symbols.at("k").tolerance, (Tolerance{exact::Rational(1) / 20, true}));
  EXPECT_EQ(symbols.at("k").distribution, Distribution::normal);
  EXPECT_EQ(symbols.at("k").text, "wheel stiffness");
  const SymbolTable more = equations(
                               "[matrix]\nunknowns=['x']\nD=[['s']]\n[parameters]\na=0.2\nb=1e-9\nc=1_000.5\nd=0x1F\ne=-3\nf=0."
                               "12345678901234567890123\ng=+2.50\n")
                               .symbols;
  EXPECT_EQ(value(more, "a"), "1/5");
  EXPECT_EQ(value(more, "b"), "1/1000000000");
  EXPECT_EQ(value(more, "c"), "2001/2");
  EXPECT_EQ(value(more, "d"), "31");
  EXPECT_EQ(value(more, "e"), "-3");
  EXPECT_EQ(value(more, "f"), "0.12345678901234567890123");
  EXPECT_EQ(value(more, "g"), "5/2");
}

TEST(ReadToml, APlainNameThatBeginsWithDIsNoRate) {
  std::vector<Diagnostic> notes;
  const Lagrangian model = lagrangian("[lagrange]\ncoordinates=['x']\nT='Damp*Dx^2/2'\nPi='D*x^2'\nPhi='D1*Dx^2'\n", &notes);
  EXPECT_EQ(model.symbols.at("Damp").kind, SymbolKind::parameter);
  EXPECT_EQ(model.symbols.at("D").kind, SymbolKind::parameter);
  EXPECT_TRUE(notes.empty());
}

TEST(ReadToml, EquilibriumInItsForms) {
  const std::string head = "[lagrange]\ncoordinates=['x', 'th']\nT='Dx^2+Dth^2'\nPi='x^2+cos(th)'\n";
  EXPECT_FALSE(lagrangian(head).equilibrium);
  EXPECT_TRUE(lagrangian(head + "equilibrium='find'\n").equilibrium->find);
  const auto values = lagrangian(head + "equilibrium={x=0.5, th='pi/2'}\n").equilibrium;
  EXPECT_FALSE(values->find);
  EXPECT_EQ(print(values->values.at("x")), "1/2");
  EXPECT_EQ(print(values->values.at("th")), "pi/2");
  const auto below = lagrangian(head + "[equilibrium]\nfind = true\nth = 3\n").equilibrium;
  EXPECT_TRUE(below->find);
  EXPECT_EQ(below->values.size(), 1U);
  EXPECT_EQ(print(lagrangian(head + "static={x='m*g'}\n").static_forces.at("x")), "g*m");
}

TEST(ReadToml, AnAuxiliaryMayStateItsRate) {
  const Lagrangian model = lagrangian(
      "[lagrange]\ncoordinates=['x']\nexcitations=['w']\nT='Dx^2'\nPi='d^2'\nPhi='Dd^2'\nauxiliary={d='x-w', Dd='Dx-Dw'}\n");
  ASSERT_EQ(model.auxiliaries.size(), 1U);
  EXPECT_EQ(print(*model.auxiliaries[0].rate), "Dx - Dw");
  EXPECT_EQ(model.auxiliaries[0].rate_where.line, 7U);
}

TEST(ReadToml, Matrix) {
  const EquationSystem system = equations(R"toml(
    variable = "p"
    [matrix]
    unknowns = ["x1", "x2"]
    inputs = ["f"]
    D = [["m*p^2+k", "-k"], ["-k", "m*p^2+k"]]
    B = [[1], ["0"]]
    [analysis]
    output = "x2"
  )toml");
  EXPECT_EQ(system.op.symbol(), "p");
  ASSERT_EQ(system.equations.size(), 2U);
  EXPECT_EQ(print(system.equations[0].left.at(0), Notation::text, "p"), "m*p^2 + k");
  EXPECT_EQ(print(system.equations[1].left.at(0)), "-k");
  EXPECT_EQ(print(system.equations[0].right.at(0)), "1");
  EXPECT_TRUE(system.equations[1].right.empty());
  EXPECT_EQ(system.outputs, std::vector<std::string>{"x2"});
  EXPECT_EQ(system.equations[1].where.line, 6U);
}

TEST(ReadToml, GraphInItsForms) {
  const SignalFlowGraph g = graph(R"toml(
    [graph]
    nodes = ["z", { name = "R", attributes = { shape = "box" } }]
    branches = [ ["R", "e", "1"], ["e", "C", "K/s"], ["C", "e", -0.5], ["C", "y"], { from = "C", to = "f", nonlinear = "k3*u^3", color = "red" } ]
    output = "C"
  )toml");
  EXPECT_EQ(g.nodes()[0].name, "z");
  EXPECT_EQ(g.nodes()[1].attributes, (Attributes{{"shape", "box"}}));
  ASSERT_EQ(g.branches().size(), 5U);
  EXPECT_EQ(print(g.branches()[2].gain()), "-1/2");
  EXPECT_EQ(print(g.branches()[3].gain()), "1");
  EXPECT_FALSE(g.branches()[4].linear());
  EXPECT_EQ(g.branches()[4].attributes, (Attributes{{"color", "red"}}));
  EXPECT_EQ(g[g.outputs.at(0)].name, "C");
}

struct Wrong {
  const char* text;
  const char* errors;
};

class ReadTomlErrors : public testing::TestWithParam<Wrong> {};

TEST_P(ReadTomlErrors, HavePlaceAndReason) { EXPECT_EQ(errors(GetParam().text), GetParam().errors); }

INSTANTIATE_TEST_SUITE_P(
    Files, ReadTomlErrors,
    testing::Values(Wrong{"", "1:1 the file states no model\n"}, Wrong{"[nonsense]\nx = 1\n", "1:2 unknown table [nonsense]\n"},
                    Wrong{"titel = 'x'\n[graph]\nbranches = []\n", "1:1 unknown key 'titel'\n"},
                    Wrong{"[multibody]\nbodies = []\n", "1:1 the table [multibody] is without bodies and particles\n"},
                    Wrong{"graph = 3\n", "1:9 entry 'graph' must be a table, not a number\n"},
                    Wrong{"[graph]\nbranches=[]\n[transfer]\nD=[]\n", "3:2 a second model: there is a table [graph] already\n"},
                    Wrong{"[lagrange]\ncoordinates = [\"x\"]\nPi = \"k*x^2", "3:12 not TOML: the file ends inside a string\n"},
                    Wrong{"[graph]\n[=]\n",
                          "2:2 not TOML: in key: expected bare key starting character or string delimiter, saw '='\n"},
                    Wrong{"x = \n", "1:5 not TOML: in key-value pair: expected value, saw '\\n'\n"},
                    Wrong{"a\x01 = 1", "1:2 control character 0x01 in the text\n"}));

INSTANTIATE_TEST_SUITE_P(
    Expressions, ReadTomlErrors,
    testing::Values(Wrong{"[graph]\nbranches=[[\"a\",\"b\",\"K*(s+\"]]",
                          "2:26 the expression ends too early: a number, a name or '(' is missing\n"},
                    Wrong{"[graph]\nbranches=[['é','ü','x+$']]", "2:23 unexpected character '$'\n"},
                    Wrong{"[graph]\nbranches=[['a','b',\"\"\"\n  x +\n  y $\"\"\"]]", "4:5 unexpected character '$'\n"},
                    Wrong{"[graph]\nbranches=[['a','b',\"\"\"x + \\\n   $\"\"\"]]", "3:4 unexpected character '$'\n"},
                    Wrong{"[graph]\nbranches=[[\"a\",\"b\",\"\\u00e9 + $\"]]", "2:30 unexpected character '$'\n"},
                    Wrong{"[graph]\nbranches=[['a','b','']]", "2:21 the gain is empty\n"},
                    Wrong{"[graph]\nbranches=[['a','b',true],['a'],{from='a'},{from='a',to='b',gian='3'},5]",
                          "2:20 a gain must be an expression, not true or false\n2:26 a branch has two or three entries, not "
                          "1\n2:32 a branch without 'to'\n2:60 unknown key 'gian' of a branch\n"
                          "2:70 a branch must be a list or a table, not a number\n"}));

INSTANTIATE_TEST_SUITE_P(
    Lagrange, ReadTomlErrors,
    testing::Values(
        Wrong{"[lagrange]\ncoordinates = [\"x\",\"x\"]\nT = \"m*Dx^2/2\"\n", "2:21 name 'x' is listed twice\n"},
        Wrong{"[lagrange]\ncoordinates = []\nT = \"0\"\n", "2:15 the table [lagrange] is without coordinates\n"},
        Wrong{"[lagrange]\nT = \"0\"\n", "1:1 the table [lagrange] is without coordinates\n"},
        Wrong{"[lagrange]\ncoordinates = [\"x\"]\n", "1:1 the table [lagrange] is without energies\n"},
        Wrong{"[lagrange]\ncoordinates=['x','Dx']\nT='0'\n", "2:19 name 'Dx' has a meaning already\n"},
        Wrong{"[lagrange]\ncoordinates=['pi']\nT='0'\n",
              "2:15 name 'pi' is the number 3.14159… in every expression, and cannot be that of anything else\n"},
        Wrong{"[lagrange]\ncoordinates=['x']\nT='Dx^2'\n[parameters]\npi = 3\n",
              "5:1 name 'pi' is the number 3.14159… in every expression, and cannot be that of anything else\n"},
        Wrong{"[lagrange]\ncoordinates=['p']\nT='0'\n", "2:15 name 'p' is the variable of the operator polynomials\n"},
        Wrong{
            "[lagrange]\ncoordinates=['x']\nredundant=['y']\nforces={y='F', q='G', x='x'}\nT='0'\n",
            "4:9 a force along 'y', for which no equation is formed\n4:16 name 'q' in forces is no coordinate of the model\n4:26 "
            "name 'x' is listed twice\n"},
        Wrong{
            "[lagrange]\ncoordinates=['x']\nT=true\nPi=['x^2', "
            "'2*']\nstatic={y='1'}\nequilibrium='search'\n[analysis]\ninput='z'\n[parameters]\nx=1\n2x=1\nm={valu=1}\nq=inf\n",
            "3:3 T must be an expression, not true or false\n4:15 the expression ends too early: a number, a name or '(' is "
            "missing\n5:9 name 'y' in static is no coordinate of the model\n"
            "6:13 equilibrium = 'search' is not known\n8:8 the input 'z' is not known here\n10:1 name 'x' is a coordinate or its "
            "rate and cannot be a parameter\n"
            "11:1 word '2x' is no name of a parameter\n12:4 unknown key 'valu' in the parameter 'm'\n13:3 the parameter 'q' must "
            "be "
            "a number, not a value of another kind\n"},
        Wrong{"[lagrange]\ncoordinates=['x']\nT='Dx^2'\nequilibrium={x=0}\n[equilibrium]\nx=0\n",
              "5:1 the equilibrium is stated twice\n"},
        Wrong{"[lagrange]\ncoordinates=['x']\nT='Dx^2'\n[parameters]\na='b'\nb='a'\n",
              "5:1 the values of parameters refer to each other in a circle: 'a' → 'b' → 'a'\n"}));

INSTANTIATE_TEST_SUITE_P(
    Matrix, ReadTomlErrors,
    testing::Values(Wrong{"[matrix]\nunknowns=['x','y']\ninputs=['f']\nD=[['s','x'],['1']]\nB=[[1]]\n",
                          "4:14 row 2 of D has 1 entry for 2 unknowns\n5:3 B has 1 row for 2 unknowns\n"},
                    Wrong{"[matrix]\nunknowns=['x','x']\nD=3\n",
                          "2:16 name 'x' is listed twice\n3:3 D must be a list, not a number\n"},
                    Wrong{"[matrix]\nunknowns=['x']\ninputs=['f']\n",
                          "1:1 the table [matrix] is without D\n1:1 the table [matrix] has inputs but is without B\n"}));

TEST(ReadToml, WarnsOfNamesThatAreStatedNowhere) {
  std::vector<Diagnostic> notes;
  lagrangian(
      "[lagrange]\ncoordinates=['phix']\nT='inertia*Dphyx^2'\nPi='stifness*y^2 + k2*phix^2 + "
      "Dy'\n[parameters]\nstiffness=1\nk1=2\n",
      &notes);
  std::string hints;
  for (const Diagnostic& note : notes) hints += to_string(note.where) + " " + note.hint.text() + "\n";
  EXPECT_EQ(
      hints,
      "m.toml:3:12 did you mean 'Dphix'?\nm.toml:4:5 did you mean 'stiffness'?\nm.toml:4:32 list 'y' among them if it moves\n");
}

// What ends or blocks toml++ 3.3: a key of many parts; nesting it bounds itself.
TEST(ReadToml, BoundsWhatTheParserDoesNot) {
  std::string key = "a";
  for (int i = 0; i < 100'000; ++i) key += ".a";
  EXPECT_EQ(errors(key + " = 1"), "1:130 a key of more than 64 parts\n");
  EXPECT_EQ(errors("[" + key + "]"), "1:131 a key of more than 64 parts\n");
  EXPECT_EQ(errors("x = {" + key + " = 1}"), "1:135 a key of more than 64 parts\n");
  EXPECT_NE(errors("x = " + std::string(100'000, '[')).find("exceeded maximum nested value depth"), std::string::npos);
  EXPECT_NE(errors("x = \"" + std::string(17U << 20, 'x') + "\"").find("longer than"), std::string::npos);
  EXPECT_EQ(errors("x = \"" + key + "\"\n[graph]\nbranches=[]\n"), "1:1 unknown key 'x'\n");
}

TEST(ReadToml, SurvivesRandomDamage) {
  std::mt19937_64 random(7);
  const std::string bytes = "{}[]=;,.+-\"'\\#\n abk1_\xC3\xA9\x01";
  for (int i = 0; i < 2000; ++i)
    test::expect_survival(test::damaged(vehicle, bytes, 20, random), [](const std::string& text) { read_toml(text, "m.toml"); });
}

}  // namespace
}  // namespace sfg
