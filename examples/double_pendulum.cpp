// From bodies and joints to code: the equations of motion as a list of substitutions, the list as a file and read back, and C that
// evaluates it.
#include <cstdio>
#include <sstream>

#include "sfg/derive/multibody/substitution_list.hpp"
#include "sfg/read/input.hpp"
#include "sfg/read/substitutions.hpp"
#include "sfg/write/substitution_code.hpp"
#include "sfg/write/substitutions.hpp"

int main() {
  const sfg::Input input = sfg::read_file("double_pendulum.toml");
  const auto& model = std::get<sfg::Multibody>(std::get<sfg::Model>(input.content));
  const sfg::MultibodyEquations equations = sfg::multibody_equations(model);
  std::printf("%zu operations with substitutions, %.0f without\n", equations.operations.substituted, equations.operations.direct);

  const sfg::SubstitutionList list = sfg::substitution_list(equations, model);
  std::ostringstream file;
  sfg::write_substitutions(file, list, sfg::SubstitutionForm::indexed);
  const sfg::SubstitutionList again = sfg::read_substitutions(file.str(), "double_pendulum.idx");

  sfg::SubstitutionPoint point = sfg::sample_point(again);  // the stated values of the parameters
  point.states = {0.751, 2.383, 2.205, -2.198};             // s1, s2 and their rates
  point.inputs = {0, 0};
  const std::vector<double> values = sfg::values_at(again, point);
  std::printf("M = [%.6f %.6f; %.6f %.6f], F = [%.6f; %.6f]\n", values[0], values[1], values[2], values[3], values[4], values[5]);

  std::ostringstream c;
  sfg::write_c(c, list, {.name = "pendulum"});
  const std::string code = c.str();
  const std::size_t begin = code.find("void pendulum_F");
  std::printf("%s\n", code.substr(begin, code.find(';', begin) - begin).c_str());
}

/* prints
*/
