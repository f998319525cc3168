// Roots in gains: that an answer with any number of them is verified for any seed and equals the closed form by 30-digit
// arithmetic; that springs with random geometry have the stiffness of the numeric formula; that values at which a fraction
// is 0/0 are put into its lowest terms; that realizations that are minimal already come back as they are.
#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

#include "derive/lagrange_case.hpp"
#include "graphs/families.hpp"
#include "sfg/derive/lagrange.hpp"
#include "sfg/error.hpp"
#include "sfg/expr/random_point.hpp"
#include "sfg/graph/from_equations.hpp"
#include "sfg/model/settings.hpp"
#include "sfg/transfer/factored.hpp"
#include "sfg/transfer/state_space.hpp"
#include "sfg/transfer/transfer.hpp"
#include "sfg/transfer/verify.hpp"

namespace sfg {
namespace {

using GiNaC::ex;
using test::graph_of;
using test::lagrangian;
using test::LagrangianText;

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  std::size_t below(std::size_t n) { return engine_() % n; }
  template <class Array>
  std::string of(const Array& choices) {
    return choices[below(choices.size())];
  }
  std::string decimal(int low, int high) {  // hundredths
    const auto value = low + static_cast<int>(below(static_cast<std::size_t>(high - low)));
    return std::to_string(value) + "/100";
  }

 private:
  std::mt19937_64 engine_;
};

const std::array<std::string, 4> letters{"a", "b", "c", "k"};

/// Positive for positive letters.
std::string radicand(Random& random) {
  switch (random.below(6)) {
    case 0: return std::to_string(2 + random.below(40));
    case 1: return random.of(letters) + "/" + random.of(letters);
    case 2: return random.of(letters) + "*" + random.of(letters);
    case 3: return random.of(letters) + "^2 + " + random.of(letters) + "^2";
    case 4: return random.of(letters) + " + sqrt(" + random.of(letters) + " + " + std::to_string(1 + random.below(9)) + ")";
    default: return random.of(letters) + "*" + random.of(letters) + " + " + random.of(letters) + " + " + random.decimal(1, 900);
  }
}

std::string random_gain(Random& random) {
  std::string gain;
  for (std::size_t i = 0, n = 1 + random.below(6); i < n; ++i) {
    const std::string degree = random.below(5) == 0 ? "1/3" : "1/2";
    gain += (gain.empty() ? "" : random.below(2) == 0 ? " + " : "*") + ("(" + radicand(random) + ")^(" + degree + ")");
    if (random.below(3) == 0) gain += "/(" + radicand(random) + ")^(3/2)";
  }
  return gain;
}

/// At fixed positive values of all symbols.
GiNaC::numeric number(const ex& e, const SymbolTable& symbols) {
  GiNaC::exmap values;
  long k = 3;
  for (const Symbol& symbol : symbols.all()) values[symbol.expr] = GiNaC::numeric(k += 4, 7);
  return GiNaC::ex_to<GiNaC::numeric>(e.subs(values).evalf());
}

TEST(RootsAndValues, AnswersWithRootsAreVerifiedForAnySeed) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    for (int round = 0; round < 3; ++round) {
      Random random(100 * seed + static_cast<std::uint64_t>(round));
      const std::string g = random_gain(random), h = random_gain(random);
      const SignalFlowGraph graph = graph_of({{"r", "e", "1"}, {"e", "y", g + " + s"}, {"y", "e", "-(" + h + ")"}});
      const Question question{*graph.find("r"), *graph.find("y"), Question::Mode::source, {}};
      const TransferFunction found = transfer_function(graph, question, {.seed = seed});
      EXPECT_EQ(found.verification.points, 2u);
      SymbolTable symbols = graph.symbols;
      const ex open = parse(g + " + s", symbols), back = parse(h, symbols);
      const GiNaC::numeric wanted = number(open / (1 + open * back), symbols), given = number(found.value.expression(), symbols);
      EXPECT_LT(abs(given - wanted), abs(wanted) * GiNaC::numeric(1, 100000000)) << g << "\n" << h;
    }
}

TEST(RootsAndValues, ManyRootsOfConstants) {
  const std::string g =
      "sqrt(2)+sqrt(3)+sqrt(5)+sqrt(7)+sqrt(11)+sqrt(13)+sqrt(17)+sqrt(10007)+sqrt(a+b)+sqrt(a+c)+sqrt(b+c)+a^(1/4)";
  const SignalFlowGraph graph = graph_of({{"r", "e", "1"}, {"e", "y", g}, {"y", "e", "-h"}});
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto found = transfer_function(graph, {*graph.find("r"), *graph.find("y"), Question::Mode::source, {}}, {.seed = seed});
    EXPECT_LT(found.verification.error_bound, 1e-15);
    EXPECT_GT(found.verification.error_bound, 1e-28);  // roots cost certainty, and that is said
  }
}

TEST(RootsAndValues, RootsMultiplyModuloAPrimeAsPositiveOnesDo) {
  SymbolTable symbols;
  for (const char* zero : {"sqrt(2)*sqrt(3) - sqrt(6)", "sqrt(a+b)*sqrt(c) - sqrt((a+b)*c)", "sqrt(8) - 2*sqrt(2)",
                           "(a+b)^(1/3)*(a+b)^(1/6) - sqrt(a+b)", "sqrt(3+2*sqrt(2))^2 - 3 - 2*sqrt(2)",
                           "sqrt(-1)*sqrt(a+b) - sqrt(-1)*(a+b)^(3/2)/(a+b)"}) {
    const ex e = parse(zero, symbols);
    const RandomPoints points{std::span(&e, 1)};
    for (std::uint64_t seed = 1; seed <= 5; ++seed) EXPECT_EQ(points(seed)(e), 0u) << zero;
  }
  for (const char* other : {"sqrt(2)+sqrt(3)-sqrt(5)", "sqrt(a+b)-sqrt(a)", "sqrt(a-b)+sqrt(b-a)", "sqrt(-3)+1"}) {
    const ex e = parse(other, symbols);
    const RandomPoints points{std::span(&e, 1)};
    for (std::uint64_t seed = 1; seed <= 5; ++seed) EXPECT_NE(points(seed)(e).value(), 0u) << other;
  }
}

TEST(RootsAndValues, ARootOfTheWrongSignIsCaught) {
  const SignalFlowGraph graph = graph_of({{"r", "e", "1"}, {"e", "y", "sqrt(a+b) + sqrt(2)"}, {"y", "e", "-h"}});
  const Question question{*graph.find("r"), *graph.find("y"), Question::Mode::source, {}};
  for (const char* wrong :
       {"(sqrt(2) - sqrt(a+b))/(1 + h*(sqrt(2) - sqrt(a+b)))", "(sqrt(a+b) - sqrt(2))/(1 + h*(sqrt(a+b) - sqrt(2)))"})
    EXPECT_THROW(verified(
                     graph, question, [&](const ModularPoint& point) { return point(parse_known(wrong, graph.symbols)); }, 4),
                 std::logic_error);
}

TEST(RootsAndValues, SpringsWithRandomGeometryHaveTheirStiffness) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    Random random(seed);
    LagrangianText text{.coordinates = {"x", "y"}, .forces = {{"x", "F"}}, .T = {"m*(Dx^2 + Dy^2)/2"}, .Phi = {"0"}};
    text.parameters["m"] = "1";
    double K[2][2] = {};
    for (std::size_t i = 0, n = 2 + random.below(3); i < n; ++i) {
      const std::string at = std::to_string(i);
      const std::array<std::string, 4> names{"k" + at, "u" + at, "v" + at, "l" + at};
      double values[4];
      for (std::size_t j = 0; j < names.size(); ++j) {
        const std::string value = random.decimal(50, 400);
        text.parameters[names[j]] = value;
        values[j] = std::stod(value) / 100;
      }
      text.Pi.push_back(names[0] + "/2*(sqrt((" + names[1] + " + x)^2 + (" + names[2] + " - y)^2) - " + names[3] + ")^2");
      const auto [k, u, v, l] = values;
      const double r = std::hypot(u, v), nx = u / r, ny = -v / r, tension = 1 - l / r;
      K[0][0] += k * (nx * nx + tension * (1 - nx * nx));
      K[1][1] += k * (ny * ny + tension * (1 - ny * ny));
      K[0][1] += k * (nx * ny - tension * nx * ny);
    }
    Lagrangian model = lagrangian(text);
    model.equilibrium.emplace();
    model.equilibrium->values = {{"x", 0}, {"y", 0}};
    model.equilibrium->where = test::place(50);
    const LagrangeEquations equations = lagrange_equations(model);
    const GiNaC::exmap parameters = equations.symbols.values();
    const auto value = [&](const ex& e) { return GiNaC::ex_to<GiNaC::numeric>(e.subs(parameters).evalf()).to_double(); };
    const ex xx = equations.left("x", "x").c, xy = equations.left("x", "y").c;
    EXPECT_NEAR(value(xx), K[0][0], 1e-12 * std::abs(K[0][0]));
    EXPECT_NEAR(value(xy), K[0][1], 1e-12 * (std::abs(K[0][1]) + std::abs(K[0][0])));
    EXPECT_LT(print(xx).size(), 60 * text.Pi.size()) << print(xx);  // a term or two for each spring
    const SignalFlowGraph graph = graph_of({{"F", "x", "1/(m*s^2 + " + print(xx) + ")"}, {"x", "x", "(" + print(xy) + ")/m"}});
    EXPECT_NO_THROW(transfer_function(graph, {*graph.find("F"), *graph.find("x"), Question::Mode::source, {}}, {.seed = seed}));
  }
}

TEST(RootsAndValues, RemovableZeroOverZeroIsTheValueInLowestTerms) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    Random random(seed);
    SymbolTable symbols;
    const std::string at = random.decimal(10, 300), power = std::to_string(1 + random.below(3));
    const std::string above = "j^2*a + " + random.decimal(1, 500), below = "j + b^2 + " + random.decimal(1, 500);
    const std::string zero = "(j - " + at + ")^" + power;
    const ex gain = parse("((" + above + ")*" + zero + ")/((" + below + ")*" + zero + ")", symbols);
    // The common factor is not seen by GiNaC when both are multiplied out.
    const ex hidden = (gain.numer().expand() + symbols.symbol("s") * gain.denom().expand()) / gain.denom().expand();
    const GiNaC::exmap values{{symbols.symbol("j"), parse(at, symbols)}};
    const ex wanted = parse("(" + above + ")/(" + below + ") + s", symbols).subs(values);
    EXPECT_TRUE(test::equal(substituted(hidden, values, {}), wanted)) << at;
    const ex rooted = parse("sqrt((j^2 - (" + at + ")^2)/(j - " + at + "))", symbols);
    EXPECT_TRUE(test::equal(GiNaC::pow(substituted(rooted, values, {}), 2), parse("2*(" + at + ")", symbols)));
    const ex pole = parse("(" + above + ")/(j^2 - (" + at + ")^2)", symbols);
    EXPECT_THROW(substituted(pole, values, {}), Error);
  }
}

TEST(RootsAndValues, MinimalRealizationsComeBackAsTheyAre) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Random random(seed);
    const std::array<std::string, 9> entries{"-2", "1/2", "0", "a", "b*m", "D/m", "m", "-b", "a*a"};
    StateSpace model;
    const auto matrix = [&](std::size_t rows, std::size_t columns) {
      StateSpace::Matrix result(rows);
      for (auto& row : result)
        for (std::size_t j = 0; j < columns; ++j) row.push_back(parse(random.of(entries), model.symbols));
      return result;
    };
    model.states = {"x0", "x1", "x2", "x3", "x4", "x5"};
    model.inputs = {"u"};
    model.outputs = {"y0", "y1", "y2"};
    model.A = matrix(6, 6);
    model.B = matrix(6, 1);
    model.C = matrix(3, 6);
    model.D = matrix(3, 1);
    for (std::size_t i = 0; i + 1 < 6; ++i) model.A[i][i + 1] = 1, model.B[i][0] = 0;  // a chain with letters: controllable
    model.B[5][0] = 1;
    model.C[0][0] = parse("a", model.symbols);
    const StateSpace smaller = minimal(model);
    EXPECT_EQ(smaller.states, model.states);
    for (std::size_t i = 0; i < 6 && smaller.states.size() == 6; ++i)
      for (std::size_t j = 0; j < 6; ++j) EXPECT_TRUE(test::equal(smaller.A[i][j], model.A[i][j]));
  }
}

TEST(RootsAndValues, ForcesThatArePolynomialsAreBalancedInShortNumbers) {
  const LagrangianText text{.coordinates = {"th", "phi", "y"},
                            .T = {"1.26*Dth^2/2", "2.03*Dphi^2/2", "1.05*Dy^2/2", "2.4*Dth*Dphi*cos(th - phi)/5"},
                            .Pi = {"1.54/2*(th - phi - 0.13)^2", "1.97*th^2/2 + 0.84*th^4/4", "0.9*phi^2/2 + 1.88*phi^4/4",
                                   "1.1*y^2/2 + 2.78*y^4/4", "-0.43*y"},
                            .Phi = {"0.13*Dth^2/2"}};
  Lagrangian model = lagrangian(text);
  model.equilibrium.emplace();
  model.equilibrium->find = true;
  model.equilibrium->where = test::place(50);
  const LagrangeEquations equations = lagrange_equations(model);  // took minutes in exact rationals
  const auto& at = equations.equilibrium->values;
  const double th = at.at("th"), phi = at.at("phi"), y = at.at("y");
  EXPECT_NEAR(1.54 * (th - phi - 0.13) + 1.97 * th + 0.84 * th * th * th, 0, 1e-14);
  EXPECT_NEAR(-1.54 * (th - phi - 0.13) + 0.9 * phi + 1.88 * phi * phi * phi, 0, 1e-14);
  EXPECT_NEAR(1.1 * y + 2.78 * y * y * y, 0.43, 1e-14);
}

TEST(RootsAndValues, TheNaturalFrequencyOfAPositiveValueIsNoRoot) {
  const SignalFlowGraph graph = graph_of({{"u", "y", "w^2/(s^2 + 2*z*w*s + w^2)"}});
  const auto transfer = transfer_function(graph, {*graph.find("u"), *graph.find("y"), Question::Mode::source, {}});
  const ex w = graph.symbols.at("w").expr;
  const auto stated = factored(transfer, {.values = {{w, 2}}}).below.front().second.value();
  EXPECT_EQ(print(stated.frequency), "w");
  EXPECT_EQ(print(stated.damping), "z");
  EXPECT_EQ(print(factored(transfer, {.values = {{w, -2}}}).below.front().second->frequency), "sqrt(w^2)");
  EXPECT_EQ(print(factored(transfer).below.front().second->frequency), "sqrt(w^2)");
}

TEST(RootsAndValues, NaturalFrequenciesAndDampingAreInLowestTerms) {
  const auto second = [](const char* gain, const PositiveLetters& letters = {}) {
    const SignalFlowGraph graph = graph_of({{"u", "y", gain}});
    const auto transfer = transfer_function(graph, {*graph.find("u"), *graph.find("y"), Question::Mode::source, {}});
    const FactoredTransfer all = factored(transfer, letters);
    std::string text = print(all.below.back().second->frequency) + ", " + print(all.below.back().second->damping);
    for (const std::string& name : all.taken_as_positive) text += ", " + name;
    return text;
  };
  EXPECT_EQ(second("25/(25*s^2 + 3*s + 24)"), "2*sqrt(6)/5, sqrt(6)/40");
  EXPECT_EQ(second("w^2/(s^2 + 2*z*w*s + w^2)", {.all = true}), "w, z, w");
  EXPECT_EQ(second("1/(C1*C2*R1*R2*s^2 + (C2*R1 + C2*R2)*s + 1)", {.all = true}),
            "1/sqrt(C1*C2*R1*R2), sqrt(C2/(C1*R1*R2))*(R1 + R2)/2, R1, R2");
}

}  // namespace
}  // namespace sfg
