#pragma once
#include <string>
#include <vector>

#include "sfg/multibody/assembly.hpp"
#include "sfg/multibody/mechanism_motion.hpp"
#include "sfg/multibody/moving_mechanism.hpp"

// Not installed.
namespace sfg {

/// The number that a value of the model is. @throws sfg::Error where it is none.
double number_of(const CompiledMotion&, const GiNaC::ex& value, const std::string& what, const SourceSpan& where);

/// The model with springs that an event releases: as strong as their input, which is 1 as long as they hold.
Multibody releasable(const Multibody&);
/// The name of that input.
std::string holding(const std::string& spring);

/// Where a model with an [equilibrium] starts: coordinates and steady rates that the question leaves open, and inputs that keep
/// it there. Where loops are closed from given coordinates, what `assembly` says of the others goes before.
struct EquilibriumStart {
  std::vector<InitialValue> values = {};
  std::vector<MechanismQuestion::Input> inputs = {};
  std::vector<Diagnostic> notes = {};  ///< what starts there; or why there is no equilibrium
};
EquilibriumStart equilibrium_start(const Multibody&, const MultibodyEquations&, const MechanismQuestion&, const Budget&);

/// Inputs that neither the question nor the model states: they are 0.
/// @param question  with the inputs of the equilibrium
void note_unstated_inputs(const Multibody&, const MechanismQuestion& question, std::vector<Diagnostic>&);

/// Values that the question, the equilibrium and the model give to the state, and which of them are held first.
/// @throws sfg::Error for names that are none.
AssemblyStart start_of(const Multibody&, const CompiledMotion&, const MechanismQuestion&, const EquilibriumStart& = {});

/// Redundant constraints, a singular position at the start, and mechanisms that cannot move.
void add_constraint_notes(const MovingMechanism&, const MovingMechanism::State& at, Eigen::Index rank, std::vector<Diagnostic>&);

/// Quaternions that are given with another length than 1.
void add_quaternion_notes(const CompiledMotion&, const AssemblyStart&, std::vector<Diagnostic>&);

/// Of the stops of a model, in their order. @throws sfg::Error for one that is none
std::vector<double> restitutions(const Multibody&, const CompiledMotion&);
/// @param told  those before it have been told one by one; else it stands for all that follow
Diagnostic note_of_singular_position(double from, double to, bool told);

}  // namespace sfg
