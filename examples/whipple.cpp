// Whipple's bicycle: one linearisation with the speed as a symbol, its eigenvalues at 0 … 10 m/s, and the speeds between which it
// keeps itself upright, which Meijaard, Papadopoulos, Ruina and Schwab (2007) give as 4.292382536 and 6.024262015 m/s.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "sfg/control/poles.hpp"
#include "sfg/derive/multibody/linear_motion.hpp"
#include "sfg/model/settings.hpp"
#include "sfg/read/input.hpp"
#include "sfg/transfer/exact_transfer.hpp"

namespace {

/// Of the motions that lean and steer: the ways, the heading and the spins are poles at 0.
std::vector<sfg::Mode> moving(const sfg::EquationSystem& at_any_speed, const GiNaC::numeric& speed) {
  const sfg::EquationSystem equations = sfg::substituted(at_any_speed, {{at_any_speed.symbols.at("v").expr, GiNaC::ex(speed)}});
  auto modes = sfg::poles_zeros(sfg::characteristic_coefficients(equations), equations.op).modes;
  std::erase_if(modes, [](const sfg::Mode& mode) { return mode.frequency == 0; });
  return modes;
}

double farthest_right(const sfg::EquationSystem& equations, const GiNaC::numeric& speed) {
  double found = -1e9;
  for (const sfg::Mode& mode : moving(equations, speed)) found = std::max(found, mode.pole.value.real());
  return found;
}

/// Where stability begins or ends between two speeds, in steps of 1/1000000 m/s.
double critical(const sfg::EquationSystem& equations, long stable, long unstable) {
  while (std::abs(unstable - stable) > 1) {
    const long middle = (stable + unstable) / 2;
    (farthest_right(equations, GiNaC::numeric(middle, 1000000)) < 0 ? stable : unstable) = middle;
  }
  return 1e-6 * double(stable);
}

}  // namespace

int main() {
  const sfg::Input input = sfg::read_file("whipple.toml");
  const auto& model = std::get<sfg::Multibody>(std::get<sfg::Model>(input.content));
  const sfg::EquationSystem equations = sfg::linearized(model, sfg::multibody_equations(model)).equations;
  for (const int speed : {0, 2, 4, 6, 8, 10}) {
    std::printf("%2d m/s:", speed);
    for (const sfg::Mode& mode : moving(equations, speed))
      std::printf("  %.10f%+.10fj", mode.pole.value.real(), mode.pole.value.imag());
    std::printf("\n");
  }
  std::printf("it stays upright between %.4f and %.4f m/s\n", critical(equations, 5000000, 4000000),
              critical(equations, 5000000, 7000000));
}

/* prints
 0 m/s:  -3.1316432479+0.0000000000j  3.1316432479+0.0000000000j  -5.5309437177+0.0000000000j  5.5309437177+0.0000000000j
 2 m/s:  -3.0715864564+0.0000000000j  2.6823451751-1.6806629659j  2.6823451751+1.6806629659j  -8.6738798483+0.0000000000j
 4 m/s:  -1.4294442736+0.0000000000j  0.4132533152-3.0791081860j  0.4132533152+3.0791081860j  -12.1586142658+0.0000000000j
 6 m/s:  -0.0040669008+0.0000000000j  -1.5264448658-5.8767306060j  -1.5264448658+5.8767306060j  -16.0853712310+0.0000000000j
 8 m/s:  0.1432787977+0.0000000000j  -2.6934868358-8.4603797140j  -2.6934868358+8.4603797140j  -20.2794089439+0.0000000000j
10 m/s:  0.1610533865+0.0000000000j  -3.7201684044-10.9068113948j  -3.7201684044+10.9068113948j  -24.6245963502+0.0000000000j
it stays upright between 4.2924 and 6.0243 m/s
*/
