#pragma once
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "sfg/multibody/compiled_motion.hpp"
#include "sfg/multibody/small_elimination.hpp"
#include "sfg/nonlinear/run/drives.hpp"
#include "sfg/numeric/packed.hpp"

// Not installed.
namespace sfg {

/// A mechanism with its inputs as functions of time, and the constraints that hold at present: ẋ of x = (q, v, work).
class MovingMechanism {
 public:
  /// @param driven  for each driven input of `drives`, its number among those of the motion
  MovingMechanism(const CompiledMotion&, const Drives& drives, std::vector<std::size_t> driven);

  struct State {
    Eigen::VectorXd q, v;
    double work = 0;  ///< done on the mechanism by what is not in its potential energy
  };
  Eigen::Index size() const { return motion_.coordinates() + motion_.speeds() + (with_work_ ? 1 : 0); }
  State state(const Eigen::VectorXd& x) const;
  Eigen::VectorXd packed(const State&) const;

  /// Whether rows of constraints, then of stops, hold.
  std::vector<bool> holds;
  /// Inputs that are numbers at present, by number.
  std::map<std::size_t, double> constant_inputs;
  /// What holds at present.
  void pack(Packer&) const;
  void unpack(Unpacker&);
  /// From now on the work is followed, unless power that is found at some states near this one is none at all.
  void follow_work(const State& near, double t);
  bool with_work() const { return with_work_; }

  /// False where the equations have no finite value or contradict each other. @throws NoAnswer without inertia.
  bool rate(double t, const Eigen::VectorXd& x, Eigen::VectorXd& xdot) const;
  Eigen::VectorXd inputs(double t) const;
  /// Their rates: drives have one order more than the motion.
  Eigen::VectorXd input_rates(double t) const;
  /// dE/dt along the motion at a state.
  double power(double t, const Eigen::VectorXd& x) const;

  /// Accelerations, and multipliers of all rows: 0 for those that do not hold.
  Constrained solved(double t, const State&) const;
  /// Distances of stops, their rates, and what their rates' rates are with these accelerations.
  struct Stop {
    double distance = 0, rate = 0, acceleration = 0;
  };
  std::vector<Stop> stops(double t, const State&, const Eigen::VectorXd& a) const;
  /// Velocities changed by impulses: rows that hold keep their rates, the given stops get theirs; with the impulses of all rows.
  Constrained impact(double t, const State&, const std::vector<std::optional<double>>& rates_after) const;

  /// Back onto the constraints by the least change in the sense of M.
  struct Correction {
    double position = 0, velocity = 0, quaternion = 0;  ///< largest |φ|, |φ̇|, ||Q| − 1| before
    double position_left = 0, velocity_left = 0;        ///< and after
    Eigen::Index rank = 0;
  };
  Correction drift(double t, const State&) const;
  Correction correct(double t, State&) const;

  /// Whether constraints were nearly dependent in a solution since this was asked last.
  bool was_near_singular() const { return std::exchange(near_singular_, false); }
  /// Rows of J that hold.
  Eigen::MatrixXd jacobian(double t, const State&) const;

  const CompiledMotion& motion() const { return motion_; }
  double energy(double t, const State&) const;

 private:
  Eigen::MatrixXd rows_of(const Eigen::MatrixXd& J) const;
  Eigen::VectorXd rows_of(const Eigen::VectorXd& values) const;
  std::vector<Eigen::Index> holding() const;
  std::optional<bool> rate_by_elimination(double t, const Eigen::VectorXd& x, Eigen::VectorXd& xdot) const;
  Constrained solve(const CompiledMotion::Terms&, const Eigen::VectorXd& f, const Eigen::VectorXd& target) const;
  Constrained solve(const Eigen::MatrixXd& M, const Eigen::VectorXd& f, const Eigen::MatrixXd& J,
                    const Eigen::VectorXd& target) const;
  Eigen::VectorXd closing(const CompiledMotion::Terms&) const;
  double power(double t, const State&, const Eigen::VectorXd& qdot, const Eigen::VectorXd& a, double* scale = nullptr) const;

  const CompiledMotion& motion_;
  const Drives& drives_;
  std::vector<std::size_t> driven_;
  CompiledMotion::Outputs energy_;
  bool with_work_ = false;
  mutable CompiledMotion::Terms terms_;
  mutable Eigen::VectorXd places_;
  mutable SmallElimination elimination_;
  mutable bool near_singular_ = false;
};

}  // namespace sfg
