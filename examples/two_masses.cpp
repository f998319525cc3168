// A transfer function in lowest terms: the sum of both displacements does not see the mode in which they swing against
// each other. What was cancelled is kept.
#include <iostream>

#include "sfg/analysis/transfer.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/read/input.hpp"

int main() {
  sfg::Input input = sfg::read_file("two_masses.toml");
  auto& graph = std::get<sfg::SignalFlowGraph>(input.content);
  const sfg::NodeId sum = graph.node("sum");
  graph.add_branch(*graph.find("x1"), sum, 1);
  graph.add_branch(*graph.find("x2"), sum, 1);

  for (const sfg::NodeId output : {*graph.find("x1"), sum}) {
    const sfg::TransferFunction transfer =
        sfg::transfer_function(graph, {.input = *graph.find("F1"), .output = output, .reference = {}});
    std::cout << graph[output].name << "/F1 = " << transfer.value.text() << '\n'
              << "  cancelled: " << sfg::print(transfer.cancelled) << '\n'
              << "  verified by " << transfer.verification.method << '\n';
  }
}
