// The limit cycle of van der Pol's oscillator: its period with more and more harmonics.
#include <cstdio>
#include <numbers>

#include "sfg/nonlinear/balance/periodic_motion.hpp"
#include "sfg/read/input.hpp"

int main() {
  const sfg::Input input = sfg::read_file("van_der_pol.dot");
  const auto& graph = std::get<sfg::SignalFlowGraph>(input.content);
  for (const std::size_t harmonics : {1, 3, 9, 27}) {
    const sfg::PeriodicMotions cycles =
        sfg::limit_cycles(graph, {}, 0.1, 10, {.harmonics = harmonics, .stability = harmonics > 3});
    for (const sfg::PeriodicMotion& cycle : cycles.points)
      std::printf("%2zu harmonics: period %.9f%s\n", harmonics, 2 * std::numbers::pi / cycle.frequency,
                  cycle.stable.value_or(false) ? ", stable" : "");
  }
}

/* prints
 1 harmonics: period 6.283185307
 3 harmonics: period 6.665495393
 9 harmonics: period 6.663286850, stable
27 harmonics: period 6.663286859, stable
*/
