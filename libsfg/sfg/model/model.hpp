#pragma once
#include <variant>

#include "sfg/model/circuit.hpp"
#include "sfg/model/equations.hpp"
#include "sfg/model/joined.hpp"
#include "sfg/model/lagrangian.hpp"
#include "sfg/model/multibody.hpp"
#include "sfg/model/polar_network.hpp"

namespace sfg {

/// What a user may state instead of a graph.
using Model = std::variant<EquationSystem, Lagrangian, Circuit, PolarNetwork, Multibody, Joined>;

}  // namespace sfg
