#include "sfg/write/derivation.hpp"

#include <algorithm>
#include <sstream>

#include "derive/lagrange_case.hpp"
#include "model/system_case.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {
namespace {

using test::data;
using test::equal;
using test::lagrangian;
using test::LagrangianText;
using Json = nlohmann::ordered_json;

std::string text(const Page& page, Notation notation = Notation::text) {
  std::ostringstream out;
  write_text(out, page, {.notation = notation, .width = 1000});
  return out.str();
}

template <class... Values>
Json json(const Values&... values) {
  std::ostringstream out;
  write_json(out, values...);
  return Json::parse(out.str());
}

LagrangianText oscillator() {
  return {.coordinates = {"x"},
          .excitations = {"u"},
          .forces = {{"x", "F"}},
          .T = {"m*Dx^2/2"},
          .Pi = {"k/2*(x-u)^2 - m*g*x"},
          .Phi = {"c/2*(Dx-Du)^2"},
          .parameters = {{"m", "2"}, {"k", "50"}, {"c", "0.3"}}};
}

TEST(WriteDerivation, JsonHasTheContract) {
  for (const Json& expected : {data("vehicle.json"), data("redundant.json")["open"]}) {
    const LagrangeEquations equations = lagrange_equations(lagrangian(expected["input"]));
    const Json got = json(equations);
    EXPECT_EQ(got["schema"], "sfg/derive/1");
    EXPECT_EQ(got["coordinates"], expected["input"]["coordinates"]);
    EXPECT_EQ(got["redundant"], expected["input"]["redundant"]);
    EXPECT_EQ(got["Mark"], expected["mark"]);
    const auto same = [&](const Json& a, const Json& b, int sign) {
      for (std::size_t k = 0; k < 3; ++k)
        EXPECT_TRUE(equal(parse_known(a[k].get<std::string>(), equations.symbols),
                          sign * parse_known(b[k].get<std::string>(), equations.symbols)));
    };
    for (const auto& [row, columns] : expected["d"].items())
      for (const auto& [column, d] : columns.items()) {
        const auto& excitations = expected["input"]["excitations"];
        const bool excitation = std::find(excitations.begin(), excitations.end(), column) != excitations.end();
        same(got[excitation ? "G" : "D"][row][column], d, excitation ? -1 : 1);
      }
    for (std::size_t i = 0; i < expected["den"].size(); ++i) same(got["Den"][i], expected["den"][i], 1);
    for (const auto& [row, force] : expected["input"]["forces"].items())
      EXPECT_EQ(got["G"][row][force.get<std::string>()], Json({"0", "0", "1"}));
    for (const auto& [coordinate, expression] : got["equations"].items())
      EXPECT_TRUE(equal(parse_known(expression.get<std::string>(), equations.symbols), equations.solved(coordinate)));
    EXPECT_EQ(got["M"].size(), equations.coordinates.size());
    EXPECT_TRUE(equal(parse_known(got["K"][0][0].get<std::string>(), equations.symbols), equations.stiffness()[0][0]));
  }
}

TEST(WriteDerivation, DencIsNullWithoutValues) {
  LagrangianText model = oscillator();
  EXPECT_EQ(json(lagrange_equations(lagrangian(model)))["Denc"], Json({{2.0, 0.3, 50.0}, {0.0, 0.0, 1.0}, {0.0, 0.3, 50.0}}));
  model.parameters.erase("c");
  EXPECT_TRUE(json(lagrange_equations(lagrangian(model)))["Denc"].is_null());
}

TEST(WriteDerivation, ConstantLoadsAndEquilibriumAreListed) {
  Lagrangian model = lagrangian(oscillator());
  const Json linear = json(lagrange_equations(model));
  EXPECT_EQ(linear["constant_loads"], Json({{"x", "g*m"}}));
  EXPECT_TRUE(linear["equilibrium"].is_null());
  EXPECT_EQ(linear["notes"].size(), 1u);
  model.symbols.find("g")->value = parse("9.81", model.symbols);
  model.equilibrium.emplace().find = true;
  const Json at_rest = json(lagrange_equations(model));
  EXPECT_EQ(at_rest["equilibrium"]["exact"]["x"], "0.3924");
  EXPECT_DOUBLE_EQ(at_rest["equilibrium"]["values"]["x"].get<double>(), 0.3924);
  EXPECT_EQ(at_rest["equilibrium"]["stable"], true);
  EXPECT_TRUE(at_rest["constant_loads"].empty());
}

TEST(WriteDerivation, TextOfAnOscillator) {
  EXPECT_EQ(text(page(lagrange_equations(lagrangian(oscillator())))), R"(operator     p = d/dt
coordinates  x
excitations  u
forces       F along x

Operator polynomials, D x = F + G N
  d[x, x]  = m*p^2 + c*p + k
  g[x, F]  = 1
  g[x, u]  = c*p + k

Solved for the coordinates (Eq. 11)
  x = (F + (c*p + k)*u)/(m*p^2 + c*p + k)

Mark, Den, Denc
  No  signal  group  kind  p^2  p  1  p^2  p    1
  1   x       1      den   m    c  k  2    0.3  50
  2   F       1      num   0    0  1  0    0    1
  3   u       1      num   0    c  k  0    0.3  50

Matrices of M x'' + C x' + K x
  M =  m
  C =  c
  K =  k

Constant loads
  along x  g*m

note: a constant load of g*m acts along 'x': it shifts the equilibrium and does not enter the equations of motion about it
)");
}

TEST(WriteDerivation, TableFormatHasFiveDigits) {
  const std::string table = text(page(lagrange_equations(lagrangian(data("vehicle.json")["input"])), TableFormat::table));
  EXPECT_NE(table.find("1.3997e+04"), std::string::npos);   // row 9 of the published table
  EXPECT_NE(table.find("-6.8000e+04"), std::string::npos);  // row 5
}

TEST(WriteDerivation, LatexHasTheEquationsAndMatrices) {
  std::ostringstream out;
  write_latex(out, page(lagrange_equations(lagrangian(data("vehicle.json")["input"]))));
  const std::string latex = out.str();
  for (const char* part : {"\\begin{align*}", "d_{Z, Z} &= ", "\\mathbf{M} &= \\begin{pmatrix}", "\\begin{tabular}"})
    EXPECT_NE(latex.find(part), std::string::npos) << part;
  std::string rest = latex;
  for (const std::string starred : {"section*", "align*"})
    for (std::size_t at = rest.find(starred); at != std::string::npos; at = rest.find(starred)) rest.erase(at, starred.size());
  EXPECT_EQ(rest.find('*'), std::string::npos) << "program text in LaTeX: " << rest;
  EXPECT_EQ(std::count(latex.begin(), latex.end(), '{'), std::count(latex.begin(), latex.end(), '}'));
}

TEST(WriteDerivation, UnicodeKeepsTheBracketsOfSums) {
  const std::string words = text(page(lagrange_equations(lagrangian(data("quarter_car.json")["input"]))), Notation::unicode);
  EXPECT_NE(words.find("z_u = (F_u + (c_s·p + k_s)·z_s + (c_t·p + k_t)·z_r)/(μ·p² + (c_s + c_t)·p + k_s + k_t)"), std::string::npos) << words;
  const EquationSystem negative = test::system_of({{"x"}, {{{"x", "p"}}}, {{"u", {"-a*p-b"}}, {"w", {"a*p-b"}}}});
  EXPECT_NE(text(page(negative, assignment(negative)), Notation::unicode).find("x = (−(a·p + b)·u + (a·p − b)·w)/p"),
            std::string::npos)
      << text(page(negative, assignment(negative)), Notation::unicode);
}

TEST(WriteDerivation, SystemsGivenDirectly) {
  const auto cases = data("pivot_cases.json")["cases"];
  const EquationSystem lever = test::pivot_system(cases[1]);
  const Json got = json(lever, assignment(lever));
  EXPECT_EQ(got["coordinates"], cases[1]["unknowns"]);
  EXPECT_EQ(got["D"]["eq3"]["x1"], Json({"0", "c1", "k1"}));
  EXPECT_EQ(got["G"]["eq1"]["F"], Json({"0", "0", "1"}));
  EXPECT_EQ(got["solved_from"]["l1"], "eq3");
  EXPECT_EQ(got["M"][0][0], "m");
  const std::string words = text(page(lever, assignment(lever)));
  EXPECT_NE(words.find("l1 = -(c1*p + k1)*x1"), std::string::npos) << words;
  EXPECT_NE(words.find("note: the equation 'eq3' is solved for 'l1'"), std::string::npos) << words;
}

TEST(WriteDerivation, HigherDegreesAndOtherEntries) {
  const EquationSystem system = test::system_of({{"x", "y"}, {{{"x", "p^3+a"}, {"y", "1/(1+p)"}}, {{"y", "1"}}}});
  const Json got = json(system, assignment(system));
  EXPECT_EQ(got["D"]["eq1"]["x"], Json({"1", "0", "0", "a"}));
  EXPECT_EQ(got["D"]["eq1"]["y"], "1/(p + 1)");
  EXPECT_FALSE(got.contains("M"));
}

TEST(WriteDerivation, EquationsThatAreDependentAreStillWritten) {
  const LagrangeEquations equations =
      lagrange_equations(lagrangian(LagrangianText{.coordinates = {"x", "y"}, .T = {"m*Dx^2/2"}, .Pi = {"0"}, .Phi = {"0"}}));
  const Json got = json(equations);
  EXPECT_TRUE(got["equations"].empty());
  EXPECT_EQ(got["warnings"].size(), 2u) << "y has no mass either";
  EXPECT_NE(text(page(equations)).find("warning: the equation 'y' contains no unknown"), std::string::npos);
}

}  // namespace
}  // namespace sfg
