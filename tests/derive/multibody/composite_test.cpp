#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "derive/multibody/pendulum.hpp"
#include "sfg/derive/multibody/multibody_equations.hpp"
#include "sfg/expr/compile.hpp"

namespace sfg {
namespace {

using GiNaC::ex;

/// Values of expressions of the equations at a point.
std::vector<double> values(const MultibodyEquations& equations, const std::vector<ex>& wanted,
                           const std::map<std::string, double>& point) {
  std::vector<std::pair<ex, ex>> definitions;
  for (const auto& definition : equations.definitions) definitions.emplace_back(definition.symbol, definition.value);
  std::vector<ex> inputs;
  std::vector<double> numbers;
  const auto add = [&](const ex& symbol, const std::string& name) {
    inputs.push_back(symbol);
    const auto found = point.find(name);
    numbers.push_back(found == point.end() ? 0 : found->second);
  };
  for (const Symbol& symbol : equations.motion.symbols.all()) add(symbol.expr, symbol.name);
  return compile(wanted, inputs, {}, definitions).values<double>(numbers);
}

TEST(Composite, CostsNoMoreThanThePublishedCounts) {
  const std::map<std::size_t, std::size_t> most{{1, 6}, {2, 58}, {3, 118}, {4, 182}, {5, 250}, {6, 322}, {7, 398}, {8, 478}};
  for (const auto& [links, operations] : most) {
    const MultibodyEquations equations = multibody_equations(pendulum(links));
    EXPECT_LE(equations.operations.substituted, operations) << links << " links";
  }
}

TEST(Composite, DoublePendulumIsThatOfTheTextbooks) {
  const MultibodyEquations equations = multibody_equations(pendulum(2));
  const std::map<std::string, double> p{{"m1", 1.5},  {"m2", 0.8}, {"l1", 0.9},   {"lc1", 0.4},  {"lc2", 0.35},  {"I1", 0.11},
                                        {"I2", 0.03}, {"g", 9.81}, {"s1", 0.751}, {"s2", 2.383}, {"Ds1", 2.205}, {"Ds2", -2.198}};
  const auto& motion = equations.motion;
  const std::vector<double> got =
      values(equations, {motion.M[0][0], motion.M[0][1], motion.M[1][1], motion.F[0], motion.F[1]}, p);
  const std::vector<double> expected{0.7601943587601343, -0.05490282061993276, 0.128, -9.699830549811402, -0.8636920421309476};
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], expected[i], 1e-12) << i;
}

}  // namespace
}  // namespace sfg
