// One transfer function, four graphs of integrators; and the state-space matrices of each.
#include <iostream>

#include "sfg/analysis/state_space.hpp"
#include "sfg/analysis/transfer.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/graph/realization.hpp"
#include "sfg/read/input.hpp"

int main() {
  const sfg::Input input = sfg::read_file("lead_compensator.toml");
  const auto& graph = std::get<sfg::SignalFlowGraph>(input.content);
  const auto response = [](const sfg::SignalFlowGraph& of) {
    return sfg::transfer_function(of, sfg::questions(of).front()).value.expression();
  };
  const GiNaC::ex wanted = response(graph);
  const sfg::RationalTransfer transfer = sfg::rational_transfer(wanted, "s", graph.symbols);

  using sfg::Realization;
  for (const auto& [name, form] :
       {std::pair{"controllable", Realization::controllable}, std::pair{"observable", Realization::observable},
        std::pair{"parallel", Realization::parallel}, std::pair{"cascade", Realization::cascade}}) {
    const sfg::SignalFlowGraph realized = sfg::realization(transfer, form);
    const sfg::StateSpace model = sfg::state_space(realized);
    std::cout << name << ": " << realized.nodes().size() << " nodes, " << realized.branches().size() << " branches, "
              << (sfg::vanishes(response(realized) - wanted) ? "the same" : "another") << " transfer function\n";
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
 */
