// A polar graph on its way to a signal-flow graph: the Lagrange tree of masses, the skeleton of the elements, the closing
// branches of the laws of circuits and vertices; then the transmittances that a cubic spring sees.
#include <iostream>

#include "sfg/derive/polar/polar_derivation.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/graph/from_equations.hpp"
#include "sfg/nonlinear/principal.hpp"
#include "sfg/read/input.hpp"
#include "sfg/transfer/transfer.hpp"

int main() {
  const sfg::Input input = sfg::read_file("coupled_masses.toml");
  const auto& network = std::get<sfg::PolarNetwork>(std::get<sfg::Model>(input.content));
  const sfg::PolarDerivation derivation = sfg::polar_derivation(network);

  std::cout << "tree:";
  for (const std::size_t edge : derivation.graph.tree) std::cout << ' ' << derivation.graph.edges[edge].name;
  std::cout << "\nskeleton:\n";
  for (const auto& branch : derivation.skeleton)
    std::cout << "  " << branch.from << " -> " << branch.to << ": " << sfg::print(branch.gain) << '\n';
  std::cout << "closing branches: " << derivation.closing.size() << '\n';

  const sfg::SignalFlowGraph graph = sfg::from_equations(derivation.equations).graph;
  const sfg::PrincipalForm principal = sfg::principal_form(graph);
  const auto transfers = sfg::transfer_functions(principal.linear, principal.questions());
  for (const auto& transfer : transfers)
    std::cout << principal.linear[transfer.question.output].name << '/' << principal.linear[transfer.question.input].name
              << " = (" << sfg::print(transfer.value.numerator()) << ")/D\n";
}

/* prints
tree: m1 m2
skeleton:
  f(m1) -> x(1): 1/(m1*p^2)
  f(m2) -> x(2): 1/(m2*p^2)
  x(z1) -> f(z1): c1*p + k1
  x(z2) -> f(z2): c2*p + k2
  x(z3) -> f(z3): c3*p + k3
  x(n) -> f(n): al*u^3
closing branches: 13
x(n)/w = (m2*p^2 + c3*p + k3)/D
x(2)/w = (c2*p + k2)/D
x(n)/f(n) = ((-m1 - m2)*p^2 + (-c1 - c3)*p - k1 - k3)/D
x(2)/f(n) = (m1*p^2 + c1*p + k1)/D
*/
