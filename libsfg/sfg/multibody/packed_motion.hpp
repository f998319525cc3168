#pragma once
#include "sfg/multibody/mechanism_motion.hpp"
#include "sfg/numeric/kept_state.hpp"
#include "sfg/numeric/packed.hpp"

// Not installed: what a motion has found so far, as bytes.
namespace sfg {

void pack(Packer&, const MechanismRun&);
/// Into a run that has begun: signals have their names, notes of its start their places.
void unpack(Unpacker&, MechanismRun&);

/// What makes a motion the one that it is.
Identity identity_of(const MultibodyEquations&, const Multibody&, const MechanismQuestion&, std::span<const double> times,
                     const MechanismOptions&);

}  // namespace sfg
