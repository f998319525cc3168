#pragma once
#include <string_view>

#include "sfg/model/equations.hpp"

namespace sfg {

/// For analyses of linear equations, which would leave the laws out without a word.
/// @param consequence  what follows, for the message: " and the equations have no poles"
/// @throws sfg::Error with the place of every law of the equations.
void refuse_laws(const EquationSystem&, std::string_view consequence);

}  // namespace sfg
