#pragma once
#include "sfg/budget.hpp"
#include "sfg/derive/derive.hpp"
#include "sfg/model/model.hpp"

namespace sfg {

/// The equations of the parts side by side, and one for every signal that branches enter: the sum of what they bring. An
/// expression that a branch leaves is a signal with an equation of its own.
/// @throws sfg::Error with every problem of the connections (see problems(const Joined&)), and as the derivations of the parts.
ModelEquations joined_equations(const Joined&, Rest = Rest::stays, const Budget& = {});

}  // namespace sfg
