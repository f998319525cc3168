#pragma once
#include <string>
#include <vector>

#include "sfg/multibody/mechanism_motion.hpp"
#include "sfg/multibody/moving_mechanism.hpp"
#include "sfg/nonlinear/run/checked_run.hpp"
#include "sfg/numeric/kept_state.hpp"
#include "sfg/numeric/packed.hpp"

// Not installed.
namespace sfg {

/// Keeps the signals of a run and the account of its energy and momenta.
class MechanismRecord {
 public:
  /// @param names  of signals; empty: all coordinates
  /// @param into   what is seen is added to it
  MechanismRecord(const MovingMechanism&, std::vector<std::string> names, MechanismRun& into);

  /// A sample. @throws NoAnswer where it is not finite.
  void see(double t, const MovingMechanism::State&);
  /// How far angles have come.
  void pack(Packer&) const;
  void unpack(Unpacker&);

 private:
  void turn(double t, const Eigen::VectorXd& values);
  void note_momentum(MechanismRun::Momentum&, const Eigen::VectorXd& now) const;

  struct Angle {
    std::size_t signal, rate;
    double before = 0, time = 0;
  };
  const MovingMechanism& mechanism_;
  const CompiledMotion& motion_;
  MechanismRun& found_;
  std::vector<Angle> angles_;
  CompiledMotion::Outputs outputs_;
  Eigen::Index momentum_ = 0;
};

/// What is compared of runs: the signals at the times that all of them reach, `count` in all.
RunSamples samples_of_run(const MechanismRun&, const std::vector<double>& jumps, std::size_t count);

void pack(Packer&, const MechanismRun&);
/// Into a run that has begun: signals have their names, notes of its start their places.
void unpack(Unpacker&, MechanismRun&);

/// What makes a motion the one that it is.
Identity identity_of(const MultibodyEquations&, const Multibody&, const MechanismQuestion&, std::span<const double> times,
                     const MechanismOptions&);

}  // namespace sfg
