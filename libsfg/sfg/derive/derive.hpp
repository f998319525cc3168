#pragma once
#include "sfg/model/model.hpp"

namespace sfg {

/// The linear equations of any model.
EquationSystem derive(const Model&);

}  // namespace sfg
