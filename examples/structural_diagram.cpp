// A car's quarter as a structural diagram, the matrix of its equations, and its loops one by one. A program of your own writes
// each scene with write_svg().
#include <sfg/read/input.hpp>
#include <sfg/sfg.hpp>

#include <iostream>

/// The titles of all groups of a class.
void list(const sfg::Scene& scene, const std::string& style) {
  for (const sfg::SceneGroup& group : scene.groups)
    if (group.style == style) std::cout << "  " << group.title << '\n';
}

int main() {
  const sfg::Model model = std::get<sfg::Model>(sfg::read_file("quarter_car.toml").content);
  const sfg::EquationSystem equations = sfg::derive(model);
  const sfg::SignalFlowGraph graph = sfg::from_equations(equations).graph;

  sfg::BlockDiagramOptions options;
  for (const auto& coordinate : equations.unknowns) options.coordinates.push_back(coordinate.name);
  const sfg::Scene diagram = sfg::block_diagram(graph, options);
  std::cout << diagram.title << "\nrows of coordinates\n";
  list(diagram, "subsystem");
  std::cout << "summing points\n";
  list(diagram, "sum");
  std::cout << "blocks\n";
  list(diagram, "block");

  const sfg::Scene matrix = sfg::matrix_picture(sfg::operator_matrix(equations));
  std::cout << matrix.title << '\n';
  list(matrix, "cell");

  const sfg::MasonListing listing = sfg::mason(graph, sfg::question(graph, "z_r", "z_s"));
  const sfg::Scene sheet = sfg::loop_sheet(graph, {&listing, 1});
  std::cout << sheet.title << '\n';
  list(sheet, "tile");
}

/* prints
Quarter car: structural diagram
rows of coordinates
  z_s
  z_u
summing points
  e_z_s
  e_z_u
blocks
  e_z_s → z_s: 1/(m_s*p^2 + c_s*p + k_s)
  z_u → e_z_s: c_s*p + k_s
  e_z_u → z_u: 1/(m_u*p^2 + p*(c_s + c_t) + k_s + k_t)
  z_s → e_z_u: c_s*p + k_s
  z_r → e_z_u: c_t*p + k_t
Quarter car: matrix D
  z_s, z_s: m_s*p^2 + c_s*p + k_s
  z_s, z_u: −c_s*p − k_s
  z_u, z_s: −c_s*p − k_s
  z_u, z_u: m_u*p^2 + p*(c_s + c_t) + k_s + k_t
Quarter car: forward paths and loops
  Forward path 1: z_r → e_z_u → z_u → e_z_s → z_s
  Loop 1: z_s → e_z_u → z_u → e_z_s → z_s
*/
