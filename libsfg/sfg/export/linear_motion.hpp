#pragma once
#include <span>
#include <vector>

#include "sfg/export/exported_motion.hpp"
#include "sfg/numeric/tape.hpp"

namespace sfg {

/// The outputs of another builder's tape, made in this one; its inputs are those of the same names.
std::vector<numeric::TapeBuilder::Value> inserted(numeric::TapeBuilder&, const numeric::Tape&);
/// The same with these values for its inputs.
std::vector<numeric::TapeBuilder::Value> inserted(numeric::TapeBuilder&, const numeric::Tape&,
                                                  std::span<const numeric::TapeBuilder::Value> inputs);

/// ẋ = A x + B u, y = C x + D u in the form that graphs with laws have, for files that write both alike. Every input is driven by
/// a unit step, every state starts at 0.
ExportedMotion linear_motion(const ExportedStates&, const std::vector<ExportedParameter>&);

}  // namespace sfg
