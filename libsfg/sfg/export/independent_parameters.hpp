#pragma once
#include <vector>

#include "sfg/export/exported_parameters.hpp"
#include "sfg/numeric/tape.hpp"

// Not installed: programs whose parameters are those that a caller sets.
namespace sfg {

/// The parameters that no others state, and those that others state, each in the order of the model.
std::vector<ExportedParameter> independent(const std::vector<ExportedParameter>&);
std::vector<ExportedParameter> derived(const std::vector<ExportedParameter>&);

/// The same program of the independent parameters: it calculates the derived ones itself, so that its values follow and its
/// derivatives are total ones.
/// @param tape  its first inputs are the parameters, in their order; the others stay behind the independent ones
numeric::Tape of_independent(const numeric::Tape& tape, const std::vector<ExportedParameter>&);

/// The derived parameters as a program of the independent ones.
numeric::Tape derived_values(const std::vector<ExportedParameter>&);

}  // namespace sfg
