// A bogie at several speeds: the equations are derived once for every speed, and the critical speed is where the damping of its
// hunting changes sign, found by bisection.
#include <cstdio>

#include "sfg/control/poles.hpp"
#include "sfg/derive/multibody/linear_motion.hpp"
#include "sfg/model/settings.hpp"
#include "sfg/read/input.hpp"
#include "sfg/transfer/exact_transfer.hpp"

namespace {

/// The pole farthest to the right.
sfg::Mode hunting(const sfg::Multibody& model, int speed) {
  const sfg::Multibody running = sfg::substituted(model, {{model.symbols.at("V").expr, speed}});
  const sfg::EquationSystem equations = sfg::linearized(running, sfg::multibody_equations(running)).equations;
  const auto modes = sfg::poles_zeros(sfg::characteristic_coefficients(equations), equations.op).modes;
  sfg::Mode found = modes.front();
  for (const sfg::Mode& mode : modes)
    if (mode.pole.value.real() > found.pole.value.real()) found = mode;
  return found;
}

}  // namespace

int main() {
  const sfg::Input input = sfg::read_file("bogie.toml");
  const auto& model = std::get<sfg::Multibody>(std::get<sfg::Model>(input.content));
  for (const int speed : {20, 40, 60, 80}) {
    const sfg::Mode mode = hunting(model, speed);
    std::printf("%d m/s: %.3f + %.3fj\n", speed, mode.pole.value.real(), std::abs(mode.pole.value.imag()));
  }
  int stable = 20, unstable = 80;
  while (unstable - stable > 1) {
    const int middle = (stable + unstable) / 2;
    (hunting(model, middle).pole.value.real() < 0 ? stable : unstable) = middle;
  }
  std::printf("hunting begins between %d and %d m/s\n", stable, unstable);
}
/* prints
20 m/s: -3.091 + 11.156j
40 m/s: -3.339 + 22.352j
60 m/s: -0.022 + 30.776j
80 m/s: 3.775 + 35.604j
hunting begins between 60 and 61 m/s
*/
