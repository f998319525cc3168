// Derivation: the energies of the vehicle become equations, and each equation is solved for its own coordinate (Eq. 11).
#include <iostream>

#include "sfg/derive/lagrange.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/read/input.hpp"

int main() {
  const sfg::Input input = sfg::read_file("vehicle.toml");
  const auto& lagrangian = std::get<sfg::Lagrangian>(std::get<sfg::Model>(input.content));
  const sfg::LagrangeEquations equations = sfg::lagrange_equations(lagrangian);

  const GiNaC::ex p = equations.symbols.at("p").expr;
  for (const std::string& row : equations.coordinates)
    for (const std::string& column : equations.coordinates)
      std::cout << "d[" << row << "][" << column
                << "] = " << sfg::print(equations.left(row, column).in(p), sfg::Notation::text, "p") << '\n';
  std::cout << "\nZ = " << sfg::print(equations.solved("Z"), sfg::Notation::text, "p") << '\n';

  std::cout << "\nMark has " << equations.mark.size() << " rows; those of Z:\n";
  for (const sfg::MarkRow& mark : equations.mark)
    if (mark.group == 3) std::cout << mark.number << ' ' << mark.name << (mark.denominator ? " den\n" : " num\n");
}
