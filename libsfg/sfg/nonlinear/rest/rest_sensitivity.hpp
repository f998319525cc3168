#pragma once
#include <map>
#include <string>
#include <vector>

#include "sfg/nonlinear/principal.hpp"
#include "sfg/nonlinear/rest/rest_equations.hpp"

// Not installed.
namespace sfg {

/// How a state of rest moves with the parameters, by the implicit function theorem: dx/dk = −J⁻¹ ∂R/∂k, R the equations of all
/// nodes at s = 0, cleared of denominators, J = ∂R/∂x. Derived parameters move with what they follow from.
/// @param inputs     constants, by source
/// @param arguments  of the laws, at rest
/// @param trim       freed inputs move so that wanted signals do not
/// @returns signal → parameter → derivative; empty where the state is not isolated
std::map<std::string, std::map<std::string, double>> rest_sensitivities(const PrincipalForm&, const std::vector<double>& inputs,
                                                                        const std::vector<double>& arguments,
                                                                        const RestTrim& trim = {});

}  // namespace sfg
