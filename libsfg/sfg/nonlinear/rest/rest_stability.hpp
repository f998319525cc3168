#pragma once
#include <optional>
#include <string>
#include <vector>

#include "sfg/nonlinear/compiled_laws.hpp"
#include "sfg/nonlinear/principal.hpp"
#include "sfg/nonlinear/rest/rest_pieces.hpp"
#include "sfg/nonlinear/run/dynamics.hpp"

// Not installed.
namespace sfg {

struct RestStability {
  std::optional<bool> stable = {};
  std::string open = {};  ///< why it is not decided
};

/// Whether small motions around a state of rest die away. Smooth laws: by the roots of the linearised system. At a corner: where
/// one quadratic Lyapunov function serves all one-sided slopes. At a jump: where the law pushes its argument away in the lowest
/// derivative that it reaches the state is left; where it pushes it back in the first one, the argument stays where it is (Utkin
/// 1992), and the motion that is left decides; otherwise it is not decided.
/// @param set  that the state lies within: motions along it are no departure
RestStability rest_stability(const PrincipalForm&, const CompiledLaws&, const Dynamics& linear,
                             const std::vector<double>& arguments, const RestPiece* set = nullptr);

}  // namespace sfg
