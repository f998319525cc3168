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

/* prints
d[phix][phix] = Jx*p^2 + 4*h*l2^2*p + 4*k*l2^2
d[phix][phiy] = -Jxy*p^2
d[phix][Z] = -m*ys*p^2
d[phiy][phix] = -Jxy*p^2
d[phiy][phiy] = Jy*p^2 + 4*h*l1^2*p + 4*k*l1^2
d[phiy][Z] = m*xs*p^2
d[Z][phix] = -m*ys*p^2
d[Z][phiy] = m*xs*p^2
d[Z][Z] = m*p^2 + 4*h*p + 4*k

Z = (m*phix*ys*p^2 - m*phiy*xs*p^2 + Pz + z1*(h*p + k) + z2*(h*p + k) + z3*(h*p + k) + z4*(h*p + k))/(m*p^2 + 4*h*p + 4*k)

Mark has 24 rows; those of Z:
17 Z den
18 Pz num
19 phix num
20 phiy num
21 z1 num
22 z2 num
23 z3 num
24 z4 num
*/
