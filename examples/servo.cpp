// Mason's rule on a graph: the forward paths and loops of the position servo, and what they make together.
#include <iostream>

#include "sfg/expr/print.hpp"
#include "sfg/read/input.hpp"
#include "sfg/transfer/mason.hpp"

int main() {
  const sfg::Input input = sfg::read_file("servo.dot");
  const auto& graph = std::get<sfg::SignalFlowGraph>(input.content);
  const sfg::Question question{.input = *graph.find("ref"), .output = *graph.find("theta"), .reference = {}};
  const sfg::MasonListing listing = sfg::mason(graph, question);

  const auto show = [&](const sfg::Path& path, const GiNaC::ex& gain) {
    for (const sfg::NodeId node : path.nodes) std::cout << graph[node].name << ' ';
    std::cout << ": " << sfg::print(gain, sfg::Notation::text, "s") << '\n';
  };
  std::cout << "forward paths\n";
  for (const auto& path : listing.paths) show(path.path, path.gain);
  std::cout << "loops\n";
  for (const auto& loop : listing.loops) show(loop.path, loop.gain);
  std::cout << "theta/ref = " << sfg::print(listing.transmittance, sfg::Notation::text, "s") << '\n';
}

/* prints
forward paths
ref err v i tau omega theta : Ka*Km/(s*(J*s + b)*(L*s + R))
loops
err v i tau omega theta : -Ka*Km/(s*(J*s + b)*(L*s + R))
v i tau omega : -Km^2/((J*s + b)*(L*s + R))
theta/ref = Ka*Km/(J*L*s^3 + J*R*s^2 + L*b*s^2 + Km^2*s + R*b*s + Ka*Km)
*/
