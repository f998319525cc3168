// A state-space model as a graph, and back: the same matrices; what the voltage does to the torque, without hidden states.
#include <iostream>

#include "sfg/read/input.hpp"
#include "sfg/transfer/state_space.hpp"
#include "sfg/transfer/transfer.hpp"
#include "sfg/write/page/page.hpp"
#include "sfg/write/state_space.hpp"

int main() {
  const sfg::Input input = sfg::read_file("dc_motor.toml");
  const auto& graph = std::get<sfg::SignalFlowGraph>(input.content);
  for (const sfg::Question& question : sfg::questions(graph))
    std::cout << graph[question.output].name << '/' << graph[question.input].name << " = "
              << sfg::transfer_function(graph, question).value.text() << '\n';

  sfg::StateSpaceOptions options;
  options.inputs = {*graph.find("v")};
  options.outputs = {*graph.find("torque")};
  options.minimal = true;
  write_text(std::cout, page(sfg::state_space(graph, options)));
}

/* prints
w/v = Km/(J*L*s^2 + (J*R + L*b)*s + Km^2 + R*b)
torque/v = (J*Km*s + Km*b)/(J*L*s^2 + (J*R + L*b)*s + Km^2 + R*b)
w/load = (-L*s - R)/(J*L*s^2 + (J*R + L*b)*s + Km^2 + R*b)
torque/load = Km^2/(J*L*s^2 + (J*R + L*b)*s + Km^2 + R*b)
DC motor
states   i, w
inputs   v
outputs  torque

x' = A x + B u, y = C x + D u
  A =  -R/L  -Km/L
       Km/J  -b/J
  B =  1/L
       0
  C =  Km  0
  D =  0
*/
