// A nonlinear model: its equations of motion; the equilibrium is found, the equations are linearised there, and the modes show
// that it is stable.
#include <cstdio>
#include <string>

#include "sfg/control/poles.hpp"
#include "sfg/derive/lagrange.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/read/input.hpp"
#include "sfg/transfer/exact_transfer.hpp"

int main() {
  const sfg::Input input = sfg::read_file("cart_pendulum.toml");
  const auto& lagrangian = std::get<sfg::Lagrangian>(std::get<sfg::Model>(input.content));
  const sfg::EquationsOfMotion motion = sfg::equations_of_motion(lagrangian);
  for (std::size_t i = 0; i < motion.coordinates.size(); ++i) {
    std::string inertia;
    for (std::size_t j = 0; j < motion.coordinates.size(); ++j)
      inertia += (j == 0 ? "(" : " + (") + sfg::print(motion.M[i][j]) + ")*" + motion.coordinates[j].name + "''";
    std::printf("%s = %s\n", inertia.c_str(), sfg::print(motion.F[i]).c_str());
  }

  const sfg::LagrangeEquations equations = sfg::lagrange_equations(lagrangian);

  for (const auto& [coordinate, value] : equations.equilibrium->values) std::printf("%s = %.6f\n", coordinate.c_str(), value);
  std::printf("the stiffness there is %s\n", equations.equilibrium->stable ? "positive" : "not positive");

  const auto modes = sfg::poles_zeros(sfg::characteristic_coefficients(equations.equations()), equations.op);
  for (const sfg::Mode& mode : modes.modes)
    if (mode.pole.value.imag() > 0) std::printf("mode: %.5f rad/s, damping %.5f\n", mode.frequency, mode.damping);
}

/* prints
(Mc + mb)*x'' + (l*mb*cos(th))*th'' = Dth^2*l*mb*sin(th) - Dx*c + F - k*x
(l*mb*cos(th))*x'' + (l^2*mb)*th'' = g*l*mb*sin(th) - Dth*ct - kt*th + kt*th0
th = 0.502478
x = 0.000000
the stiffness there is positive
mode: 4.18267 rad/s, damping 0.07259
mode: 6.30929 rad/s, damping 0.11209
*/
