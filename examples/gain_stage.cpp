// What dominates: the transfer function of a gain stage within half a decibel, and formulas for its poles.
#include <iostream>

#include "sfg/approximate/approximate.hpp"
#include "sfg/derive/derive.hpp"
#include "sfg/graph/from_equations.hpp"
#include "sfg/read/input.hpp"

int main() {
  const sfg::Input input = sfg::read_file("gain_stage.cir");
  const sfg::SignalFlowGraph graph = sfg::from_equations(sfg::derive(std::get<sfg::Model>(input.content))).graph;
  const sfg::Question question{.input = *graph.find("I1"), .output = *graph.find("v(2)"), .reference = {}};
  const sfg::ApproximateOptions options{.limit = {.magnitude_db = 0.5, .phase_deg = 2}, .range = std::pair(1e3, 1e9)};
  const sfg::ApproximateTransfer found = sfg::approximate_transfers(graph, std::span(&question, 1), options).front();

  std::cout << "v(2)/I1 = " << found.value.text() << '\n'
            << found.denominator.kept << " of " << found.denominator.of << " terms of the denominator; at most "
            << (found.error.magnitude_db < 0.5 ? "half a decibel" : "more") << " off\n";
  for (const sfg::SplitRoots& pole : found.poles) std::cout << "pole at " << pole.formula.text() << '\n';
  for (const sfg::SplitRoots& zero : found.zeros) std::cout << "zero at " << zero.formula.text() << '\n';
}

/* prints
v(2)/I1 = (Cc*R1*R2*s - G1*R1*R2)/((C1*C2*R1*R2 + C1*Cc*R1*R2 + C2*Cc*R1*R2)*s^2 + Cc*G1*R1*R2*s + 1)
5 of 9 terms of the denominator; at most half a decibel off
pole at -1/(Cc*G1*R1*R2)
pole at -Cc*G1/(C1*C2 + C1*Cc + C2*Cc)
zero at G1/Cc
*/
