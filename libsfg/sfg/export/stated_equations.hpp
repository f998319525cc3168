#pragma once
#include <string>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/export/export_subject.hpp"
#include "sfg/export/exported_motion.hpp"
#include "sfg/export/exported_parameters.hpp"

namespace sfg {

/// The equations of any graph, for files that state them instead of transfer functions: modules of hardware, Modelica.
struct StatedEquations {
  std::vector<ExportedParameter> parameters;
  ExportedMotion motion;
  std::string verified;           ///< for the header
  std::vector<std::string> laws;  ///< of nonlinear branches, as stated, for a comment: "law of 'x' -> 'y': u^3"
};

/// Of a linear graph state space equations, of another those with its laws.
/// @throws NoAnswer naming the branch that makes a response improper, that has dead time, or a law in a loop without an
/// integrator; sfg::Error naming parameters without values
StatedEquations stated_equations(const ExportSubject&, const Budget& = {});

}  // namespace sfg
