// A circuit with an ideal operational amplifier: from the netlist to the corner frequency and the quality of the filter.
#include <iostream>

#include "sfg/derive/derive.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/graph/from_equations.hpp"
#include "sfg/read/input.hpp"
#include "sfg/transfer/factored.hpp"

int main() {
  const sfg::Input input = sfg::read_file("sallen_key.cir");
  const sfg::EquationSystem nodal = sfg::derive(std::get<sfg::Model>(input.content));
  std::cout << "unknowns of the modified nodal analysis:";
  for (const auto& unknown : nodal.unknowns) std::cout << ' ' << unknown.name;

  const sfg::SignalFlowGraph graph = sfg::from_equations(nodal).graph;
  const sfg::TransferFunction transfer =
      sfg::transfer_function(graph, {.input = *graph.find("V1"), .output = *graph.find("v(out)"), .reference = {}});
  std::cout << "\nv(out)/V1 = " << transfer.value.text() << '\n';

  const sfg::FactoredTransfer factors = sfg::factored(transfer);
  for (const auto& factor : factors.below)
    if (factor.second)
      std::cout << "omega_n = " << sfg::print(factor.second->frequency) << "\nQ = " << sfg::print(*factor.second->quality)
                << '\n';
}

/* prints
unknowns of the modified nodal analysis: v(in) v(a) v(b) v(out) i(V1) i(O1)
v(out)/V1 = 1/(C1*C2*R1*R2*s^2 + (C2*R1 + C2*R2)*s + 1)
omega_n = 1/sqrt(C1*C2*R1*R2)
Q = sqrt(C1*C2*R1*R2)/(C2*R1 + C2*R2)
*/
