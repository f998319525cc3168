// A polar graph on its way to a signal-flow graph: the Lagrange tree of masses, the skeleton of the elements, the closing
// branches of the laws of circuits and vertices; then the transmittances that a cubic spring sees.
#include <iostream>

#include "sfg/derive/polar/polar_derivation.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/graph/from_equations.hpp"
#include "sfg/nonlinear/principal_form.hpp"
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
  for (const auto& transfer : sfg::transfer_functions(principal.linear, principal.questions()))
    std::cout << principal.linear[transfer.question.output].name << '/' << principal.linear[transfer.question.input].name << " = "
              << transfer.value.text() << '\n';
}

/* prints
 */
