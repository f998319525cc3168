#pragma once
#include "sfg/budget.hpp"
#include "sfg/model/equations.hpp"
#include "sfg/model/joined.hpp"

namespace sfg {

/// The equations of the parts side by side, and one for every signal that branches enter: the sum of what they bring. An
/// expression that a branch leaves is a signal with an equation of its own.
/// @param notes  receives what the derivation of a part has to say, when given.
/// @throws sfg::Error with every problem of the connections (see problems(const Joined&)), and as the derivations of the parts.
EquationSystem joined_equations(const Joined&, const Budget& = {}, std::vector<Diagnostic>* notes = nullptr);

}  // namespace sfg
