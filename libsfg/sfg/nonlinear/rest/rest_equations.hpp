#pragma once
#include <cstddef>
#include <map>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/exact/rational.hpp"
#include "sfg/nonlinear/principal.hpp"
#include "sfg/nonlinear/run/dynamics.hpp"

// Not installed.
namespace sfg {

/// A principal form at rest: what remains when every state has found its value. With exact numbers; signals that integrate make
/// no difficulty, where the transmittances at 0 do not exist.
struct RestEquations {
  /// Σ over arguments, outputs of the laws and sources.
  struct Sum {
    std::map<std::size_t, exact::Rational> arguments, laws, sources;
  };
  std::vector<Sum> equations;  ///< each is 0; as many as arguments
  std::vector<Sum> sinks;      ///< their values, of arguments, laws and sources
};

/// Inputs that take the values at which sinks have those that are wanted, as many of the one as of the other.
struct RestTrim {
  std::vector<std::size_t> freed;  ///< sources of the form; each node is an argument, too
  struct Wanted {
    std::size_t sink, source;  ///< the source is a node of its own: the value
  };
  std::vector<Wanted> wanted;
};

/// @param exact  of the form's inputs and outputs
/// @throws NoAnswer where signals are not determined at rest (a body that nothing holds).
RestEquations rest_equations(const PrincipalForm&, const ExactDynamics& exact, const RestTrim& = {}, const Budget& = {});

}  // namespace sfg
