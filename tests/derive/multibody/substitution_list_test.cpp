// From a model to its list of substitutions, through a file and back to numbers; the operators L(A) and L_S(A) and what they
// save.

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cctype>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "derive/multibody/pendulum.hpp"
#include "sfg/derive/multibody/multibody_equations.hpp"
#include "sfg/derive/multibody/substitution.hpp"
#include "sfg/multibody/motion_state.hpp"
#include "sfg/read/substitutions.hpp"
#include "sfg/read/toml.hpp"
#include "sfg/write/substitutions/substitutions.hpp"

namespace sfg {
namespace {

using GiNaC::ex;
using Matrix = EquationsOfMotion::Matrix;

std::string written(const SubstitutionList& list, SubstitutionForm form) {
  std::ostringstream out;
  write_substitutions(out, list, form);
  return out.str();
}

std::vector<std::string> names(const std::vector<ex>& symbols) {
  std::vector<std::string> result;
  for (const ex& symbol : symbols) result.push_back(GiNaC::ex_to<GiNaC::symbol>(symbol).get_name());
  return result;
}

TEST(SubstitutionList, BothFilesOfADoublePendulumHaveItsMassesAndForces) {
  std::ifstream in(SFG_TEST_DATA "/substitutions/double_pendulum.json");
  const auto oracle = nlohmann::json::parse(in);
  const Multibody model = pendulum(2);
  for (const SubstitutionOptions options : {SubstitutionOptions{}, {.reuse = false}, {.prune = false}})
    for (const SubstitutionForm form : {SubstitutionForm::names, SubstitutionForm::indexed}) {
      const SubstitutionList made = substitution_list(multibody_equations(model, options), model);
      EXPECT_EQ(names(made.states), (std::vector<std::string>{"s1", "s2", "s1d", "s2d"}));
      const SubstitutionList list = read_substitutions(written(made, form), "file");
      EXPECT_EQ(names(list.constants), names(made.constants));
      for (const auto& state : oracle["states"]) {
        SubstitutionPoint point;
        for (const std::string& name : names(list.constants)) point.constants.push_back(oracle["parameters"][name].get<double>());
        for (const char* part : {"s", "sd"})
          for (const auto& value : state[part]) point.states.push_back(value.get<double>());
        point.inputs.assign(list.inputs.size(), 0);  // accelerations, in what only reactions need
        const std::vector<double> got = values_at(list, point);
        ASSERT_EQ(got.size(), 6U);
        for (std::size_t i = 0; i < 2; ++i) {
          for (std::size_t j = 0; j < 2; ++j) EXPECT_NEAR(got[2 * i + j], state["M"][i][j].get<double>(), 1e-13);
          EXPECT_NEAR(got[4 + i], -state["h"][i].get<double>(), 1e-12);
        }
      }
    }
}

/// Binary signs, powers and functions in the lines of a list, by its text alone.
std::size_t counted(const std::string& text) {
  std::istringstream in(text);
  std::size_t count = 0;
  for (std::string line; std::getline(in, line);) {
    const std::size_t from = line.find('=');
    if (line.starts_with('#') || from == std::string::npos) continue;
    for (std::size_t i = from + 1; i < line.size(); ++i) {
      const char c = line[i], before = line[i - 1];
      const bool after_operand = std::isalnum(static_cast<unsigned char>(before)) != 0 || before == ')' || before == '_';
      if (c == '*' || c == '/' || c == '^' || ((c == '+' || c == '-') && after_operand)) ++count;
      if (c == '(' && std::isalpha(static_cast<unsigned char>(before)) != 0) ++count;
    }
  }
  return count;
}

TEST(SubstitutionList, TheCountOfItsOperationsIsWhatOneCounts) {
  std::uint64_t random = 3;
  const auto next = [&](int most) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    return int(random >> 33) % most;
  };
  const auto number = [&] { return std::to_string(next(3)) + "." + std::to_string(1 + next(999)); };
  for (int trial = 0; trial < 30; ++trial) {
    std::string bodies, joints, before = "frame";
    const int count = 1 + next(3);
    for (int i = 1; i <= count; ++i) {
      const std::string name = "b" + std::to_string(i);
      bodies += "{ name = \"" + name + "\", mass = " + (next(3) == 0 ? "\"m\"" : number()) + ", com = [" + number() + ", " +
                number() + "], inertia = " + number() + " },\n";
      joints += "{ name = \"J" + std::to_string(i) + "\", type = \"" + (next(3) == 0 ? "prismatic\", axis = \"x" : "revolute") +
                "\", bodies = [\"" + before + "\", \"" + name + "\"], at = [[" + number() + ", 0.011], [0, " + number() +
                "]] },\n";
      before = name;
    }
    const std::string text = "[multibody]\nplanar = true\ngravity = [\"0\", \"-9.81\"]\nbodies = [\n" + bodies +
                             "]\njoints = [\n" + joints +
                             "]\nsprings = [{ joint = \"J1\", stiffness = \"k/3\", rest = 0.125, damping = " + number() + " }]\n";
    SCOPED_TRACE(text);
    const Multibody model = std::get<Multibody>(std::get<Model>(read_toml(text, "m.toml")));
    for (const SubstitutionOptions options : {SubstitutionOptions{}, {.reuse = false}, {.prune = false}}) {
      const SubstitutionList list = substitution_list(multibody_equations(model, options), model);
      const std::string lines = written(list, SubstitutionForm::names);
      EXPECT_EQ(operations(list), counted(lines)) << lines;
    }
  }
}

TEST(SubstitutionList, WithoutPruningAndReuseThereAreMore) {
  const Multibody model = pendulum(3);
  const auto count = [&](const SubstitutionOptions& options) {
    return substitution_list(multibody_equations(model, options), model).substitutions.size();
  };
  EXPECT_LT(count({}), count({.prune = false}));
  EXPECT_LT(count({}), count({.reuse = false}));
}

TEST(SubstitutionList, AParameterThatIsCalledAsASubstitutionGivesWay) {
  Multibody plain = pendulum(2), named = pendulum(2);
  const ex sub1 = named.symbols.symbol("sub1"), m1 = named.symbols.at("m1").expr;
  named.bodies[0].mass = sub1;
  const SubstitutionList expected = substitution_list(multibody_equations(plain), plain);
  const SubstitutionList list = substitution_list(multibody_equations(named), named);
  ASSERT_EQ(list.constants.size(), expected.constants.size());
  const auto value = [](const SubstitutionList& of) {
    SubstitutionPoint point{.states = {0.3, 0.5, 0.7, 1.1}};
    for (const std::string& name : names(of.constants))
      point.constants.push_back(name == "m1" || name.starts_with("sub1") ? 2.5 : 1.0 + 0.01 * name.back());
    return values_at(of, point);
  };
  const SubstitutionList again = read_substitutions(written(list, SubstitutionForm::names), "file");
  for (const auto& got : {value(list), value(again)})
    for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], value(expected)[i], 1e-13);
}

/// So do coordinates and inputs: sub1 is cos(sub1) of none.
TEST(SubstitutionList, CoordinatesAndInputsThatAreCalledAsSubstitutionsGiveWay) {
  const auto values = [](const std::string& first, const std::string& second, const std::string& torque) {
    const Multibody model = std::get<Multibody>(std::get<Model>(read_toml(
        "[multibody]\nplanar = true\ngravity = [0, -9.81]\n"
        "bodies = [{ name = \"a\", mass = 1, com = [0.5, 0], inertia = 0.1 }, { name = \"b\", mass = 1, com = [0.5, 0], inertia "
        "= 0.1 }]\n"
        "joints = [{ name = \"A\", type = \"revolute\", bodies = [\"frame\", \"a\"], coordinate = \"" +
            first + "\" }, { name = \"B\", type = \"revolute\", bodies = [\"a\", \"b\"], at = [[1, 0], [0, 0]], coordinate = \"" +
            second + "\" }]\nforces = [{ joint = \"A\", torque = \"" + torque + "\" }]\n",
        "named.toml")));
    const SubstitutionList list = substitution_list(multibody_equations(model), model);
    const SubstitutionList again = read_substitutions(written(list, SubstitutionForm::names), "file");
    std::vector<double> both;
    for (const SubstitutionList& each : {list, again})
      for (const double value : values_at(each, {.states = {0.3, 0.5, 0.7, 1.1}, .inputs = {1.3}})) both.push_back(value);
    return both;
  };
  const std::vector<double> wanted = values("q", "s", "tau"), got = values("sub1", "sub2", "sub3");
  ASSERT_EQ(got.size(), wanted.size());
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], wanted[i], 1e-13);
}

/// A body in the plane with two mass points and a mode, hinged to the frame; the second point carries a spring.
Multibody elastic_arm() {
  Multibody model = pendulum(1);
  model.bodies[0].mass = 0;
  model.bodies[0].inertia[2][2] = 0;
  Multibody::Elastic elastic{.body = 1, .coordinates = {"e1b1"}};
  const ex L = model.symbols.symbol("L");
  elastic.points = {{.at = {L / 2, 0, 0}, .mass = model.symbols.symbol("mu"), .modes = {{{0, ex(1) / 4, 0}, {0, 0, 1 / L}}}},
                    {.at = {L, 0, 0}, .mass = model.symbols.symbol("mu"), .modes = {{{0, 1, 0}, {0, 0, 2 / L}}}}};
  elastic.stiffness = {{model.symbols.symbol("kf")}};
  elastic.damping = {{0}};
  model.elastic.push_back(elastic);
  Multibody::Spring spring;
  spring.name = "k";
  spring.between[0].at = {0, -3, 0};
  spring.between[1] = {.body = 1, .at = {L, 0, 0}};
  spring.stiffness = model.symbols.symbol("k");
  model.springs.push_back(spring);
  return model;
}

TEST(SubstitutionList, ElasticBodiesHaveThePublishedNamesAndPlaces) {
  const Multibody model = elastic_arm(), named = with_elastic_names(model);
  const SubstitutionList list = substitution_list(multibody_equations(named), named);
  const std::string text = written(list, SubstitutionForm::indexed);
  for (const char* line :
       {"% kon(1)=mp1b1\n", "% kon(2)=lp1xb1\n", "% kon(6)=v1p1yb1\n", "% kon(11)=mp2b1\n", "% kon(12)=lp2xb1\n",
        "% kon(21)=k1_1b1\n", "% X(1)=s1\n", "% X(2)=e1b1\n", "% X(3)=s1d\n", "% X(4)=e1b1d\n"})
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
  // the names have the stated expressions as values: the same M and F
  const SubstitutionList plain = substitution_list(multibody_equations(model), model);
  const std::map<std::string, ex> values{{"L", ex(13) / 10}, {"mu", ex(7) / 5}, {"kf", 25}, {"k", 11}, {"g", ex(981) / 100}};
  const auto at = [&](SubstitutionList of) {
    for (const auto& [name, value] : values)
      if (Symbol* symbol = of.symbols.find(name)) symbol->value = value;
    SubstitutionPoint point{.states = {0.3, 0.05, 0.7, -0.2}};
    for (const auto& value : of.values()) point.constants.push_back(value.value());
    return values_at(of, point);
  };
  const std::vector<double> got = at(list), expected = at(plain);
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], expected[i], 1e-12 * (1 + std::abs(expected[i])));
}

TEST(SubstitutionList, ANameThatAnElasticBodyNeedsIsNotTakenSilently) {
  Multibody model = elastic_arm();
  model.symbols.symbol("lp1xb1");
  EXPECT_THROW(with_elastic_names(model), Error);
}

// Reactions are checked where they are derived; here that their list says the same as M v' = F of one pendulum: in rest it hangs.
TEST(SubstitutionList, ReactionsHaveAccelerationsAsInputs) {
  const Multibody model = pendulum(1);
  const SubstitutionList list = substitution_list(multibody_equations(model), model, ListedResults::with_reactions);
  ASSERT_NE(list.result("R1"), nullptr);
  SubstitutionPoint point{.states = {0, 0}, .inputs = {0}};
  for (const std::string& name : names(list.constants)) point.constants.push_back(name == "g" ? 10 : 2);
  ASSERT_EQ(list.inputs.size(), 1U);
  const std::vector<double> got = values_at(list, point);
  ASSERT_EQ(got.size(), 2U + 6U);
  EXPECT_NEAR(got[3], 20, 1e-12);
}

constexpr const char* four_bar = R"toml([multibody]
planar = true
gravity = ["0","-g","0"]
bodies = [{name="crank",mass="1",com=["0.15","0","0"],inertia=["0","0","0.01"]},{name="coupler",mass="1.5",com=["0.4","0.2","0"],inertia=["0","0","0.08"]},{name="rocker",mass="1.2",com=["0.3","0","0"],inertia=["0","0","0.05"]}]
joints = [ {name="O",type="revolute",bodies=["frame","crank"],axis="z",coordinate="s1"},
 {name="A",type="revolute",bodies=["crank","coupler"],at=[["a","0","0"],["0","0","0"]],axis="z",coordinate="s2"},
 {name="C",type="revolute",bodies=["frame","rocker"],at=[["d","0","0"],["0","0","0"]],axis="z",coordinate="s3"},
 {name="B",type="revolute",bodies=["coupler","rocker"],at=[["b","0","0"],["c","0","0"]],axis="z",cut=true} ]
forces = [{joint="O",torque="tau"}]
[parameters]
a = 0.3
b = 0.8
c = 0.6
d = 0.9
g = 9.81
)toml";

/// A result of a list at a point, row by row.
Eigen::MatrixXd result(const SubstitutionList& list, const std::vector<double>& values, const std::string& name) {
  std::size_t offset = 0;
  for (const auto& array : list.results) {
    const std::size_t rows = array.size[0], columns = array.size.size() > 1 ? array.size[1] : 1;
    if (array.name == name) {
      Eigen::MatrixXd found(rows, columns);
      for (std::size_t i = 0; i < rows * columns; ++i)
        found(Eigen::Index(i / columns), Eigen::Index(i % columns)) = values[offset + i];
      return found;
    }
    offset += rows * columns;
  }
  throw std::out_of_range(name);
}

/// Turns by quaternions of decimals have hundreds of digits along a chain, more than a double holds: a list has them rounded.
TEST(SubstitutionList, HasNumbersThatProgramsRead) {
  const Multibody model = std::get<Multibody>(std::get<Model>(read_toml(R"toml([multibody]
gravity = [0, 0, -9.81]
bodies = [
  { name = "a", mass = 1.5, com = [0.1, 0.2, -0.3], inertia = [1, 1.3, 1.9] },
  { name = "b", mass = 1.5, com = [0.3, 0.1, 0.2], inertia = [1, 1.3, 1.9] },
  { name = "c", mass = 1.5, com = [0.2, -0.4, 0.1], inertia = [1, 1.3, 1.9] },
]
joints = [
  { name = "A", type = "weld", bodies = ["frame", "a"], orient = [[0.3114365810645469, 0.42123216292683946, 0.24464438996246066, -0.8159165664151562], [0.773247850833811, 0.6225673161076045, 0.044569018009791864, 0.11185392585470329]] },
  { name = "B", type = "weld", bodies = ["a", "b"], orient = [[0.7158398485549329, 0.6864254395582897, -0.10939650530653146, -0.06652692518655476], [0.21331222265419764, -0.3307630164118257, 0.2853006529686032, 0.8738977400452326]] },
  { name = "C", type = "revolute", bodies = ["b", "c"], coordinate = "q", orient = [[0.30522262343200385, -0.12638307136265078, -0.8196923618043764, -0.46794326730683017], [-0.8893002858878534, 0.05757114970610967, 0.038701868091236796, -0.45203177946638595]] },
]
springs = [{ between = ["frame", "b"], at = [[1, 0.2, 0.3], [0.1, 0.1, 0.7]], stiffness = 3, length = 0.2 }]
)toml",
                                                                        "chain.toml")));
  const MultibodyEquations equations = multibody_equations(model);
  const SubstitutionList made = substitution_list(equations, model);
  const std::string text = written(made, SubstitutionForm::names);
  std::size_t longest = 0, digits = 0;
  for (const char c : text)
    longest = std::max(longest, digits = std::isdigit(static_cast<unsigned char>(c)) != 0 ? digits + 1 : 0);
  EXPECT_LE(longest, 40U);
  const SubstitutionList list = read_substitutions(text, "chain.sub");
  const MotionState wanted = motion_at(equations, {{"q", 0.3}, {"Dq", 0.7}});
  SubstitutionPoint point = sample_point(list);
  point.states = {0.3, 0.7};
  const std::vector<double> values = values_at(list, point);
  EXPECT_NEAR(result(list, values, "M")(0, 0), wanted.M[0][0], 1e-12 * wanted.M[0][0]);
  EXPECT_NEAR(result(list, values, "F")(0, 0), wanted.F[0], 1e-12 * std::abs(wanted.F[0]));
  EXPECT_TRUE(std::isfinite(wanted.potential));  // of a spring between ends at rest, its length being a root of a long number
}

// A closed loop: with M, F, J, γ of the list the accelerations and multipliers, with these the reactions: those of the library's
// own numeric path.
TEST(SubstitutionList, OfAClosedLoopIsComplete) {
  const Multibody model = std::get<Multibody>(std::get<Model>(read_toml(four_bar, "four_bar.toml")));
  const MultibodyEquations equations = multibody_equations(model);
  const SubstitutionList made = substitution_list(equations, model, ListedResults::with_reactions);
  const SubstitutionList list = read_substitutions(written(made, SubstitutionForm::indexed), "four_bar.idx");
  const std::map<std::string, double> state{{"s1", 1.2},   {"s2", -0.75}, {"s3", 1.8}, {"Ds1", 2},
                                            {"Ds2", -1.3}, {"Ds3", 0.6},  {"tau", 0.4}};
  SubstitutionPoint point = sample_point(list);
  point.states = {1.2, -0.75, 1.8, 2, -1.3, 0.6};
  point.inputs.assign(list.inputs.size(), 0);
  point.inputs[0] = 0.4;
  ASSERT_EQ(names(list.inputs).front(), "tau");
  std::vector<double> values = values_at(list, point);
  const Eigen::MatrixXd M = result(list, values, "M"), J = result(list, values, "J");
  const Eigen::Index n = M.rows(), m = J.rows();
  ASSERT_EQ(list.inputs.size(), std::size_t(1 + n + m));
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n + m, n + m);
  K.topLeftCorner(n, n) = M;
  K.topRightCorner(n, m) = -J.transpose();
  K.bottomLeftCorner(m, n) = J;
  Eigen::VectorXd right(n + m);
  right << result(list, values, "F"), result(list, values, "gamma");
  const Eigen::VectorXd solved = K.fullPivLu().solve(right);
  for (Eigen::Index i = 0; i < n + m; ++i) point.inputs[std::size_t(1 + i)] = solved[i];
  values = values_at(list, point);
  const MotionState expected = motion_at(equations, state);
  for (Eigen::Index i = 0; i < n; ++i) EXPECT_NEAR(solved[i], expected.accelerations[std::size_t(i)].second, 1e-9);
  for (std::size_t i = 0; i < expected.constraint_residual.size(); ++i)
    EXPECT_NEAR(result(list, values, "phi")(Eigen::Index(i), 0), expected.constraint_residual[i], 1e-12);
  for (std::size_t j = 0; j < expected.reactions.size(); ++j)
    for (Eigen::Index k = 0; k < 6; ++k)
      EXPECT_NEAR(result(list, values, "R" + std::to_string(j + 1))(k, 0), expected.reactions[j].second[std::size_t(k)], 1e-8);
}

// --- the operators (published counts of a product of three matrices, cse_3x3 of the specification) ---------------------------

Matrix matrix(const std::string& letter) {
  Matrix A(3, std::vector<ex>(3));
  for (std::size_t i = 0; i < 9; ++i) A[i / 3][i % 3] = GiNaC::symbol(letter + std::to_string(i + 1));
  return A;
}

Matrix product(const Matrix& A, const Matrix& B) {
  Matrix C(3, std::vector<ex>(3, 0));
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t k = 0; k < 3; ++k) C[i][j] += A[i][k] * B[k][j];
  return C;
}

std::vector<ex> entries(const Matrix& A, bool upper = false) {
  std::vector<ex> result;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = upper ? i : 0; j < 3; ++j) result.push_back(A[i][j]);
  return result;
}

std::size_t count(const Substitutions& names, const std::vector<ex>& outputs) { return operations(names.definitions(), outputs); }

TEST(SubstitutionOperators, AProductOfThreeMatricesCostsHalf) {
  const Matrix A = matrix("a"), B = matrix("b"), C = matrix("c");
  EXPECT_EQ(count(Substitutions(), entries(product(product(A, B), C))), 180U);
  Substitutions names;
  const Matrix named = product(names(product(A, B)), C);
  EXPECT_EQ(names.definitions().size(), 9U);
  EXPECT_EQ(count(names, entries(named)), 90U);
  EXPECT_EQ(operations_put_in(names.definitions(), entries(named)), 180);
  std::vector<ex> expanded;
  for (const ex& entry : entries(product(product(A, B), C))) expanded.push_back(entry.expand());
  EXPECT_EQ(count(Substitutions(), expanded), 234U);
}

TEST(SubstitutionOperators, OfASymmetricMatrixHalfTheEntriesAreMade) {
  const Matrix A = matrix("a");
  Matrix B = matrix("b"), T(3, std::vector<ex>(3));
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      if (j < i) B[i][j] = B[j][i];
      T[j][i] = A[i][j];
    }
  Substitutions names;
  const Matrix W = product(names(product(A, B)), T);
  EXPECT_EQ(count(names, entries(W)), 90U);
  EXPECT_EQ(count(names, entries(W, true)), 75U);
  Substitutions both;
  const Matrix symmetric = both.symmetric(product(both(product(A, B)), T));
  EXPECT_EQ(both.definitions().size(), 9U + 6U);
  EXPECT_EQ(count(both, entries(symmetric)), 75U);
  EXPECT_TRUE(symmetric[2][0].is_equal(symmetric[0][2]));
}

TEST(SubstitutionOperators, ChainsGrowLinearlyInsteadOfThreefold) {
  const std::vector<std::size_t> nested{45, 180, 585, 1800, 5445};
  Substitutions names;
  Matrix plain = matrix("a"), named = plain;
  for (std::size_t n = 0; n < nested.size(); ++n) {
    const Matrix next = matrix("m" + std::to_string(n) + "_");
    plain = product(plain, next);
    named = product(n == 0 ? named : names(named), next);
    EXPECT_EQ(count(Substitutions(), entries(plain)), nested[n]);
    EXPECT_EQ(count(names, entries(named)), 45 * (n + 1));
  }
}

}  // namespace
}  // namespace sfg
