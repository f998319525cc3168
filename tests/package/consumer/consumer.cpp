#include <sfg/read/dot.hpp>
#include <sfg/sfg.hpp>

#include <iostream>

int main() {
  const sfg::SignalFlowGraph graph = sfg::read_dot(R"(digraph { R -> C [gain="G"]; C -> C [gain="-G*H"]; })", "loop.dot");
  const sfg::TransferFunction transfer =
      sfg::transfer_function(graph, {.input = graph.stated_inputs().at(0), .output = *graph.find("C")});
  std::cout << transfer.value.text() << '\n';
  return transfer.value.text().empty() ? 1 : 0;
}
