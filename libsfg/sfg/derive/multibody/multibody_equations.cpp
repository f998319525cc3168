#include "sfg/derive/multibody/multibody_equations.hpp"

namespace sfg {

MultibodyEquations multibody_equations(const Multibody& model, const SubstitutionOptions&, const Budget&) {
  throw Error(model.where, "the equations of multibody models are not derived by this version yet");
}

}  // namespace sfg
