// The describing function of a gear with play, and how a table of points is a law as well.
#include <complex>
#include <cstdio>

#include "sfg/nonlinear/balance/describing_function.hpp"
#include "sfg/nonlinear/compiled_laws.hpp"
#include "sfg/read/input.hpp"

int main() {
  const sfg::Input input = sfg::read_file("backlash.dot");
  const auto& graph = std::get<sfg::SignalFlowGraph>(input.content);
  const sfg::PrincipalForm form = sfg::principal_form(graph);
  const sfg::DescribingFunction N(form, 0, graph.parameter_values());
  for (const double amplitude : {0.1, 0.2, 0.5, 2.0}) {
    const std::complex<double> n = N(amplitude);
    std::printf("A = %.1f: |N| = %.4f, %.2f degrees\n", amplitude, std::abs(n),
                std::abs(n) == 0 ? 0 : std::arg(n) * 57.29577951308232);
  }

  const sfg::CompiledLaws laws(form, graph.parameter_values());
  std::vector<double> z = laws.initial_memory();
  for (const double motor : {0.05, 0.3, 0.25, 0.1, -0.1}) {
    double load = 0;
    laws.values({{&motor, 1}, 0, {}, z}, {&load, 1});
    laws.remember({{&motor, 1}, 0, {}, z}, z);
    std::printf("motor at %5.2f, load at %5.2f\n", motor, load);
  }
}

/* prints
A = 0.1: |N| = 0.0000, 0.00 degrees
A = 0.2: |N| = 0.5927, -32.48 degrees
A = 0.5: |N| = 0.8815, -13.36 degrees
A = 2.0: |N| = 0.9832, -3.53 degrees
motor at  0.05, load at  0.00
motor at  0.30, load at  0.20
motor at  0.25, load at  0.20
motor at  0.10, load at  0.20
motor at -0.10, load at  0.00
*/
