#pragma once
#include <functional>
#include <string>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/export/c/code_lines.hpp"
#include "sfg/export/exported_motion.hpp"
#include "sfg/export/exported_parameters.hpp"
#include "sfg/export/targets.hpp"

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

/// The prefix of steps that are to be written in another way than as variables: "@1", "@2" …, which no formula has otherwise.
inline constexpr const char* step_mark = "@";

/// A formula whose steps "@k" are written as that function says (k from 1).
std::string with_steps(const std::string& formula, const std::function<std::string(std::size_t k)>& step);

/// The value of a parameter in a file: its number, or one formula of the others that it follows.
/// @param names  what the parameters are called there, in the order of `all`
std::string stated_formula(const ExportedParameter&, const std::vector<ExportedParameter>& all,
                           const std::vector<std::string>& names, const CodeSyntax&);

}  // namespace sfg
