// A robot arm with elastic links: the composite method with named intermediate results, what they save, the state of a quick
// swing, and the vibrations of the controlled arm.
#include <cstdio>

#include "sfg/control/poles.hpp"
#include "sfg/derive/multibody/linear_motion.hpp"
#include "sfg/derive/multibody/multibody_equations.hpp"
#include "sfg/multibody/motion_state.hpp"
#include "sfg/read/input.hpp"
#include "sfg/transfer/exact_transfer.hpp"

int main() {
  const sfg::Input input = sfg::read_file("flexible_arm.toml");
  const auto& arm = std::get<sfg::Multibody>(std::get<sfg::Model>(input.content));

  const sfg::MultibodyEquations equations = sfg::multibody_equations(arm);
  std::printf("%zu coordinates, %zu substitutions\n", equations.motion.coordinates.size(), equations.motion.definitions.size());
  std::printf("operations of M and F: %zu, with everything put in %.0f\n", equations.operations.substituted,
              equations.operations.direct);

  const sfg::MotionState swing = sfg::motion_at(equations, {{"s1", 0.5}, {"s2", 0.4}, {"Ds1", 2}, {"Ds2", -1}, {"r1", 1}});
  for (const auto& [name, value] : swing.accelerations) std::printf("%s'' = %.4f\n", name.c_str(), value);
  for (const auto& [joint, wrench] : swing.reactions)
    std::printf("%s: force (%.3f, %.3f) N, moment %.3f N m\n", joint.c_str(), wrench[0], wrench[1], wrench[5]);

  const sfg::MultibodyLinearization small = sfg::linearized(arm, equations);
  const auto modes = sfg::poles_zeros(sfg::characteristic_coefficients(small.equations), small.equations.op);
  for (const sfg::Mode& mode : modes.modes)
    if (mode.pole.value.imag() > 0) std::printf("mode: %.3f rad/s, damping %.4f\n", mode.frequency, mode.damping);
}
/* prints
6 coordinates, 106 substitutions
operations of M and F: 382, with everything put in 3248
s1'' = 5082.9190
s2'' = -18314.2579
e1b1'' = -16371.6761
e2b1'' = 11910.2166
e1b2'' = 19171.5352
e2b2'' = -11639.0192
shoulder: force (263.631, 363.620) N, moment 20.000 N m
elbow: force (326.387, 257.089) N, moment -16.000 N m
mode: 5.668 rad/s, damping 0.4365
mode: 84.631 rad/s, damping 0.4460
mode: 300.246 rad/s, damping 0.0787
mode: 780.470 rad/s, damping 0.0674
*/
