// All periodic motions of Duffing's oscillator at one frequency: which are stable, and what its spring does to them.
#include <cstdio>

#include "sfg/nonlinear/balance/periodic_motion.hpp"
#include "sfg/read/input.hpp"

int main() {
  const sfg::Input input = sfg::read_file("duffing.dot");
  const auto& graph = std::get<sfg::SignalFlowGraph>(input.content);
  const sfg::PeriodicInput drive{.input = graph.at("F"), .amplitude = 0.5};
  const double frequency = 1.5;
  const sfg::PeriodicMotions motions =
      sfg::periodic_motions(graph, {&drive, 1}, {&frequency, 1}, {.harmonics = 15, .sensitivities = true});
  for (const sfg::PeriodicMotion& motion : motions.points) {
    std::printf("|X| = %.5f, third harmonic %.5f, %s;", std::abs(motion.harmonics[0][1]), std::abs(motion.harmonics[0][3]),
                *motion.stable ? "stable" : "unstable");
    for (std::size_t p = 0; p < motions.parameters.size(); ++p)
      std::printf(" d/d%s %.4f", motions.parameters[p].c_str(), motion.derivatives[0][p]);
    std::printf("\n");
  }
}

/* prints
|X| = 0.41891, third harmonic 0.00048, stable; d/dm -0.8799 d/dc -0.0743 d/dk 0.3911 d/dq 0.0516
|X| = 1.59776, third harmonic 0.02943, unstable; d/dm 2.2193 d/dc 0.8063 d/dk -0.9780 d/dq -1.9464
|X| = 1.94264, third harmonic 0.05594, stable; d/dm 1.3403 d/dc -0.6360 d/dk -0.5823 d/dq -1.7580
*/
