#pragma once
#include <span>
#include <string>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/export/exported_parameters.hpp"
#include "sfg/export/exported_transfers.hpp"
#include "sfg/export/targets.hpp"
#include "sfg/numeric/tape.hpp"

namespace sfg {

/// ẋ = A x + B u, y = C x + D u (of a graph in z: the next x on the left) whose entries are programs of the parameters.
struct ExportedStates {
  std::vector<std::string> states, inputs, outputs;
  /// Inputs: the parameters. Outputs: all entries of A, B, C, D, each row by row.
  numeric::Tape entries;
  std::vector<std::string> improper = {};  ///< "OUT/IN" of what is left out, since it has no such form; its entries are 0
  std::size_t entry_count() const { return (states.size() + outputs.size()) * (states.size() + inputs.size()); }
};

/// The states are signals of the graph; where these would make the entries too long, or a response is improper, they are those of
/// companion forms of the transfer functions, scaled in time.
/// @throws NoAnswer  where there is dead time
ExportedStates exported_states(const ExportSubject&, const std::vector<ExportedParameter>&, const std::vector<ExportedTransfer>&,
                               const Budget& = {});

/// Companion forms of the transfer functions without their dead times, one beside the other.
ExportedStates companion_states(const ExportSubject&, const std::vector<ExportedParameter>&,
                                const std::vector<ExportedTransfer>&);

/// ẋ = f(t, x, u), y = g(t, x, u) of a graph with laws, as one program.
struct ExportedMotion {
  std::vector<std::string> states, inputs, outputs;
  std::vector<double> start;  ///< x at t = 0
  /// Inputs: the parameters, t, the states, the inputs. Outputs: the derivatives of the states (of a graph in z: the next
  /// states), then the outputs.
  numeric::Tape rates;
  /// Inputs: the parameters, t. Outputs: the subject's drives of the inputs.
  numeric::Tape drives;
  /// Times at which the drives, or laws by the time alone, jump or bend, and ends of parts in which they vary faster than the
  /// times of the table tell: no step of an integrator goes over one of them.
  std::vector<double> switches = {};
  /// Branches whose law jumps and acts on the rate of what it depends on: dry friction that sticks, a relay that slides. An
  /// integrator that only makes its steps smaller stays there for ever.
  std::vector<BranchId> sliding = {};
};

/// @throws NoAnswer naming tail and head of a law: laws in a loop without an integrator, laws with memory
/// (backlash, hysteresis); as state_space()
ExportedMotion exported_motion(const ExportSubject&, const std::vector<ExportedParameter>&, const Budget& = {});

/// @throws NoAnswer naming tail and head of the first law that may slide: for targets whose integrators know no events
void refuse_sliding(const ExportSubject&, const ExportedMotion&);

/// The outputs of another builder's tape, made in this one; its inputs are those of the same names.
std::vector<numeric::TapeBuilder::Value> inserted(numeric::TapeBuilder&, const numeric::Tape&);
/// The same with these values for its inputs.
std::vector<numeric::TapeBuilder::Value> inserted(numeric::TapeBuilder&, const numeric::Tape&,
                                                  std::span<const numeric::TapeBuilder::Value> inputs);

/// ẋ = A x + B u, y = C x + D u in the form that graphs with laws have, for files that write both alike. Every input is driven by
/// a unit step, every state starts at 0.
ExportedMotion linear_motion(const ExportedStates&, const std::vector<ExportedParameter>&);

}  // namespace sfg
