// A circuit and a mechanism as one model: the transfer functions through both, and the poles of the whole.
#include <iostream>

#include "sfg/control/modes.hpp"
#include "sfg/derive/derive.hpp"
#include "sfg/read/input.hpp"
#include "sfg/transfer/transfer.hpp"
#include "sfg/write/page_text.hpp"
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
 */
