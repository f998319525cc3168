// From bodies and joints to code: the equations of motion as a list of substitutions, the list as a file and read back, and C
// that evaluates it.
#include <cstdio>
#include <sstream>

#include "sfg/derive/multibody/multibody_equations.hpp"
#include "sfg/derive/multibody/substitution.hpp"
#include "sfg/read/input.hpp"
#include "sfg/read/substitutions.hpp"
#include "sfg/write/substitutions/substitutions.hpp"

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
  const std::size_t begin = code.find('{', code.rfind("void pendulum_F"));
  std::printf("void pendulum_F(…) %s\n", code.substr(begin, code.find("\n}", begin) + 2 - begin).c_str());
}

/* prints
35 operations with substitutions, 72 without
M = [0.760194 -0.054903; -0.054903 0.128000], F = [-9.699831; -0.863692]
void pendulum_F(…) {
  double sub[78];
  (void)p;
  (void)x;
  (void)u;
  (void)t;
  sub[1] = sin(x[0]);
  sub[3] = pow(x[2],2);
  sub[10] = x[2]+x[3];
  sub[11] = x[0]+x[1];
  sub[12] = sin(sub[11]);
  sub[14] = pow(sub[10],2);
  sub[15] = p->lc1*p->m1;
  sub[29] = p->lc2*p->m2;
  sub[60] = p->l1*p->m2;
  sub[62] = -sub[15]-sub[60];
  sub[63] = p->l1*sub[29];
  sub[65] = sin(x[1]);
  sub[67] = sub[63]*sub[65];
  sub[70] = p->g*sub[62];
  sub[72] = sub[1]*sub[70];
  sub[73] = p->g*sub[29];
  sub[75] = sub[12]*sub[73];
  sub[76] = sub[3]*sub[67]+sub[75];
  sub[77] = sub[76]-sub[14]*sub[67]-sub[72];
  F[0] = u[0]-sub[77];
  F[1] = u[1]-sub[76];
}
*/
