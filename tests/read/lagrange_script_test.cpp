#include "sfg/read/lagrange_script.hpp"

#include "derive/lagrange_case.hpp"
#include "sfg/derive/lagrange.hpp"

namespace sfg {
namespace {

using test::data;
using test::equal;
using test::error_of;
using test::text_of;

Lagrangian read(const std::string& text, std::vector<Diagnostic>* notes = nullptr) {
  return read_lagrange_script(text, "model.m", notes);
}

/// One mass on a spring, as lines to vary.
struct Script {
  std::string syms = "syms x u Dx Du m k c F p t\n";
  std::string K = "K=[x u\nDx Du\nF 0\n1 0]\n";
  std::string definitions = "";
  std::string T = "TM=m*Dx^2/2\n";
  std::string Pi = "PM=k/2*(x-u)^2\n";
  std::string Phi = "FM=c/2*(Dx-Du)^2\n";
  std::string values = "";
  std::string text() const { return syms + K + definitions + T + Pi + Phi + values; }
};

LagrangeEquations equations(const Script& script) { return lagrange_equations(read(script.text())); }

void expect_oscillator(const Script& script) {
  const LagrangeEquations got = equations(script);
  EXPECT_TRUE(equal(got.left("x", "x").a, "m", got.symbols)) << script.text();
  EXPECT_TRUE(equal(got.left("x", "x").b, "c", got.symbols)) << script.text();
  EXPECT_TRUE(equal(got.left("x", "x").c, "k", got.symbols)) << script.text();
  EXPECT_TRUE(equal(got.right("x", "u").b, "c", got.symbols)) << script.text();
  EXPECT_TRUE(equal(got.right("x", "u").c, "k", got.symbols)) << script.text();
}

TEST(LagrangeScript, CorrectedVehicleGivesThePublishedTable) {
  std::vector<Diagnostic> notes;
  const LagrangeEquations got = lagrange_equations(read_lagrange_script(text_of("vehicle_corrected.m"), "vehicle.m", &notes));
  EXPECT_TRUE(notes.empty());
  const auto expected = data("vehicle.json");
  ASSERT_EQ(got.mark.size(), expected["mark"].size());
  const auto denc = got.denc();
  for (std::size_t i = 0; i < got.mark.size(); ++i) {
    EXPECT_EQ(got.mark[i].name, expected["mark"][i][1]);
    EXPECT_EQ(got.mark[i].group, expected["mark"][i][2]);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_DOUBLE_EQ(denc[i][k], expected["denc"][i][k].get<double>());
  }
  EXPECT_EQ(got.symbols.at("Jx").unit, "kg*m^2");
  EXPECT_EQ(got.symbols.at("xs").value, GiNaC::ex(1) / 5);
}

TEST(LagrangeScript, PrintedVehicleIsRefusedAtTheMisprint) {
  const std::string message = error_of([] { lagrange_equations(read_lagrange_script(text_of("vehicle_seed.m"), "vehicle.m")); });
  EXPECT_EQ(message.rfind("vehicle.m:22:1: error: T has a term of degree 3", 0), 0u) << message;
  EXPECT_NE(message.find("DZ^2"), std::string::npos) << message;
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;  // and nothing else
}

TEST(LagrangeScript, Oscillator) { expect_oscillator({}); }

TEST(LagrangeScript, MatrixRowsEndWithLinesOrSemicolons) {
  for (const char* K : {"K=[x u; Dx Du; F 0; 1 0];\n", "K = [ x, u\n  Dx, Du;\n  F, 0\n  1, 0 ]\n",
                        "K=[x u % variables\nDx Du % rates\n\nF 0\n1 0]\n", "K=[x ...\n u\nDx Du\nF 0\n1 0]\n",
                        "K=[x u\r\nDx Du\r\nF 0\r\n1 0]\r\n"}) {
    Script script;
    script.K = K;
    expect_oscillator(script);
  }
}

TEST(LagrangeScript, EnergiesAsVectors) {
  for (const char* Pi :
       {"PM=[k*(x-u)^2]/2\n", "PM=k/2*[x-u].^2\n", "PM=k/2*[\nx-u\n0\n].^2;\n", "PM=[x-u].^2*k/2\n", "PM=[x-u].^2.*k./2\n",
        "PM=0.5.*k*[x - u].^2\n", "PM=k/4*[x-u; u-x].^2\n", "PM=k/8*[2*(x-u)].^2\n", "PM=[k*x.^2/2, -k*x*u, k*u^2/2]\n",
        "PM=[k*x^2/2 -k*x*u k*u^2/2]'\n", "PM=k/4*[x-u].^2+k/4*[x-u].^2\n", "PM=-k/2*[x-u].^2+k*[x-u].^2\n",
        "PM=k*[x-u].^2*5e-1\n", "PM=k*x^2/2 - k*x*u + k*u^2/2\n", "PM=2*k*[(x-u)/2].^2\n", "PM=k/(1+1)*[x-u].^(2)\n"}) {
    Script script;
    script.Pi = Pi;
    expect_oscillator(script);
  }
}

TEST(LagrangeScript, BlanksSeparateElementsAsInTheOriginalEnvironment) {
  Script script;
  script.Pi = "PM=k/2*[x -u].^2\n";  // two elements: x² + u²
  const LagrangeEquations got = equations(script);
  EXPECT_TRUE(got.left("x", "u").c.is_zero());
  EXPECT_TRUE(equal(got.left("x", "x").c, "k", got.symbols));
}

TEST(LagrangeScript, AuxiliariesWithAndWithoutTheirRates) {
  Script script;
  script.definitions = "delta=x-u;\n";
  script.Pi = "PM=k/2*[delta].^2\n";
  script.Phi = "FM=c/2*[Ddelta].^2\n";
  expect_oscillator(script);
  script.definitions = "delta=x-u;\nDdelta=Dx-Du;\n";
  expect_oscillator(script);
  script.definitions = "v=Dx-Du\n";
  script.Pi = "PM=k/2*(x-u)^2\n";
  script.Phi = "FM=c/2*v^2\n";
  expect_oscillator(script);
}

TEST(LagrangeScript, AWrongStatedRateNamesBothLines) {
  Script script;
  script.definitions = "delta=x-u;\nDdelta=Dx+Du;\n";
  script.Phi = "FM=c/2*Ddelta^2\n";
  const std::string message = error_of([&] { equations(script); });
  EXPECT_NE(message.find("model.m:7:1"), std::string::npos) << message;
  EXPECT_NE(message.find("line 6"), std::string::npos) << message;
}

TEST(LagrangeScript, ValuesAndUnits) {
  Script script;
  script.values = "Functions\nm=5.5e-1 %kg\nk=80000; c=m/3 % N*s/m\n";
  const Lagrangian model = read(script.text());
  EXPECT_EQ(model.symbols.at("m").value, GiNaC::ex(11) / 20);
  EXPECT_EQ(model.symbols.at("m").unit, "kg");
  EXPECT_EQ(model.symbols.at("k").unit, "");
  EXPECT_EQ(model.symbols.at("c").unit, "N*s/m");
  EXPECT_EQ(model.symbols.values().at(model.symbols.at("c").expr), GiNaC::ex(11) / 60);
}

TEST(LagrangeScript, RedundantCoordinatesByComment) {
  Script script;
  script.syms = "syms x y u Dx Dy Du m k c F\n";
  script.K = "%redundant y\nK=[u y x\nDu Dy Dx\n0 0 F\n0 0 1]\n";
  script.Pi = "PM=k/2*(x-y)^2+k/2*(x-u)^2\n";
  const Lagrangian model = read(script.text());
  EXPECT_EQ(model.variables[0].role, Lagrangian::Role::excitation);
  EXPECT_EQ(model.variables[1].role, Lagrangian::Role::redundant);
  const LagrangeEquations got = lagrange_equations(model);
  std::vector<std::string> names;
  for (const MarkRow& row : got.mark) names.push_back(row.name);
  EXPECT_EQ(names, (std::vector<std::string>{"x", "F", "y", "u"}));
  EXPECT_EQ(got.mark[0].group, 1u);
}

TEST(LagrangeScript, RatesMayHaveOtherNames) {
  Script script;
  script.syms = "syms x u vx vu m k c F\n";
  script.K = "K=[x u\nvx vu\nF 0\n1 0]\n";
  script.T = "TM=m*vx^2/2\n";
  script.Phi = "FM=c/2*(vx-vu)^2\n";
  expect_oscillator(script);
}

TEST(LagrangeScript, TimeAndOperatorAmongTheSymbols) {
  Script script;
  EXPECT_EQ(read(script.text()).op, "p");
  EXPECT_EQ(read(script.text()).symbols.at("t").kind, SymbolKind::time);
  script.values = "Functions\nt=0.01 % thickness\np=3\n";
  const Lagrangian model = read(script.text());
  EXPECT_EQ(model.symbols.at("t").kind, SymbolKind::parameter);
  EXPECT_EQ(model.op.symbol(), "s");
}

TEST(LagrangeScript, WarnsAndReads) {
  Script script;
  script.K = "K=[x u\nDx Du\nF 0\n7 0]\n";
  script.Phi = "";
  script.values = "Functions\nkk=3\n";
  std::vector<Diagnostic> notes;
  read(script.text(), &notes);
  std::string all;
  for (const Diagnostic& note : notes) all += to_string(note) + "\n";
  for (const char* part : {"model.m:5:1: warning: the flag 7", "FM is missing", "'kk' is not declared"})
    EXPECT_NE(all.find(part), std::string::npos) << all;
}

TEST(LagrangeScript, CommentsInBlocksAndStrayOnes) {
  Script script;
  script.syms = "%{\nsyms nothing [\n%}\nsyms x u Dx Du %\nsyms m k c F % parameters\n";
  expect_oscillator(script);
}

struct Refusal {
  const char* name;
  std::string text;
  const char* message;
};

class ScriptRefused : public ::testing::TestWithParam<Refusal> {};

TEST_P(ScriptRefused, WithPlaceAndReason) {
  const std::string message = error_of([] { lagrange_equations(read(GetParam().text)); });
  EXPECT_NE(message.find(GetParam().message), std::string::npos) << message;
}

std::string with(std::string Script::*part, const std::string& text) {
  Script script;
  script.*part = text;
  return script.text();
}

const Refusal refusals[] = {
    {"UnclosedMatrix", "syms x\nK=[x\n", "model.m:2:3: error: bracket '[' is not closed"},
    {"Nothing", "", "model.m:1:1: error: there is no control matrix K"},
    {"UndeclaredVariable", with(&Script::K, "K=[x w\nDx Du\nF 0\n1 0]\n"),
     "model.m:2:6: error: name 'w' is not declared by syms"},
    {"UndeclaredInEnergy", with(&Script::T, "TM=mm*Dx^2/2\n"), "model.m:6:4: error: name 'mm' is not declared by syms"},
    {"UndeclaredInElement", with(&Script::Pi, "PM=k/2*[x-u\n  x-w].^2\n"),
     "model.m:8:5: error: name 'w' is not declared by syms"},
    {"UsedBeforeDefined", with(&Script::definitions, "a=2*b;\nb=x;\n"),
     "model.m:6:5: error: name 'b' is used before it is defined"},
    {"RowLengths", with(&Script::K, "K=[x u\nDx\nF 0\n1 0]\n"), "model.m:3:1: error: row 2 of K has 1 element, row 1 has 2"},
    {"RowCount", with(&Script::K, "K=[x u\nDx Du\n1 0]\n"), "model.m:2:1: error: K has 3 rows, not 4"},
    {"ForceWithoutEquation", with(&Script::K, "K=[x u\nDx Du\n0 F\n1 0]\n"), "model.m:4:3: error: the force 'F' stands over 'u'"},
    {"RateInTheWrongColumn", with(&Script::K, "K=[x u\nDu Dx\nF 0\n1 0]\n"),
     "model.m:3:1: error: rate 'Du' stands in the column of 'x'"},
    {"Flag", with(&Script::K, "K=[x u\nDx Du\nF 0\n-1 0]\n"), "model.m:5:1: error: flag '-1' in row 4"},
    {"NoFlag", with(&Script::K, "K=[x u\nDx Du\n0 0\n0 0]\n"), "no coordinate"},
    {"VariableTwice", with(&Script::K, "K=[x x\nDx Dx\nF 0\n1 0]\n"), "model.m:2:6: error: name 'x' stands twice"},
    {"PowerOfAVector", with(&Script::Pi, "PM=k/2*[x-u]^2\n"), "write '.^' instead of '^'"},
    {"DivisionByAVector", with(&Script::Pi, "PM=k/[x-u]\n"), "division by a vector"},
    {"TwoVectors", with(&Script::Pi, "PM=k/2*[x-u].^2*[1]\n"), "two brackets in one product"},
    {"FractionalPower", with(&Script::Pi, "PM=k/2*[x-u].^2.5\n"), "not a positive integer"},
    {"DivisionByZero", with(&Script::Pi, "PM=k*[x-u].^2/0\n"), "division by zero"},
    {"EmptyVector", with(&Script::Pi, "PM=k*[ ]\n"), "the brackets are empty"},
    {"BrokenElement", with(&Script::Pi, "PM=k/2*[\nx-u\nx-*u\n].^2\n"), "model.m:9:3: error"},
    {"CloseWithoutOpen", with(&Script::Pi, "PM=k/2*x]\n"), "model.m:7:9: error: bracket ']' without its '['"},
    {"NoStatement", with(&Script::values, "plot(x)\n"), "model.m:9:1: error: line 'plot(x)' is no statement"},
    {"ValueOfAVariable", with(&Script::values, "Functions\nx=3\n"), "model.m:10:1: error: name 'x' is a variable of K"},
    {"ValueMissing", with(&Script::values, "Functions\nm=\n"), "model.m:10:1: error: name 'm' has nothing behind its '='"},
    {"ValueBroken", with(&Script::values, "Functions\nm=5 kg\n"), "model.m:10:5: error"},
    {"TwiceDefined", with(&Script::definitions, "a=x;\na=u;\n"), "model.m:7:1: error: name 'a' is defined twice"},
    {"TwiceTM", with(&Script::T, "TM=m*Dx^2\nTM=m*Dx^2\n"), "model.m:7:1: error: TM is given twice"},
    {"DefinedVariable", with(&Script::definitions, "x=2*u;\n"), "'x' is a variable of K"},
    {"Redundant", with(&Script::definitions, "%redundant x w\n"), "'x' is named redundant but an equation is formed"},
    {"UnclosedComment", with(&Script::values, "%{\nx\n"), "model.m:9:1: error: the comment"},
    {"Binary", std::string("syms x\n\x01", 8), "model.m:2:1: error: control character"},
};

INSTANTIATE_TEST_SUITE_P(LagrangeScript, ScriptRefused, ::testing::ValuesIn(refusals),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(LagrangeScript, AllProblemsOfAFileAtOnce) {
  Script script;
  script.T = "TM=mm*Dx^2/2\n";
  script.Pi = "PM=k/2*[x-u]^2\n";
  script.values = "nonsense\n";
  const std::string message = error_of([&] { read(script.text()); });
  for (const char* line : {"model.m:6:", "model.m:7:", "model.m:9:"}) EXPECT_NE(message.find(line), std::string::npos) << message;
}

TEST(LagrangeScript, AnyPrefixIsReadOrRefused) {
  const std::string whole = text_of("vehicle_corrected.m");
  for (std::size_t length = 0; length <= whole.size(); length += 3) {
    try {
      lagrange_equations(read(whole.substr(0, length)));
    } catch (const Error& error) {
      for (const Diagnostic& diagnostic : error.diagnostics()) EXPECT_NE(diagnostic.where.line, 0u) << error.what();
    }
  }
}

}  // namespace
}  // namespace sfg
