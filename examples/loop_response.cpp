// The poles of a control loop and its step response.
#include <sfg/sfg.hpp>

#include <iostream>

int main() {
  sfg::SignalFlowGraph graph;
  const auto r = graph.node("r"), e = graph.node("e"), y = graph.node("y");
  graph.add_branch(r, e, 1);
  graph.add_branch(e, y, sfg::parse("K/(s*(s+1))", graph.symbols));
  graph.add_branch(y, e, -1);
  graph.symbols.add({.name = "K", .value = 10});
  const sfg::Question asked = sfg::question(graph, "r", "y");
  for (const sfg::Mode& mode : sfg::poles(graph, asked).modes)
    std::cout << "pole " << mode.pole.value << ", damping " << mode.damping << '\n';
  std::cout << "overshoot " << *sfg::step_responses(graph, {&asked, 1}).front().figures.overshoot << " %\n";
}

/* prints
pole (-0.5,-3.1225), damping 0.158114
pole (-0.5,3.1225), damping 0.158114
overshoot 60.4679 %
*/
