// What needs no Graphviz: sfg::sfg stands alone.
#include <sfg/expr/parse.hpp>
#include <sfg/graph/signal_flow_graph.hpp>
#include <sfg/transfer/transfer.hpp>
#include <sfg/version.hpp>

#include <iostream>

int main() {
  sfg::SignalFlowGraph graph;
  const sfg::NodeId r = graph.node("R"), c = graph.node("C");
  graph.add_branch(r, c, sfg::parse("G", graph.symbols));
  graph.add_branch(c, c, sfg::parse("-G*H", graph.symbols));
  std::cout << sfg::transfer_function(graph, {.input = r, .output = c}).value.text() << '\n';
  return sfg::version() == sfg::header_version ? 0 : 1;
}
