// M and F of rigid bodies in the plane in the words of the angles between them, against those of composite bodies.
#include "sfg/derive/multibody/parallel_axes.hpp"

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "derive/multibody/pendulum.hpp"
#include "sfg/derive/multibody/multibody_equations.hpp"
#include "sfg/expr/compile.hpp"

namespace sfg {
namespace {

using GiNaC::ex;
using Kind = Multibody::JointKind;

/// A tree in the plane; the joints of the frame are of every kind.
class RandomPlane {
 public:
  explicit RandomPlane(unsigned seed) : random_(seed) {}

  Multibody operator()() {
    model_.planar = true;
    model_.gravity = point(10);
    const std::size_t bodies = 1 + pick(5);
    for (std::size_t i = 1; i <= bodies; ++i) {
      Multibody::Body body;
      body.name = "b" + std::to_string(i);
      body.mass = 1 + pick(4);
      body.com = point(1);
      body.inertia[2][2] = 1 + ex(static_cast<int>(pick(100))) / 100;
      model_.bodies.push_back(body);
    }
    for (std::size_t i = 1; i <= bodies; ++i) connect(i, pick(3) == 0 ? pick(i) : i - 1);
    if (pick(2) == 0) {
      Multibody::Spring spring;
      spring.between = {Multibody::Place{0, point(1)}, Multibody::Place{bodies, point(1)}};
      spring.stiffness = 7;
      spring.rest = ex(1) / 3;
      model_.springs.push_back(spring);
    }
    return std::move(model_);
  }

 private:
  std::size_t pick(std::size_t n) { return random_() % n; }
  ex number(int size) { return pick(4) == 0 ? ex(0) : ex(static_cast<int>(random_() % 201) - 100) * size / 100; }
  Multibody::Vector point(int size) { return {number(size), number(size), 0}; }

  void connect(std::size_t body, std::size_t parent) {
    static constexpr Kind of_frame[] = {Kind::revolute, Kind::prismatic, Kind::weld, Kind::planar, Kind::free};
    Multibody::Joint joint;
    joint.name = "J" + std::to_string(body);
    joint.kind = parent == 0 ? of_frame[pick(5)] : pick(5) == 0 ? Kind::weld : Kind::revolute;
    const bool plane = joint.kind == Kind::planar || joint.kind == Kind::free;
    const bool back = !plane && pick(2) == 0;
    joint.places = {Multibody::Place{back ? body : parent, point(1)}, Multibody::Place{back ? parent : body, point(1)}};
    joint.axis = {0, 0, pick(2) == 0 && joint.kind == Kind::revolute ? -1 : 1};
    if (joint.kind == Kind::prismatic) joint.axis = {ex(3) / 5, ex(-4) / 5, 0};
    const std::size_t count = joint.kind == Kind::weld ? 0 : plane ? 3 : 1;
    for (std::size_t k = 0; k < count; ++k) joint.coordinates.push_back("s" + std::to_string(body) + "_" + std::to_string(k));
    model_.joints.push_back(joint);
  }

  std::mt19937 random_;
  Multibody model_;
};

/// M and F at a point.
std::vector<double> motion_at(const MultibodyEquations& equations, unsigned seed) {
  std::vector<std::pair<ex, ex>> definitions;
  for (const auto& definition : equations.definitions) definitions.emplace_back(definition.symbol, definition.value);
  std::vector<ex> inputs, outputs;
  for (const auto& coordinate : equations.motion.coordinates) inputs.push_back(coordinate.q);
  for (const auto& speed : equations.motion.speeds) inputs.push_back(speed.symbol);
  for (const auto& row : equations.motion.M) outputs.insert(outputs.end(), row.begin(), row.end());
  outputs.insert(outputs.end(), equations.motion.F.begin(), equations.motion.F.end());
  std::mt19937 random(seed);
  std::vector<double> point(inputs.size());
  for (double& value : point) value = std::uniform_real_distribution(-2.0, 2.0)(random);
  return compile(outputs, inputs, {}, definitions).values<double>(point);
}

/// Without shared names only composite bodies are used.
TEST(ParallelAxes, AgreeWithCompositeBodiesOnRandomTrees) {
  std::size_t shorter = 0;
  for (unsigned seed = 1; seed <= 60; ++seed) {
    const Multibody model = RandomPlane(seed)();
    const MultibodyEquations equations = multibody_equations(model), reference = multibody_equations(model, {.reuse = false});
    const std::vector<double> found = motion_at(equations, seed), expected = motion_at(reference, seed);
    ASSERT_EQ(found.size(), expected.size());
    double scale = 1;
    for (const double value : expected) scale = std::max(scale, std::abs(value));
    for (std::size_t i = 0; i < found.size(); ++i)
      EXPECT_NEAR(found[i], expected[i], 1e-12 * scale) << "seed " << seed << ", " << i;
    shorter += equations.operations.substituted < reference.operations.substituted ? 1 : 0;
  }
  EXPECT_GT(shorter, 30U);
}

/// The equations themselves, whichever of the two a model gets.
TEST(ParallelAxes, AgreeEntryByEntry) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    Multibody model = RandomPlane(seed)();
    model.springs.clear();
    MultibodyEquations equations = multibody_equations(model, {.reuse = false});
    const std::vector<double> expected = motion_at(equations, seed);
    SymbolTable symbols = equations.motion.symbols;
    const JointForest forest = joint_forest(model);
    ASSERT_TRUE(ParallelAxes::apply_to(model, forest));
    const Unknowns own = unknowns(model, forest, symbols);
    Substitutions names;
    ParallelAxes axes(model, forest, own, names);
    auto& motion = equations.motion;
    for (auto& row : motion.M) std::ranges::fill(row, ex(0));
    std::ranges::fill(motion.F, ex(0));
    axes.masses(motion.M);
    axes.forces(motion.F);
    equations.definitions = names.definitions();
    const std::vector<double> found = motion_at(equations, seed);
    for (std::size_t i = 0; i < found.size(); ++i)
      EXPECT_NEAR(found[i], expected[i], 1e-11 * (1 + std::abs(expected[i]))) << "seed " << seed << ", " << i;
  }
}

TEST(ParallelAxes, ChainsCostLittleMoreOrLessThanHalfOfWhatSymPyWrites) {
  // Kane’s method and common subexpressions of SymPy: 50, 132, 263, 456 for 2 … 5 links, signs not counted
  for (const auto& [links, operations] : std::map<std::size_t, std::size_t>{{2, 33}, {3, 72}, {4, 123}, {5, 186}, {6, 261}})
    EXPECT_LE(multibody_equations(pendulum(links)).operations.substituted, operations) << links << " links";
}

TEST(ParallelAxes, AreLeftAloneWhereBodiesSlideOnEachOtherOrBend) {
  Multibody model = pendulum(2);
  EXPECT_TRUE(ParallelAxes::apply_to(model, joint_forest(model)));
  model.joints[1].kind = Kind::prismatic;
  EXPECT_FALSE(ParallelAxes::apply_to(model, joint_forest(model)));
}

/// The list of a chain is the longer one from eight links on; on long ways it is not made at all, and grew with the cube of the
/// links.
TEST(ParallelAxes, AreNotMadeWhereWaysAreLong) {
  const Multibody chain = pendulum(40);
  EXPECT_FALSE(ParallelAxes::apply_to(chain, joint_forest(chain)));
  Multibody broad = pendulum(40);
  for (std::size_t i = 4; i < broad.joints.size(); ++i) broad.joints[i].places[0].body = i % 4;
  EXPECT_TRUE(ParallelAxes::apply_to(broad, joint_forest(broad)));
  EXPECT_EQ(multibody_equations(pendulum(12)).operations.substituted, 2 * 12 * 12 + 42 * 12 - 42) << "that of composite bodies";
}

}  // namespace
}  // namespace sfg
