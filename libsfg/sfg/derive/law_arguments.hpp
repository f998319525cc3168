#pragma once
#include "sfg/model/equations.hpp"

// Not installed: how laws name their signals.
namespace sfg {

/// The first argument becomes u and its rate v, unless the model has these names: then the branch says all signals by their own.
void name_first_argument(EquationSystem&, EquationSystem::Law&);

}  // namespace sfg
