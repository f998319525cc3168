#include "sfg/derive/lagrange.hpp"

#include <random>

#include "derive/lagrange_case.hpp"
#include "sfg/read/toml.hpp"

namespace sfg {
namespace {

using GiNaC::ex;
using namespace test;

void expect_polynomial(const OperatorPolynomial& got, const nlohmann::ordered_json& wanted, const SymbolTable& symbols,
                       const std::string& what) {
  EXPECT_TRUE(equal(got.a, wanted[0].get<std::string>(), symbols)) << what;
  EXPECT_TRUE(equal(got.b, wanted[1].get<std::string>(), symbols)) << what;
  EXPECT_TRUE(equal(got.c, wanted[2].get<std::string>(), symbols)) << what;
}

/// Everything that a data file says of its model.
void expect_case(const nlohmann::ordered_json& expected) {
  const LagrangeEquations equations = lagrange_equations(lagrangian(expected["input"]));
  std::size_t entries = 0, wanted = 0;
  for (const auto& [row, columns] : expected["d"].items())
    for (const auto& [column, polynomial] : columns.items()) {
      expect_polynomial(equations.left(row, column), polynomial, equations.symbols, "d[" + row + "][" + column + "]");
      ++wanted;
    }
  for (const auto& [row, columns] : equations.d) entries += columns.size();
  EXPECT_EQ(entries, wanted) << "entries that should be 0";
  const auto& mark = expected["mark"];
  ASSERT_EQ(equations.mark.size(), mark.size());
  const auto denc = equations.denc();
  for (std::size_t i = 0; i < mark.size(); ++i) {
    const MarkRow& row = equations.mark[i];
    EXPECT_EQ(nlohmann::ordered_json({row.number, row.name, row.group, row.denominator ? "den" : "num"}), mark[i]);
    expect_polynomial(row.den, expected["den"][i], equations.symbols, "Den row " + std::to_string(i + 1));
    for (std::size_t k = 0; k < 3; ++k) EXPECT_DOUBLE_EQ(denc[i][k], expected["denc"][i][k].get<double>());
  }
}

TEST(Lagrange, VehicleEqualsThePublishedTable) { expect_case(data("vehicle.json")); }
TEST(Lagrange, QuarterCar) { expect_case(data("quarter_car.json")); }
TEST(Lagrange, PartWithRedundantCoordinates) { expect_case(data("redundant.json")["open"]); }
TEST(Lagrange, TheSameWithAllCoordinates) { expect_case(data("redundant.json")["closed"]); }

TEST(Lagrange, VehicleHasTwentyFourLines) {
  EXPECT_EQ(lagrange_equations(lagrangian(data("vehicle.json")["input"])).mark.size(), 24u);
}

TEST(Lagrange, ReactionRowsOfRedundantCoordinates) {
  const auto file = data("redundant.json");
  const LagrangeEquations open = lagrange_equations(lagrangian(file["open"]["input"]));
  for (const auto& [row, columns] : file["interface_reaction"].items())
    for (const auto& [column, polynomial] : columns.items())
      expect_polynomial(open.left(row, column), polynomial, open.symbols, row + " " + column);
}

TEST(Lagrange, OpenPartAndRejectedPartMakeTheWhole) {
  // d of the closed system = d and reactions of the open part + d of the rest (Eq. 6 is additive in the energies).
  const auto file = data("redundant.json");
  const LagrangeEquations open = lagrange_equations(lagrangian(file["open"]["input"]));
  const LagrangeEquations closed = lagrange_equations(lagrangian(file["closed"]["input"]));
  const LagrangeEquations rest = lagrange_equations(lagrangian(LagrangianText{.coordinates = {"y1", "y2"},
                                                                              .T = {"m1/2*Dy1^2", "m2/2*Dy2^2"},
                                                                              .Pi = {"k4/2*y1^2 + k5/2*y2^2"},
                                                                              .Phi = {"c4/2*Dy1^2 + c5/2*Dy2^2"}}));
  for (const std::string& row : closed.coordinates) {
    for (const std::string& column : closed.coordinates) {
      const ex p = closed.symbols.at("p").expr;
      GiNaC::exmap names;
      for (const auto* table : {&open.symbols, &rest.symbols})
        for (const Symbol& symbol : table->all())
          if (const Symbol* same = closed.symbols.find(symbol.name)) names[symbol.expr] = same->expr;
      const ex parts = open.left(row, column).in(p) + rest.left(row, column).in(p);
      EXPECT_TRUE(equal(closed.left(row, column).in(p), parts.subs(names))) << row << ' ' << column;
    }
  }
}

TEST(Lagrange, SolvedFormSatisfiesTheEquations) {
  const LagrangeEquations equations = lagrange_equations(lagrangian(data("vehicle.json")["input"]));
  const ex p = equations.symbols.at("p").expr;
  for (const std::string& i : equations.coordinates) {
    ex balance = -equations.symbols.at(equations.forces.at(i)).expr;
    for (const auto* names : {&equations.coordinates, &equations.excitations})
      for (const std::string& s : *names) balance += equations.left(i, s).in(p)*equations.symbols.at(s).expr;
    EXPECT_TRUE(equal(balance.subs(equations.symbols.at(i).expr == equations.solved(i)), 0)) << i;
  }
}

TEST(Lagrange, ExcitationInsideOrOutsideOfTheAuxiliaryIsTheSame) {
  const LagrangianText outside{.coordinates = {"x"},
                               .excitations = {"u"},
                               .auxiliaries = {{"delta", "x"}},
                               .T = {"m*Dx^2/2"},
                               .Pi = {"k/2*(delta - u)^2"},
                               .Phi = {"c/2*(Ddelta - Du)^2"}};
  LagrangianText inside = outside;
  inside.auxiliaries = {{"delta", "x - u"}};
  inside.Pi = {"k/2*delta^2"};
  inside.Phi = {"c/2*Ddelta^2"};
  for (const LagrangianText& text : {outside, inside}) {
    const LagrangeEquations equations = lagrange_equations(lagrangian(text));
    EXPECT_TRUE(equal(equations.right("x", "u").c, "k", equations.symbols));
    EXPECT_TRUE(equal(equations.right("x", "u").b, "c", equations.symbols));
  }
}

TEST(Lagrange, AuxiliariesInAnyOrderAndOfOthers) {
  const LagrangeEquations equations = lagrange_equations(lagrangian(LagrangianText{.coordinates = {"x", "y"},
                                                                                   .auxiliaries = {{"b", "2*a"}, {"a", "x - y"}},
                                                                                   .T = {"m*Dx^2"},
                                                                                   .Pi = {"k*b^2"},
                                                                                   .Phi = {"c*Db^2"}}));
  EXPECT_TRUE(equal(equations.left("x", "y").c, "-8*k", equations.symbols));
  EXPECT_TRUE(equal(equations.left("x", "y").b, "-8*c", equations.symbols));
}

TEST(Lagrange, AuxiliariesInACircleAreRefused) {
  const std::string message = error_of([] {
    lagrange_equations(lagrangian(LagrangianText{
        .coordinates = {"x"}, .auxiliaries = {{"a", "x + b"}, {"b", "2*a"}}, .T = {"m*Dx^2"}, .Pi = {"k*a^2"}, .Phi = {"0"}}));
  });
  EXPECT_NE(message.find("a → b → a"), std::string::npos) << message;
}

TEST(Lagrange, StatedRatesMustFollow) {
  Lagrangian model = lagrangian(LagrangianText{
      .coordinates = {"x", "y"}, .auxiliaries = {{"a", "x - y"}}, .T = {"m*Dx^2"}, .Pi = {"k*a^2"}, .Phi = {"c*Da^2"}});
  model.auxiliaries[0].rate = parse("Dx - Dy", model.symbols);
  model.auxiliaries[0].rate_where = test::place(9);
  EXPECT_NO_THROW(lagrange_equations(model));
  model.auxiliaries[0].rate = parse("Dx + Dy", model.symbols);
  const std::string message = error_of([&] { lagrange_equations(model); });
  EXPECT_NE(message.find("model.toml:9:1"), std::string::npos) << message;
  EXPECT_NE(message.find("line 4"), std::string::npos) << message;
}

struct Refusal {
  const char* name;
  LagrangianText model;
  const char* message;
};

class Refused : public ::testing::TestWithParam<Refusal> {};

TEST_P(Refused, WithPlaceAndReason) {
  const std::string message = error_of([] { lagrange_equations(lagrangian(GetParam().model)); });
  EXPECT_NE(message.find(GetParam().message), std::string::npos) << message;
  EXPECT_NE(message.find("model.toml:"), std::string::npos) << message;
}

const Refusal refusals[] = {
    {"DegreeThree",
     {.coordinates = {"x", "y"}, .T = {"m*Dx^2*(a*Dy - b*Dx)"}, .Pi = {"0"}, .Phi = {"0"}},
     "T has a term of degree 3"},
    {"CubicSpring", {.coordinates = {"x"}, .T = {"m*Dx^2"}, .Pi = {"k3*x^4/4"}, .Phi = {"0"}}, "Pi has a term of degree 4"},
    {"Cosine", {.coordinates = {"x"}, .T = {"m*Dx^2"}, .Pi = {"m*g*cos(x)"}, .Phi = {"0"}}, "cos(x)"},
    {"Quotient", {.coordinates = {"x"}, .T = {"m*Dx^2"}, .Pi = {"k/(1+x)"}, .Phi = {"0"}}, "Pi is not a quadratic form"},
    {"HugePower",
     {.coordinates = {"x", "y"}, .T = {"m*Dx^2"}, .Pi = {"(x+y+a)^900*(x+2*y)^90"}, .Phi = {"0"}},
     "Pi has a term of degree"},
    {"RateInPi", {.coordinates = {"x"}, .T = {"m*Dx^2"}, .Pi = {"k*x*Dx"}, .Phi = {"0"}}, "Pi contains the rate 'Dx'"},
    {"CoordinateInPhi",
     {.coordinates = {"x"}, .T = {"m*Dx^2"}, .Pi = {"k*x^2"}, .Phi = {"c*x*Dx"}},
     "Phi contains the coordinate 'x'"},
    {"NonlinearAuxiliary",
     {.coordinates = {"x"}, .auxiliaries = {{"a", "x^2"}}, .T = {"m*Dx^2"}, .Pi = {"k*a"}, .Phi = {"0"}},
     "'a' is not linear"},
    {"VariableAlpha",
     {.coordinates = {"x", "y"}, .auxiliaries = {{"a", "x*y"}}, .T = {"m*Dx^2"}, .Pi = {"k*a"}, .Phi = {"0"}},
     "contains x*y"},
    {"TwoCoordinates",
     {.coordinates = {"x", "x"}, .T = {"m*Dx^2"}, .Pi = {"0"}, .Phi = {"0"}},
     "'x' is named twice as a coordinate"},
    {"NoCoordinate", {.coordinates = {}, .T = {"0"}, .Pi = {"0"}, .Phi = {"0"}}, "no coordinate"},
    {"RateAsCoordinate", {.coordinates = {"x", "Dx"}, .T = {"m*Dx^2"}, .Pi = {"0"}, .Phi = {"0"}}, "the rate of 'x'"},
    {"ForceAlongRedundant",
     {.coordinates = {"x"}, .redundant = {"y"}, .forces = {{"y", "F"}}, .T = {"m*Dx^2"}, .Pi = {"k*(x-y)^2"}, .Phi = {"0"}},
     "has no equation"},
    {"ForceInEnergy",
     {.coordinates = {"x"}, .forces = {{"x", "F"}}, .T = {"m*Dx^2"}, .Pi = {"k*x^2-F*x"}, .Phi = {"0"}},
     "the force 'F' occurs in Pi"},
    {"ForceNamedAsCoordinate",
     {.coordinates = {"x"}, .forces = {{"x", "x"}}, .T = {"m*Dx^2"}, .Pi = {"k*x^2"}, .Phi = {"0"}},
     "has the name of a coordinate"},
    {"SecondDerivative",
     {.coordinates = {"x"}, .T = {"m*Dx^2+DDx*x"}, .Pi = {"k*x^2"}, .Phi = {"0"}},
     "'DDx', a second derivative"},
    {"RateOfRate",
     {.coordinates = {"x"}, .auxiliaries = {{"v", "Dx"}}, .T = {"m*Dv^2"}, .Pi = {"k*x^2"}, .Phi = {"0"}},
     "second derivative"},
    {"CoordinateWithValue",
     {.coordinates = {"x"}, .T = {"m*Dx^2"}, .Pi = {"k*x^2"}, .Phi = {"0"}, .parameters = {{"x", "3"}}},
     "cannot have a fixed value"},
    {"Operator", {.coordinates = {"x"}, .T = {"m*Dx^2"}, .Pi = {"p*x^2"}, .Phi = {"0"}}, "Pi contains the operator 'p'"},
    {"OperatorAsCoordinate", {.coordinates = {"p"}, .T = {"m*Dp^2"}, .Pi = {"0"}, .Phi = {"0"}}, "the operator d/dt as well"},
};

INSTANTIATE_TEST_SUITE_P(Lagrange, Refused, ::testing::ValuesIn(refusals),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(Lagrange, AllProblemsAreReportedAtOnce) {
  const std::string message = error_of([] {
    lagrange_equations(
        lagrangian(LagrangianText{.coordinates = {"x"}, .T = {"m*Dx^3"}, .Pi = {"k*x^5", "x*Dx"}, .Phi = {"c*x^2"}}));
  });
  for (const char* part : {"degree 3", "degree 5", "Pi contains the rate", "Phi contains the coordinate"})
    EXPECT_NE(message.find(part), std::string::npos) << message;
}

TEST(Lagrange, TermsThatCancelAreNoDegree) {
  const LagrangeEquations equations = lagrange_equations(
      lagrangian(LagrangianText{.coordinates = {"x"}, .T = {"m*Dx^2"}, .Pi = {"k*((x+1)^3 - x^3)"}, .Phi = {"0"}}));
  EXPECT_TRUE(equal(equations.left("x", "x").c, "6*k", equations.symbols));
}

TEST(Lagrange, ExplicitTimeIsRefusedOnlyWhereItStays) {
  const auto model = [](const char* Pi) {
    Lagrangian result = lagrangian(LagrangianText{.coordinates = {"x"}, .T = {"m*Dx^2"}, .Pi = {Pi}, .Phi = {"0"}});
    result.symbols.symbol("t");
    result.symbols.find("t")->kind = SymbolKind::time;
    return result;
  };
  EXPECT_NO_THROW(lagrange_equations(model("k*x^2")));
  EXPECT_NO_THROW(lagrange_equations(model("k*x^2 + sin(t)")));
  for (const char* Pi : {"k*(1+eps*cos(t))*x^2", "k*x^2 - A*sin(t)*x"}) {
    const std::string message = error_of([&] { lagrange_equations(model(Pi)); });
    EXPECT_NE(message.find("not stationary"), std::string::npos) << message;
  }
}

TEST(Lagrange, NamesThatLookLikeRatesStayParameters) {
  const LagrangeEquations equations = lagrange_equations(lagrangian(LagrangianText{.coordinates = {"x"},
                                                                                   .T = {"D*Dx^2/2"},
                                                                                   .Pi = {"Dk*x^2/2"},
                                                                                   .Phi = {"Damp*Dx^2/2"},
                                                                                   .parameters = {{"D", "2"}, {"Dk", "5"}}}));
  EXPECT_TRUE(equal(equations.left("x", "x").a, "D", equations.symbols));
  EXPECT_TRUE(equal(equations.left("x", "x").b, "Damp", equations.symbols));
  EXPECT_TRUE(equal(equations.left("x", "x").c, "Dk", equations.symbols));
}

TEST(Lagrange, LinearTermsBecomeConstantLoads) {
  const LagrangeEquations equations = lagrange_equations(lagrangian(LagrangianText{.coordinates = {"x", "y"},
                                                                                   .T = {"m*Dx^2/2 + m*Om^2*(y + r)^2/2"},
                                                                                   .Pi = {"k/2*(x - l0)^2 - m*g*x"},
                                                                                   .Phi = {"0"},
                                                                                   .static_forces = {{"x", "F0"}}}));
  EXPECT_TRUE(equal(equations.left("x", "x").c, "k", equations.symbols));
  EXPECT_TRUE(equal(equations.constant_loads.at("x"), "k*l0 + m*g + F0", equations.symbols));
  EXPECT_TRUE(equal(equations.constant_loads.at("y"), "m*Om^2*r", equations.symbols));
}

TEST(Lagrange, GyroscopicTermsOfAKineticEnergyWithCoordinates) {
  const auto pivot = data("pivot_cases.json")["cases"][2];
  ASSERT_EQ(pivot["name"], "dual_oscillator");
  const LagrangeEquations equations = lagrange_equations(lagrangian(LagrangianText{.coordinates = {"x", "y"},
                                                                                   .forces = {{"x", "Fx"}, {"y", "Fy"}},
                                                                                   .T = {pivot["T"]},
                                                                                   .Pi = {pivot["Pi"]},
                                                                                   .Phi = {pivot["Phi"]}}));
  const ex p = equations.symbols.at("p").expr;
  EXPECT_TRUE(equal(equations.left("x", "y").in(p), pivot["equations"][0]["y"], equations.symbols));
  EXPECT_TRUE(equal(equations.left("y", "x").in(p), pivot["equations"][1]["x"], equations.symbols));
  EXPECT_TRUE(equations.left("x", "x").is_zero());
  EXPECT_EQ(equations.equation_of.at("x"), "y");
  EXPECT_TRUE(equal(equations.solved("x"), "Fy/(m*p^2 + c*p + k)", equations.symbols));
}

TEST(Lagrange, ParametersWithoutAValueAreNamed) {
  const LagrangeEquations equations = lagrange_equations(lagrangian(LagrangianText{
      .coordinates = {"x"}, .T = {"m*Dx^2/2"}, .Pi = {"k*x^2/2"}, .Phi = {"c*Dx^2/2"}, .parameters = {{"m", "2"}}}));
  const std::string message = error_of([&] { equations.denc(); });
  EXPECT_NE(message.find("'k' has no value"), std::string::npos) << message;
  EXPECT_NE(message.find("'c' has no value"), std::string::npos) << message;
  EXPECT_EQ(message.find("'m'"), std::string::npos) << message;
}

TEST(Lagrange, CoordinateWithoutAnyEnergyIsReported) {
  const LagrangeEquations equations =
      lagrange_equations(lagrangian(LagrangianText{.coordinates = {"x", "y"}, .T = {"m*Dx^2/2"}, .Pi = {"0"}, .Phi = {"0"}}));
  ASSERT_FALSE(equations.notes.empty());
  EXPECT_NE(equations.notes.back().message.find("'y' contains no unknown"), std::string::npos) << equations.notes.back().message;
  EXPECT_TRUE(equations.equation_of.empty());
}

/// T = ½ v'Mv + v'Sx + ½ x'Ax, Pi = ½ x'Kx, Phi = ½ v'Cv with random whole matrices, as one expression each; the
/// coefficients are then M, C + S − S', K − A.
TEST(Lagrange, RandomQuadraticFormsAgainstTheirMatrices) {
  std::mt19937 random(7);
  const auto entry = [&] { return static_cast<long>(random() % 19) - 9; };
  for (int round = 0; round < 20; ++round) {
    const std::size_t n = 1 + random() % 6;
    using Matrix = std::vector<std::vector<long>>;
    const auto symmetric = [&] {
      Matrix m(n, std::vector<long>(n));
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j <= i; ++j) m[i][j] = m[j][i] = entry();
      return m;
    };
    const Matrix M = symmetric(), A = symmetric(), K = symmetric(), C = symmetric();
    Matrix S(n, std::vector<long>(n));
    for (auto& row : S)
      for (long& value : row) value = entry();
    LagrangianText text;
    std::string T = "0", Pi = "0", Phi = "0";
    for (std::size_t i = 0; i < n; ++i) {
      text.coordinates.push_back("x" + std::to_string(i));
      for (std::size_t j = 0; j < n; ++j) {
        const std::string xi = "x" + std::to_string(i), xj = "x" + std::to_string(j);
        T += "+(" + std::to_string(M[i][j]) + "/2)*D" + xi + "*D" + xj + "+(" + std::to_string(S[i][j]) + ")*D" + xi + "*" + xj +
             "+(" + std::to_string(A[i][j]) + "/2)*" + xi + "*" + xj;
        Pi += "+(" + std::to_string(K[i][j]) + "/2)*" + xi + "*" + xj;
        Phi += "+(" + std::to_string(C[i][j]) + "/2)*D" + xi + "*D" + xj;
      }
    }
    text.T = {T};
    text.Pi = {Pi};
    text.Phi = {Phi};
    const LagrangeEquations equations = lagrange_equations(lagrangian(text));
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        EXPECT_EQ(equations.mass()[i][j], M[i][j]);
        EXPECT_EQ(equations.damping()[i][j], C[i][j] + S[i][j] - S[j][i]);
        EXPECT_EQ(equations.stiffness()[i][j], K[i][j] - A[i][j]);
      }
    }
  }
}

TEST(Lagrange, ChainOfTwoHundredMasses) {
  LagrangianText text;
  std::string T = "0", Pi = "0", Phi = "0";
  for (int i = 1; i <= 200; ++i) {
    const std::string x = "x" + std::to_string(i), before = i == 1 ? "0" : "x" + std::to_string(i - 1);
    const std::string rate_before = i == 1 ? "0" : "Dx" + std::to_string(i - 1);
    text.coordinates.push_back(x);
    T += "+m*D" + x + "^2";
    Pi += "+k*(" + x + "-" + before + ")^2";
    Phi += "+c*(D" + x + "-" + rate_before + ")^2";
  }
  text.T = {"(" + T + ")/2"};
  text.Pi = {"(" + Pi + ")/2"};
  text.Phi = {"(" + Phi + ")/2"};
  const LagrangeEquations equations = lagrange_equations(lagrangian(text));
  EXPECT_TRUE(equal(equations.left("x7", "x8").c, "-k", equations.symbols));
  EXPECT_TRUE(equal(equations.left("x7", "x7").b, "2*c", equations.symbols));
  EXPECT_TRUE(equal(equations.left("x200", "x200").c, "k", equations.symbols));
  EXPECT_EQ(equations.d.at("x7").size(), 3u);
}

std::string toml_of_rate(const std::string& rate, const std::string& energies, const std::string& more = "") {
  return "[lagrange]\ncoordinates = [\"x\", \"phi2\"]\nexcitations = [\"z\"]\nforces = { x = \"F\" }\n"
         "T = \"m*Dx^2/2 + J*Dphi2^2/2\"\nPi = \"k*(x - z)^2/2 + k*(phi2 - delta)^2/2\"\n" +
         energies + " = \"h*" + rate + "^2/2\"\n[lagrange.auxiliary]\ndelta = \"2*x - z\"\n" + more;
}

/// Whatever moves, however its rate is spelt, in whatever energy.
TEST(Lagrange, RatesSpeltInOtherWaysAreRefused) {
  for (const std::string name : {"x", "phi2", "z", "delta"})
    for (const std::string& rate : {name + "dot", name + "_dot", name + "d", name + "_d", "d" + name, "d_" + name, "v" + name,
                                    "v_" + name, "dot" + name, "dot_" + name, "D_" + name}) {
      const std::string text = toml_of_rate(rate, "Phi");
      try {
        lagrange_equations(std::get<Lagrangian>(std::get<Model>(read_toml(text, "m.toml"))));
        ADD_FAILURE() << rate << " is accepted";
      } catch (const Error& error) {
        EXPECT_EQ(error.diagnostics().size(), 1U);
        EXPECT_EQ(to_string(error.diagnostics()[0].where), "m.toml:7:10");
        EXPECT_NE(error.diagnostics()[0].hint.text().find("write D" + name + " "), std::string::npos) << error.what();
      }
    }
}

TEST(Lagrange, AStatedParameterMayBeCalledLikeARate) {
  const std::string text =
      "[lagrange]\ncoordinates = [\"x\"]\nforces = { x = \"F\" }\nT = \"m*Dx^2/2\"\nPi = \"k*(x - dx)^2/2\"\n"
      "[parameters]\ndx = \"0.1\"\n";
  EXPECT_NO_THROW(lagrange_equations(std::get<Lagrangian>(std::get<Model>(read_toml(text, "m.toml")))));
}

TEST(Lagrange, CoordinatesWithoutMassAreSaid) {
  const auto notes = [](const std::string& T) {
    const std::string text =
        "[lagrange]\ncoordinates = [\"x\", \"y\"]\nT = \"" + T + "\"\nPi = \"k*(x - y)^2/2\"\nPhi = \"h*Dy^2/2\"\n";
    std::string list;
    for (const Diagnostic& note : lagrange_equations(std::get<Lagrangian>(std::get<Model>(read_toml(text, "m.toml")))).notes)
      if (note.severity != Severity::note)
        list += (note.severity == Severity::warning ? "warning " : "remark ") + note.message + "\n";
    return list;
  };
  EXPECT_EQ(notes("m*Dx^2/2"), "remark coordinate 'y' has no mass: T does not contain Dy\n");
  EXPECT_EQ(notes("m*Dx^2/2 + m*y^2/2"), "warning coordinate 'y' stands in T, but not its rate: no mass moves with it\n");
  EXPECT_EQ(notes("m*(Dx^2 + Dy^2)/2"), "");
  EXPECT_EQ(notes("0"), "");
}

}  // namespace
}  // namespace sfg
