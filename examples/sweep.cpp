// The same question for many values of a parameter: damping against overshoot, by one symbolic transfer function.
#include <sfg/sfg.hpp>

#include <cstdio>

int main() {
  sfg::SignalFlowGraph graph;
  const auto r = graph.node("r"), e = graph.node("e"), y = graph.node("y");
  graph.add_branch(r, e, 1);
  graph.add_branch(e, y, sfg::parse("wn^2/(s*(s + 2*zeta*wn))", graph.symbols));
  graph.add_branch(y, e, -1);
  graph.symbols.add({.name = "wn", .value = 2});
  const sfg::Question asked = sfg::question(graph, "r", "y");

  //! [sweep]
  const sfg::Sweep sweep({{"zeta", sfg::even_values(0, 1, 5)}, {"wn", {2, 4}}});
  const sfg::SweptTransfers transfers(graph, {&asked, 1}, sweep);
  for (const sfg::SweepSet& set : sweep.sets()) {
    const sfg::PolesZeros poles = sfg::poles_zeros(transfers.at(set).front());
    std::printf("%-18s %s, slowest pole at %g 1/s\n", set.text().c_str(), poles.stable ? "stable" : "not stable",
                poles.modes.front().pole.value.real());
  }
  //! [sweep]
}

/* prints
zeta=0, wn=2       not stable, slowest pole at 0 1/s
zeta=0, wn=4       not stable, slowest pole at 0 1/s
zeta=0.25, wn=2    stable, slowest pole at -0.5 1/s
zeta=0.25, wn=4    stable, slowest pole at -1 1/s
zeta=0.5, wn=2     stable, slowest pole at -1 1/s
zeta=0.5, wn=4     stable, slowest pole at -2 1/s
zeta=0.75, wn=2    stable, slowest pole at -1.5 1/s
zeta=0.75, wn=4    stable, slowest pole at -3 1/s
zeta=1, wn=2       stable, slowest pole at -2 1/s
zeta=1, wn=4       stable, slowest pole at -4 1/s
*/
