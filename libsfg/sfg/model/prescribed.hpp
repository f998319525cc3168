#pragma once
#include <string>

#include "sfg/model/multibody.hpp"

// Not installed.
namespace sfg {

/// Whether a constraint of the model contains the symbol.
bool is_constrained(const Multibody&, const GiNaC::ex& symbol);

/// Makes a parameter without a value, which a constraint contains, an input that moves the constraint.
/// @return whether it is one now
bool prescribe(Multibody&, const std::string& name);

}  // namespace sfg
