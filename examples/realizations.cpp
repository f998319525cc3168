// One transfer function, four graphs of integrators; and the state-space matrices of each.
#include <iostream>

#include "sfg/expr/print.hpp"
#include "sfg/graph/realization.hpp"
#include "sfg/read/input.hpp"
#include "sfg/transfer/state_space.hpp"
#include "sfg/transfer/transfer.hpp"

int main() {
  const sfg::Input input = sfg::read_file("lead_compensator.toml");
  const auto& graph = std::get<sfg::SignalFlowGraph>(input.content);
  const auto response = [](const sfg::SignalFlowGraph& of) {
    return sfg::transfer_function(of, sfg::questions(of).front()).value;  // in lowest terms
  };
  const sfg::RationalFunction wanted = response(graph);
  const sfg::RationalTransfer transfer = sfg::rational_transfer(wanted.expression(), "s", graph.symbols);

  using sfg::Realization;
  for (const auto& [name, form] :
       {std::pair{"controllable", Realization::controllable}, std::pair{"observable", Realization::observable},
        std::pair{"parallel", Realization::parallel}, std::pair{"cascade", Realization::cascade}}) {
    const sfg::SignalFlowGraph realized = sfg::realization(transfer, form);
    const sfg::StateSpace model = sfg::state_space(realized);
    std::cout << name << ": " << realized.nodes().size() << " nodes, " << realized.branches().size() << " branches, "
              << (response(realized).text() == wanted.text() ? "the same" : "another") << " transfer function\n";
    for (std::size_t i = 0; i < model.states.size(); ++i) {
      std::cout << "  D" << model.states[i] << " =";
      for (std::size_t j = 0; j < model.states.size(); ++j)
        if (!model.A[i][j].is_zero()) std::cout << " + (" << sfg::print(model.A[i][j]) << ")*" << model.states[j];
      if (!model.B[i][0].is_zero()) std::cout << " + (" << sfg::print(model.B[i][0]) << ")*e";
      std::cout << '\n';
    }
  }
}

/* prints
controllable: 7 nodes, 12 branches, the same transfer function
  Dx4 = + (-(2*T*w + 1)/T)*x4 + (-(T*w^2 + 2*w)/T)*x3 + (-w^2/T)*x2 + (1/T)*e
  Dx3 = + (1)*x4
  Dx2 = + (1)*x3
  Dx1 = + (1)*x2
observable: 11 nodes, 16 branches, the same transfer function
  Dx4 = + (K*w^2)*e
  Dx3 = + (1)*x4 + (-w^2/T)*x1 + (K*T*a*w^2)*e
  Dx2 = + (1)*x3 + (-(T*w^2 + 2*w)/T)*x1 + (K)*e
  Dx1 = + (1)*x2 + (-(2*T*w + 1)/T)*x1 + (K*T*a)*e
parallel: 10 nodes, 15 branches, the same transfer function
  Dx1 = + (1)*e
  Dx2 = + (-w)*x2 + (1)*e
  Dx3 = + (1)*x2 + (-w)*x3
  Dx4 = + (-1/T)*x4 + (1/T)*e
cascade: 12 nodes, 16 branches, the same transfer function
  Dx2 = + (-(T*w + 1)/T)*x2 + (-w/T)*x1 + (K/T)*e
  Dx1 = + (1)*x2
  Dx3 = + (-(T*w + 1)/T)*x2 + ((T*w^2 - w)/T)*x1 + (K/T)*e
  Dx4 = + (-T*a*w - a)*x2 + (T*a*w^2 - a*w)*x1 + (1)*x3 + (-w)*x4 + (K*a)*e
*/
