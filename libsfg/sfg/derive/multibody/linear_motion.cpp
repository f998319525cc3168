#include "sfg/derive/multibody/multibody_equations.hpp"

namespace sfg {

EquationSystem linear_equations(const Multibody& model, const Budget&, std::vector<Diagnostic>*) {
  throw Error(model.where, "multibody models are not linearised by this version yet");
}

}  // namespace sfg
