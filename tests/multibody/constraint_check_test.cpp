#include "sfg/multibody/constraint_check.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <fstream>
#include <nlohmann/json.hpp>

#include "sfg/multibody/independent_rows.hpp"
#include "sfg/read/toml.hpp"

namespace sfg {
namespace {

Multibody model(const std::string& text) { return std::get<Multibody>(std::get<Model>(read_toml(text, "m.toml"))); }

ConstraintCheck check(const std::string& text, bool drop = false) {
  const Multibody bodies = model(text);
  return constraint_check(bodies, multibody_equations(bodies), {.drop_redundant = drop});
}

std::vector<std::string> messages(const std::vector<Diagnostic>& problems, Severity severity) {
  std::vector<std::string> found;
  for (const Diagnostic& problem : problems)
    if (problem.severity == severity) found.push_back(problem.message);
  return found;
}
std::string errors(const ConstraintCheck& found) {
  std::string text;
  for (const std::string& message : messages(found.problems, Severity::error)) text += message + '\n';
  return text;
}

nlohmann::json reference(const char* name) {
  std::ifstream in(std::string(SFG_TEST_DATA) + "/multibody/constraint_cases.json");
  return nlohmann::json::parse(in).at("rank_cases").at(name);
}

/// Ranks of the Jacobian with all bodies free, by singular values: another way than ours, which counts in the tree of joints.
void expect_reference(const ConstraintCheck& found, const char* name) {
  const nlohmann::json expected = reference(name);
  EXPECT_EQ(found.free_bodies.rows, expected.at("rows").get<std::size_t>()) << name;
  EXPECT_EQ(found.free_bodies.coordinates, expected.at("coordinates").get<std::size_t>()) << name;
  EXPECT_EQ(found.free_bodies.naive_freedoms(), expected.at("naive_count").get<long>()) << name;
  const std::size_t tree = found.free_bodies.rows - found.constraints;
  EXPECT_EQ(tree + found.rank_at_start, expected.at("rank").get<std::size_t>()) << name;
  EXPECT_EQ(found.speeds - found.rank_at_start, expected.at("dof").get<std::size_t>()) << name;
}

struct Point {
  double x, y, z = 0;
  std::string text() const { return "[" + std::to_string(x) + ", " + std::to_string(y) + ", " + std::to_string(z) + "]"; }
  friend Point operator-(const Point& a, const Point& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
};

/// A joint of bodies whose frames all stand parallel to the inertial one at the start, each with its origin at `origin`.
struct Member {
  std::string type, first, second, axis;
  Point at;
};

std::string mechanism(bool planar, const std::map<std::string, Point>& origins, const std::vector<Member>& joints,
                      const std::string& more = "") {
  std::string text = std::string("[multibody]\nplanar = ") + (planar ? "true" : "false") + "\nbodies = [";
  for (const auto& [name, origin] : origins)
    text += "{ name = \"" + name + "\", mass = 1, com = [0.1, 0.05, 0], inertia = [0.2, 0.3, 0.4] }, ";
  text += "]\njoints = [\n";
  char name = 'A';
  for (const Member& joint : joints) {
    const auto local = [&](const std::string& body) { return body == "frame" ? joint.at : joint.at - origins.at(body); };
    text += std::string("{ name = \"") + name++ + "\", type = \"" + joint.type + "\", bodies = [\"" + joint.first + "\", \"" +
            joint.second + "\"], at = [" + local(joint.first).text() + ", " + local(joint.second).text() + "]" +
            (joint.axis.empty() ? "" : ", axis = " + joint.axis) + " },\n";
  }
  return text + "]\n" + more;
}

/// Four joints in a loop, at four points about four axes.
std::string four_bar(bool planar, const std::array<Point, 4>& at, const std::array<std::string, 4>& axes,
                     const std::array<std::string, 4>& types = {"revolute", "revolute", "revolute", "revolute"}) {
  return mechanism(planar, {{"crank", at[0]}, {"rod", at[1]}, {"rocker", at[3]}},
                   {{types[0], "frame", "crank", axes[0], at[0]},
                    {types[1], "crank", "rod", axes[1], at[1]},
                    {types[3], "frame", "rocker", axes[3], at[3]},
                    {types[2], "rod", "rocker", axes[2], at[2]}});
}

constexpr std::array<Point, 4> quadrilateral{Point{0, 0}, Point{0.0836, 0.0861}, Point{0.4, 0.28}, Point{0.4, 0}};
const std::array<std::string, 4> all_z{"\"z\"", "\"z\"", "\"z\"", "\"z\""};

TEST(ConstraintCheck, PlanarFourBarIsRegular) {
  const ConstraintCheck found = check(four_bar(true, quadrilateral, all_z));
  expect_reference(found, "planar_four_bar");
  EXPECT_EQ(errors(found), "");
  EXPECT_EQ(found.loops, 1U);
  EXPECT_EQ(
      messages(found.problems, Severity::note).front(),
      "3 bodies, 4 joints, 1 loop; 3 coordinates and 2 constraints of rank 2: 1 degree of freedom (bodies free: 8 of 8 rows "
      "independent in 9 coordinates)");
}

TEST(ConstraintCheck, ParallelAxesInSpaceHaveThreeRedundantRowsAndOneFreedom) {
  const ConstraintCheck found = check(four_bar(false, quadrilateral, all_z));
  expect_reference(found, "spatial_four_bar_parallel_axes");
  EXPECT_EQ(found.redundant.size(), 3U);
  EXPECT_EQ(found.freedoms(), 1U);
  EXPECT_EQ(messages(found.problems, Severity::error).size(), 3U);
  EXPECT_NE(errors(found).find("constraint 'D.z' holds whatever moves (rank 17 of 20)"), std::string::npos) << errors(found);
}

TEST(ConstraintCheck, WhatIsDroppedIsNoError) {
  const ConstraintCheck found = check(four_bar(false, quadrilateral, all_z), true);
  EXPECT_EQ(errors(found), "");
  EXPECT_EQ(messages(found.problems, Severity::remark).size(), 3U);
}

TEST(ConstraintCheck, AxesThroughOnePointHaveThreeRedundantRows) {
  const Point o{0, 0, 0};
  const ConstraintCheck found =
      check(four_bar(false, {o, o, o, o}, {"[0, 0, 1]", "[0.5, 0, 0.8]", "[0.3, 0.9, 0.6]", "[-0.2, 0.6, 0.7]"}));
  expect_reference(found, "spherical_four_bar");
  EXPECT_EQ(found.redundant.size(), 3U);
}

TEST(ConstraintCheck, GeneralAxesMakeAStructureThatCannotMove) {
  const ConstraintCheck found =
      check(four_bar(false, {Point{0, 0, 0}, Point{0.3, 0.1, 0.2}, Point{0.5, 0.6, 0.1}, Point{0.1, 0.7, -0.2}},
                     {"[0, 0, 1]", "[0.5, 0.2, 0.8]", "[0.3, 0.9, 0.6]", "[-0.7, 0.1, 0.4]"}));
  expect_reference(found, "general_4R_closed_chain");
  EXPECT_NE(errors(found).find("the mechanism cannot move: 0 degrees of freedom"), std::string::npos) << errors(found);
}

TEST(ConstraintCheck, TwoBallJointsLeaveTheSpinOfTheCoupler) {
  const ConstraintCheck found =
      check(four_bar(false, {Point{0, 0, 0}, Point{0.3, 0.1, 0.2}, Point{0.5, 0.6, 0.1}, Point{0.1, 0.7, -0.2}},
                     {"\"z\"", "", "", "\"y\""}, {"revolute", "spherical", "spherical", "revolute"}));
  expect_reference(found, "RSSR");
  EXPECT_EQ(errors(found), "");
  EXPECT_EQ(found.freedoms(), 2U);
  const std::vector<std::string> notes = messages(found.problems, Severity::note);
  EXPECT_TRUE(std::ranges::any_of(
      notes, [](const std::string& note) { return note.find("turns freely about the line") != std::string::npos; }));
}

TEST(ConstraintCheck, APinEnteredTwiceIsACombinationOfItself) {
  std::string text = four_bar(true, quadrilateral, all_z);
  const std::size_t last = text.rfind("{ name = \"D\"");
  std::string again = text.substr(last, text.find('\n', last) + 1 - last);
  again.replace(again.find("\"D\""), 3, "\"E\"");
  const ConstraintCheck found = check(text.insert(text.rfind("]"), again));
  expect_reference(found, "planar_four_bar_pin_entered_twice");
  EXPECT_EQ(
      errors(found),
      "constraint 'E.x' is a combination of 'D.x' (rank 8 of 10)\nconstraint 'E.y' is a combination of 'D.y' (rank 8 of 10)\n");
}

std::string triple_parallelogram(double second_crank) {
  return mechanism(true, {{"a", {0, 0}}, {"b", {0.2, 0}}, {"c", {0.4, 0}}, {"coupler", {0.06, 0.08}}},
                   {{"revolute", "frame", "a", "\"z\"", {0, 0}},
                    {"revolute", "frame", "b", "\"z\"", {0.2, 0}},
                    {"revolute", "frame", "c", "\"z\"", {0.4, 0}},
                    {"revolute", "a", "coupler", "\"z\"", {0.06, 0.08}},
                    {"revolute", "b", "coupler", "\"z\"", {0.2 + 0.6 * second_crank, 0.8 * second_crank}},
                    {"revolute", "c", "coupler", "\"z\"", {0.46, 0.08}}});
}

TEST(ConstraintCheck, ThreeEqualCranksHaveOneRedundantRow) {
  const ConstraintCheck found = check(triple_parallelogram(0.1));
  expect_reference(found, "triple_parallelogram");
  EXPECT_EQ(found.redundant.size(), 1U);
  EXPECT_EQ(found.rank, 3U);
}

TEST(ConstraintCheck, AParallelogramOnOneLineIsASingularPositionAndNotRedundant) {
  const std::array<Point, 4> upright{Point{0, 0}, Point{0.06, 0.08}, Point{0.36, 0.08}, Point{0.3, 0}};
  expect_reference(check(four_bar(true, upright, all_z)), "parallelogram_regular");
  const std::array<Point, 4> flat{Point{0, 0}, Point{0.1, 0}, Point{0.4, 0}, Point{0.3, 0}};
  const ConstraintCheck found = check(four_bar(true, flat, all_z));
  expect_reference(found, "parallelogram_flat_branching_point");
  EXPECT_EQ(errors(found), "");
  EXPECT_TRUE(found.redundant.empty());
  EXPECT_EQ(found.freedoms(), 1U);
  EXPECT_EQ(messages(found.problems, Severity::warning).front(),
            "a singular position: the rank of the constraints drops from 8 to 7 at s1 = 0, s2 = 0, s3 = 0, a branching point");
}

TEST(ConstraintCheck, ASliderAtTheCrankPivotIsASingularPosition) {
  const auto crank = [](double x, double y) {
    return mechanism(true, {{"crank", {0, 0}}, {"rod", {x, y}}, {"slider", {2 * x, 0}}},
                     {{"revolute", "frame", "crank", "\"z\"", {0, 0}},
                      {"revolute", "crank", "rod", "\"z\"", {x, y}},
                      {"prismatic", "frame", "slider", "\"x\"", {2 * x, 0}},
                      {"revolute", "rod", "slider", "\"z\"", {2 * x, 0}}});
  };
  expect_reference(check(crank(0.16, 0.12)), "slider_crank_r_equals_l_regular");
  expect_reference(check(crank(0, 0.2)), "slider_crank_r_equals_l_at_90deg");
}

TEST(ConstraintCheck, CoordinatesThatCannotMoveAreNamed) {
  // a triangle of two links, and a pendulum on it
  const ConstraintCheck found = check(mechanism(true, {{"a", {0, 0}}, {"b", {0.3, 0}}, {"c", {0.1, 0.2}}},
                                                {{"revolute", "frame", "a", "\"z\"", {0, 0}},
                                                 {"revolute", "frame", "b", "\"z\"", {0.3, 0}},
                                                 {"revolute", "a", "c", "\"z\"", {0.1, 0.2}},
                                                 {"revolute", "a", "b", "\"z\"", {0.1, 0.2}}}));
  EXPECT_EQ(found.freedoms(), 1U);
  EXPECT_EQ(messages(found.problems, Severity::note).front(), "'s1', 's2' are held by the constraints and cannot move");
}

TEST(ConstraintCheck, RowsThatTheEquationsLeaveOutAreCounted) {
  const ConstraintCheck found = check(
      "[multibody]\nplanar = true\nstructure = [[0, 1, 0, 2], [0, 0, 8, 0], [0, 0, 0, 8], [0, 0, 8, 0]]\n"
      "bodies = [{ name = \"a\", mass = 1, inertia = 1 }, { name = \"b\", mass = 1, inertia = 1 }, { name = \"c\", mass = 1 "
      "}]\n");
  EXPECT_EQ(found.free_bodies.rows, 8U);  // all joints at one point: of the slider-crank's rows one holds whatever moves
  EXPECT_EQ(found.free_bodies.rank, 7U);
  EXPECT_EQ(found.freedoms(), 2U);
  EXPECT_EQ(messages(found.problems, Severity::warning).size(), 1U);
}

std::string particle(const std::string& constraints) {
  return "[multibody]\nparticles = [{ name = \"a\", mass = 1, coordinates = [\"x\", \"y\"] }]\nassembly = { x = 0.6, y = 0.8 }\n"
         "constraints = " +
         constraints;
}

TEST(ConstraintCheck, CirclesOfTwoRadiiContradictEachOther) {
  const ConstraintCheck found = check(particle("[\"x^2+y^2-1\", \"x^2+y^2-4\"]"));
  EXPECT_EQ(errors(found), "constraints contradict each other: 'f2', 'f1'\n");
  EXPECT_FALSE(found.assembled);
}

TEST(ConstraintCheck, TheSameConstraintTwiceIsRedundant) {
  const ConstraintCheck found = check(particle("[\"x-1\", \"2*x-2\", \"y-x\"]"));
  EXPECT_EQ(found.rank, 2U);
  EXPECT_NE(errors(found).find("constraint 'f2' is a combination of 'f1' (rank 2 of 3)\n"), std::string::npos) << errors(found);
}

TEST(ConstraintCheck, LinksThatAreTooShortAreNotAssembled) {
  const ConstraintCheck found = check(R"toml([multibody]
planar = true
bodies = [{ name = "crank", mass = 1, inertia = 1 }, { name = "rod", mass = 1, inertia = 1 }, { name = "rocker", mass = 1, inertia = 1 }]
joints = [{ name = "O", type = "revolute", bodies = ["frame", "crank"] },
          { name = "A", type = "revolute", bodies = ["crank", "rod"], at = [[0.1, 0], [0, 0]] },
          { name = "C", type = "revolute", bodies = ["frame", "rocker"], at = [[0.5, 0], [0, 0]] },
          { name = "B", type = "revolute", bodies = ["rod", "rocker"], at = [[0.2, 0], [0.15, 0]], cut = true }]
)toml");
  EXPECT_NE(errors(found).find("no assembly"), std::string::npos) << errors(found);
  EXPECT_FALSE(found.assembled);
}

TEST(ConstraintCheck, CranksOfUnequalLengthContradictEachOther) {
  const ConstraintCheck found = check(R"toml([multibody]
planar = true
bodies = [{ name = "a", mass = 1, inertia = 1 }, { name = "b", mass = 1, inertia = 1 }, { name = "c", mass = 1, inertia = 1 },
          { name = "coupler", mass = 1, inertia = 1 }]
joints = [{ name = "A", type = "revolute", bodies = ["frame", "a"] },
          { name = "B", type = "revolute", bodies = ["frame", "b"], at = [[0.2, 0], [0, 0]] },
          { name = "C", type = "revolute", bodies = ["frame", "c"], at = [[0.4, 0], [0, 0]] },
          { name = "D", type = "revolute", bodies = ["a", "coupler"], at = [[0.1, 0], [0, 0]] },
          { name = "E", type = "revolute", bodies = ["b", "coupler"], at = [[0.101, 0], [0.2, 0]], cut = true },
          { name = "F", type = "revolute", bodies = ["c", "coupler"], at = [[0.1, 0], [0.4, 0]], cut = true }]
assembly = { s1 = 0.8, s2 = 0.8, s3 = 0.8, s4 = -0.8 }
)toml");
  EXPECT_TRUE(found.redundant.empty());
  EXPECT_FALSE(found.assembled);
  EXPECT_NE(errors(found).find("no assembly"), std::string::npos) << errors(found);
  EXPECT_NE(errors(found).find("contradict each other"), std::string::npos) << errors(found);
}

TEST(ConstraintCheck, PrescribedMotionsMustAgree) {
  const auto chain = [](const std::string& second) {
    return "[multibody]\nplanar = true\nbodies = [{ name = \"a\", mass = 1, inertia = 1 }, { name = \"b\", mass = 1, inertia = 1 "
           "}]\n"
           "joints = [{ name = \"A\", type = \"revolute\", bodies = [\"frame\", \"a\"], motion = \"2*t\" }, { name = \"B\", type "
           "= "
           "\"revolute\", bodies = [\"a\", \"b\"], motion = \"" +
           second + "\" }]\nconstraints = [\"s1 - s2\"]\n";
  };
  EXPECT_NE(errors(check(chain("3*t"))).find("constraints contradict each other"), std::string::npos);
  const ConstraintCheck same = check(chain("2*t"));
  EXPECT_EQ(same.redundant.size(), 1U);
}

TEST(ConstraintCheck, APrescribedMotionLeavesNothingFreeAndIsNoDeadMechanism) {
  const ConstraintCheck found = check(
      "[multibody]\nplanar = true\nbodies = [{ name = \"a\", mass = 1, inertia = 1 }]\n"
      "joints = [{ name = \"A\", type = \"revolute\", bodies = [\"frame\", \"a\"], motion = \"2*t\" }]\n");
  EXPECT_EQ(errors(found), "");
  EXPECT_EQ(found.freedoms(), 0U);
}

TEST(ConstraintCheck, WithoutValuesRowsAreCountedAlone) {
  std::string text = four_bar(true, quadrilateral, all_z);
  text.replace(text.find("mass = 1"), 8, "mass = \"m\"");
  const ConstraintCheck found = check(text);
  EXPECT_FALSE(found.calculated);
  EXPECT_EQ(errors(found), "");
  EXPECT_EQ(found.free_bodies.rows, 8U);
}

TEST(ConstraintCheck, WhatMovesWithoutInertiaIsNamed) {
  const ConstraintCheck found = check(
      "[multibody]\nplanar = true\nbodies = [{ name = \"a\" }, { name = \"b\", mass = 1, inertia = 1 }]\n"
      "joints = [{ type = \"revolute\", bodies = [\"frame\", \"a\"] }, { type = \"revolute\", bodies = [\"frame\", \"b\"] }]\n");
  EXPECT_NE(errors(found).find("'s1' can move without inertia"), std::string::npos) << errors(found);
}

std::string body_errors(const std::string& statements) {
  std::string text;
  for (const Diagnostic& problem : body_problems(model("[multibody]\n" + statements))) text += problem.message + '\n';
  return text;
}

TEST(BodyProblems, InertiasThatNoBodyHas) {
  const auto body = [](const std::string& inertia) {
    return "bodies = [{ name = \"a\", mass = \"m\", inertia = " + inertia +
           " }]\njoints = [{ type = \"free\", bodies = [\"frame\", \"a\"] }]\n[parameters]\nm = -1\nJ = 2\n";
  };
  const std::string mass = "the mass of body 'a' is -1\n";
  EXPECT_EQ(body_errors(body("[1, 2, 3]")), mass);  // a flat plate
  EXPECT_EQ(body_errors(body("[1, \"J\", 4]")), mass +
                                                    "the inertia of body 'a' is that of no body: of its principal moments 1, 2, "
                                                    "4 the largest is above the sum of the others\n");
  EXPECT_EQ(body_errors(body("[[2, 3, 0], [3, 2, 0], [0, 0, 3]]")),
            mass + "the inertia of body 'a' is that of no body: its principal moments are -1, 3, 5\n");
  EXPECT_EQ(body_errors(body("[\"unknown\", 2, 4]")), mass);
}

TEST(BodyProblems, WheelsAndElasticBodies) {
  EXPECT_EQ(body_errors("bodies = [{ name = \"a\", mass = 1, inertia = [1, 1, 1] }]\njoints = [{ type = \"free\", bodies = "
                        "[\"frame\", \"a\"] }]\n"
                        "flywheels = [{ name = \"w\", on = \"a\", axis = \"z\", inertia = 0.3, case = { mass = 1, inertia = "
                        "[0.2, 0.2, 0.2] } }]\n"
                        "elastic = [{ body = \"a\", points = [[1, 0, 0]], masses = [1], modes = [{ shape = [[0, 1, 0]] }, { "
                        "shape = [[0, 0, 1]] }], "
                        "stiffness = [[1, 2], [2, 1]] }]\n"),
            "the case of flywheel 'w' has an inertia of 0.2 about the axis, less than its wheel (0.3)\n"
            "the stiffness of elastic body 'a' is negative for some deformation (-1)\n");
}

TEST(IndependentRows, CombinationsGiveTheRowsBack) {
  Eigen::MatrixXd matrix(5, 4);
  matrix << 1, 2, 0, 1, 0, 1, 1, 0, 2, 5, 1, 2, 0, 0, 0, 0, 0, 0, 3, 1;  // row 3 = 2 row 1 + row 2
  const IndependentRows rows = independent_rows(matrix);
  EXPECT_EQ(rows.independent, (std::vector<Eigen::Index>{0, 1, 4}));
  ASSERT_EQ(rows.dependent.size(), 2U);
  Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(4);
  for (const auto& [row, factor] : rows.dependent[0].combination) sum += factor * matrix.row(row);
  EXPECT_LT((sum - matrix.row(2)).norm(), 1e-12);
  EXPECT_TRUE(rows.dependent[1].combination.empty());
}

}  // namespace
}  // namespace sfg
