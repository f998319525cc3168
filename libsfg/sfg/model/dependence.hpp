#pragma once
#include <cstddef>
#include <vector>

#include "sfg/model/equations.hpp"

namespace sfg {

/// Equations of which one follows from the others whatever the values of the symbols (det D = 0); empty when there are none, or
/// when finding out would take long. Found at a random point modulo a prime: wrong with a probability below 1e-15.
std::vector<std::size_t> dependent_equations(const EquationSystem&);

}  // namespace sfg
