#pragma once
#include "sfg/derive/energies.hpp"

namespace sfg {

/// The checks of docs/design/derivation.md, section 2, for a model that is linear as it stands: T, Pi, Phi of degree at most 2 in
/// all variables and rates together, no rate in Pi, no coordinate in Phi.
/// @throws sfg::Error with every summand that fails, naming the term.
void check_linear_model(const Energies&);

}  // namespace sfg
