// A transfer function in lowest terms: the sum of both displacements does not see the mode in which they swing against
// each other. What was cancelled is kept.
#include <iostream>

#include "sfg/expr/print.hpp"
#include "sfg/read/input.hpp"
#include "sfg/transfer/transfer.hpp"

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

/* prints
x1/F1 = (m*s^2 + k + kc)/(m^2*s^4 + (2*k*m + 2*kc*m)*s^2 + k^2 + 2*k*kc)
  cancelled: 1
  verified by sparse LU modulo 2 primes of 61 bits
sum/F1 = 1/(m*s^2 + k)
  cancelled: m*s^2 + k + 2*kc
  verified by sparse LU modulo 2 primes of 61 bits
*/
