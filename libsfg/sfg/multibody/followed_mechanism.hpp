#pragma once
#include <ginac/ex.h>

#include <cstddef>
#include <set>
#include <vector>

#include "sfg/multibody/mechanism_jumps.hpp"
#include "sfg/multibody/mechanism_motion.hpp"
#include "sfg/multibody/mechanism_start.hpp"
#include "sfg/response/time_scales.hpp"

// Not installed.
namespace sfg {

/// What all runs of a motion share.
struct FollowedMechanism {
  FollowedMechanism(const Multibody& stated, const MultibodyEquations& equations, const MechanismQuestion& question, double until,
                    const EquilibriumStart& rest, const Budget& budget);
  FollowedMechanism(const FollowedMechanism&) = delete;
  FollowedMechanism& operator=(const FollowedMechanism&) = delete;

  const Multibody& model;
  const EquilibriumStart& rest;
  std::vector<GiNaC::ex> distances;
  EquationsWithJumps jumping;
  CompiledMotion motion;
  std::vector<std::size_t> driven_inputs;
  Drives drives;
  Kinks kinks;
  GiNaC::ex own_time;
  std::vector<GiNaC::ex> of_time;  ///< functions of it alone: inputs and parts of the equations
  TimeScales scales;
  std::set<double> corners;
  std::vector<Diagnostic> notes = {};

 private:
  const std::vector<GiNaC::ex>& functions_of_time(const MechanismQuestion& question);
  /// What moves constraints must go on without jumps.
  void check_prescribed(const MechanismQuestion& question, double until, const Budget& budget);
};

}  // namespace sfg
