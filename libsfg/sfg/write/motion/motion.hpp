#pragma once
#include <iosfwd>
#include <optional>
#include <span>

#include "sfg/derive/multibody/linear_motion.hpp"
#include "sfg/derive/multibody/multibody_equations.hpp"
#include "sfg/model/motion.hpp"
#include "sfg/multibody/aggregate_description.hpp"
#include "sfg/multibody/aggregate_run.hpp"
#include "sfg/multibody/mechanism_motion.hpp"
#include "sfg/multibody/motion_state.hpp"
#include "sfg/response/simulation.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

/// Coordinates, M(q) and f of M q̈ = f, constraints and definitions where there are any.
Page page(const EquationsOfMotion&);
/// {"schema": "sfg/derive/1", "form": "motion", "coordinates", "rates", "inputs", "M", "F", …}: docs/schema/derive.schema.json.
void write_json(std::ostream&, const EquationsOfMotion&);

/// Parts, connections, unknowns and equations in Ivankov's letters; at a state the accelerations and wrenches.
Page page(const AggregateDescription&);
/// {"schema": "sfg/derive/1", "form": "aggregate", "parts", "connections", "unknowns", "at"}: docs/schema/derive.schema.json.
void write_json(std::ostream&, const AggregateDescription&);

/// Parts, energy, momentum and drift at the connections; then the signals as of any simulation.
Page page(const AggregateMotion&);
/// {"schema": "sfg/simulate/1", "time", "signals", "figures", "aggregate"}: docs/schema/simulate.schema.json.
void write_json(std::ostream&, const AggregateMotion&);

/// How the motion was begun, what happened, what is kept, and samples of its signals.
Page page(const MechanismRun&);
/// docs/schema/simulate.schema.json; signals as of any response, with "energy", "momentum", "angular_momentum", "drift",
/// "events".
void write_json(std::ostream&, const MechanismRun&);

/// Accelerations, reactions, M and F at the state.
Page page(const MotionState&);

/// M v̇ = F + Jᵀ λ with its substitutions and how much they cost; of small motions M, C, K and B; at a state accelerations and
/// reactions.
struct MultibodyAnswer {
  const MultibodyEquations& equations;
  std::optional<MultibodyLinearization> small = {};
  std::optional<MotionState> at = {};
};
Page page(const MultibodyAnswer&);
/// Schema sfg/derive/1, the form "multibody".
void write_json(std::ostream&, const MultibodyAnswer&);

/// A table of what happened: time, kind, name, function, direction, speed, before, after; what is not known is empty.
void write_csv(std::ostream&, std::span<const RunEvent>);

}  // namespace sfg
