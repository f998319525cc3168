#pragma once
#include <string>

#include "sfg/export/c/c_program.hpp"
#include "sfg/export/c/c_text.hpp"
#include "sfg/export/exported_motion.hpp"
#include "sfg/export/exported_transfers.hpp"

// Not installed: the parts of a C file, each a text.
namespace sfg {

/// Declarations and definitions of functions.
struct CPart {
  std::string declarations, definitions;
};

/// NAME_transfer_K and NAME_gradient_K.
CPart c_transfer(CText&, const ExportedTransfer&, std::size_t k);
/// NAME_ABCD, NAME_hold (continuous) and NAME_step: of a continuous system y after a time dt, of a sampled one y of the sample,
/// then the states of the next.
CPart c_states(CText&, const ExportedStates&, bool discrete);
/// NAME_rates and NAME_output of a nonlinear graph.
CPart c_motion(CText&, const ExportedMotion&, bool discrete);
/// NAME_step_fixed. @throws NoAnswer where a coefficient does not fit
CPart c_fixed_step(CText&, const ExportSubject&, const std::vector<ExportedParameter>&, const ExportedStates&, FixedPoint);

/// int main, which prints step and frequency parts.
std::string c_main(const CText&, const ExportSubject&, const std::vector<ExportedTransfer>&, const ExportedStates&);
/// int main of a nonlinear graph, which prints its response. `reach`: of its states, where time is continuous.
std::string c_main(CText&, const ExportSubject&, const ExportedMotion&, std::vector<double> reach);

}  // namespace sfg
