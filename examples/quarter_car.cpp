// From a model to a picture: equations, signal-flow graph, drawing, SVG.
#include <fstream>
#include <iostream>

#include "sfg/derive/derive.hpp"
#include "sfg/draw/graph/layout.hpp"
#include "sfg/draw/svg.hpp"
#include "sfg/graph/from_equations.hpp"
#include "sfg/read/input.hpp"

int main(int count, char** arguments) {
  const sfg::Input input = sfg::read_file("quarter_car.toml");
  const sfg::EquationSystem equations = sfg::derive(std::get<sfg::Model>(input.content));
  const sfg::SignalFlowGraph graph = sfg::from_equations(equations).graph;

  const sfg::Drawing drawing = sfg::layout(graph);
  if (count > 1) {
    std::ofstream file(arguments[1]);
    sfg::write_svg(file, drawing);
  }
  for (const sfg::DrawnBranch& branch : drawing.branches)
    std::cout << graph[graph[branch.id].from].name << " -> " << graph[graph[branch.id].to].name << ": "
              << sfg::write(branch.gain.math, sfg::Notation::latex) << (branch.feedback ? "  (feedback)\n" : "\n");
}

/* prints
e_z_s -> z_s: \frac{1}{m_{s} p^{2} + c_{s} p + k_{s}}
z_u -> e_z_s: c_{s} p + k_{s}
F_s -> e_z_s: 1
e_z_u -> z_u: \frac{1}{m_{u} p^{2} + p \left(c_{s} + c_{t}\right) + k_{s} + k_{t}}
z_s -> e_z_u: c_{s} p + k_{s}  (feedback)
F_u -> e_z_u: 1
z_r -> e_z_u: c_{t} p + k_{t}
*/
