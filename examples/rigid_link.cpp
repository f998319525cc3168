// A constraint with a Lagrange multiplier: its own equation cannot be solved for it, so another assignment is found.
#include <iostream>

#include "sfg/derive/derive.hpp"
#include "sfg/graph/from_equations.hpp"
#include "sfg/read/input.hpp"
#include "sfg/transfer/transfer.hpp"

int main() {
  const sfg::Input input = sfg::read_file("rigid_link.toml");
  const sfg::EquationSystem equations = sfg::derive(std::get<sfg::Model>(input.content));
  const sfg::GraphFromEquations made = sfg::from_equations(equations);

  for (std::size_t i = 0; i < equations.equations.size(); ++i)
    std::cout << "equation " << i + 1 << " is solved for " << equations.unknowns[made.assignment.unknown_of[i]].name << '\n';
  for (const char* output : {"x1", "lam"}) {
    const sfg::TransferFunction transfer = sfg::transfer_function(
        made.graph, {.input = *made.graph.find("F1"), .output = *made.graph.find(output), .reference = {}});
    std::cout << output << "/F1 = " << transfer.value.text() << '\n';
  }
}

/* prints
equation 1 is solved for lam
equation 2 is solved for x2
equation 3 is solved for x1
x1/F1 = 1/((m1 + m2)*p^2 + (c1 + c2)*p + k1 + k2)
lam/F1 = (m2*p^2 + c2*p + k2)/((m1 + m2)*p^2 + (c1 + c2)*p + k1 + k2)
*/
