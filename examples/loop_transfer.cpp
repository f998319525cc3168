// A control loop made in code, and its transfer function.
#include <sfg/sfg.hpp>

#include <iostream>

int main() {
  sfg::SignalFlowGraph graph;
  const auto r = graph.node("r"), e = graph.node("e"), y = graph.node("y");
  graph.add_branch(r, e, 1);
  graph.add_branch(e, y, sfg::parse("K/(s*(s+1))", graph.symbols));
  graph.add_branch(y, e, -1);
  std::cout << "y/r = " << sfg::transfer_function(graph, sfg::question(graph, "r", "y")).value.text() << '\n';
}

/* prints
y/r = K/(s^2 + s + K)
*/
