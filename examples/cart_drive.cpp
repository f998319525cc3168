// A circuit and a mechanism as one model: the transfer functions through both, and the poles of the whole.
#include <iostream>

#include "sfg/control/modes.hpp"
#include "sfg/derive/derive.hpp"
#include "sfg/read/input.hpp"
#include "sfg/transfer/transfer.hpp"
#include "sfg/write/page/page.hpp"
#include "sfg/write/poles.hpp"

int main() {
  const sfg::Input input = sfg::read_file("cart_drive.toml");
  const auto& model = std::get<sfg::Model>(input.content);
  const sfg::SignalFlowGraph graph = graph_of(model);
  for (const sfg::Question& question : sfg::questions(graph))
    std::cout << graph[question.output].name << '/' << graph[question.input].name << " = "
              << sfg::transfer_function(graph, question).value.text() << '\n';
  write_text(std::cout, page(std::vector{sfg::poles(derive(model))}));
}

/* prints
x/Vin = Kt*r/(La*M*r^2*s^3 + (La*b*r^2 + M*Ra*r^2)*s^2 + (Kt^2 + La*k*r^2 + Ra*b*r^2)*s + Ra*k*r^2)
i(La)/Vin = (M*r^2*s^2 + b*r^2*s + k*r^2)/(La*M*r^2*s^3 + (La*b*r^2 + M*Ra*r^2)*s^2 + (Kt^2 + La*k*r^2 + Ra*b*r^2)*s + Ra*k*r^2)
  pole           omega_n, rad/s     damping  time const., s
  -0.6935667647        0.693567           1         1.44182
  -5.860380408          5.86038           1        0.170637
  -393.6460528          393.646           1      0.00254035
  stable
*/
