#pragma once
#include <array>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "sfg/nonlinear/run/jumps.hpp"
#include "sfg/numeric/dense.hpp"
#include "sfg/numeric/packed.hpp"

// Not installed.
namespace sfg {

/// Which way each jump of a motion ẋ = f(t, x, s) stands: s_k = sign(g_k), or, where the motion slides along g_k = 0, the value
/// between −1 and 1 that keeps it there (Filippov 1988; of dry friction: it sticks). Several at once are a linear complementarity
/// problem: s_k = 1 where the rate of g_k is positive with it, −1 where it is negative, between them where it is 0.
class SlidingModes {
 public:
  /// The switching functions at a state with given s, and their rates along the motion.
  struct Contact {
    Eigen::VectorXd g, rate, xdot;
    Eigen::MatrixXd g_by_s, rate_by_s;
    Eigen::VectorXd rounding;  ///< what it leaves open of g
    Eigen::VectorXd own;       ///< of g by its own s, where that stands in it: half the width between the thresholds of a relay
  };
  /// What s and the levels of floors are; false where the motion has no rate.
  using Evaluate =
      std::function<bool(double t, const Eigen::VectorXd& x, const Eigen::VectorXd& s, const Eigen::VectorXd& levels, Contact&)>;

  /// @param until  the length of the motion
  SlidingModes(std::vector<JumpKind> kinds, Evaluate, double until);
  /// To what it was before the first decision.
  void reset();
  /// By which part of the whole time later than it is an event is met, from the next decision on (1e-13 where nothing is said).
  void meet_within(double part) { moment_ = part; }
  Eigen::Index size() const { return static_cast<Eigen::Index>(modes_.size()); }

  /// The modes at the start, at a corner of what drives the motion, or after a change that ended a step.
  /// @param changes  as roots() has changed signs; empty: none
  /// @throws NoAnswer where no modes agree with each other
  void decide(double t, const Eigen::VectorXd& x, std::span<const int> changes = {});
  /// The same of those that nothing at their edge moves, at the state that has been moved onto where the others slide: a decision
  /// beside it takes what is left of meeting an event for a way that they go.
  void decide_resting(double t, const Eigen::VectorXd& x);
  /// s at that state, of those that slide solved for. @returns false where there is none
  bool settle(double t, const Eigen::VectorXd& x);
  const Eigen::VectorXd& signs() const { return s_; }
  const Eigen::VectorXd& levels() const { return levels_; }
  bool slides(Eigen::Index k) const { return mode(k) == 0 && !rests_[static_cast<std::size_t>(k)]; }
  /// −1, 1; 0: slides, or stands at its edge without acting on itself: there the law's own value holds.
  int mode(Eigen::Index k) const { return modes_[static_cast<std::size_t>(k)]; }
  bool is_floor(Eigen::Index k) const { return is(k, JumpKind::floor); }
  /// Those that slide with g = 0 to be kept.
  std::vector<Eigen::Index> sliding() const;
  /// Whether some jump does not act on the rate of its own function, so that the modes follow from the rate's rate.
  bool of_second_order(Eigen::Index k) const { return second_[static_cast<std::size_t>(k)]; }

  /// That of the function of a jump, at the last decision.
  double rate(Eigen::Index k) const { return contact_.rate[k]; }

  /// Two functions a jump whose changes of sign end a step: of its own mode, and of the next level of a floor.
  int roots() const { return static_cast<int>(2 * modes_.size()); }
  void roots(double t, const Eigen::VectorXd& x, double* values);
  /// Jumps that changed, of the signs of roots().
  std::vector<Eigen::Index> changed(std::span<const int> changes) const;
  /// All that the next decision and the next values depend on.
  void pack(Packer&) const;
  void unpack(Unpacker&);
  /// From the next decision on the jump slides: its function oscillates within what is negligible.
  void hold(Eigen::Index k) { held_[static_cast<std::size_t>(k)] = true; }

 private:
  struct Residual {
    Eigen::VectorXd r;  ///< 0 where the jump slides
    Eigen::MatrixXd by_s;
  };
  std::optional<Residual> residual(double t, const Eigen::VectorXd& x, const Eigen::VectorXd& s);
  void add_second_order(double t, const Eigen::VectorXd& x, const Eigen::VectorXd& s, const Contact&, Residual&);
  bool solve(double t, const Eigen::VectorXd& x, std::span<const Eigen::Index> sliding);
  std::vector<Eigen::Index> met(double t, const Eigen::VectorXd& x, std::span<const int> changes);
  void move_levels(double t, const Eigen::VectorXd& x);
  void set(Eigen::Index k, int mode);
  bool is(Eigen::Index k, JumpKind kind) const { return kinds_[static_cast<std::size_t>(k)] == kind; }
  bool is_relay(Eigen::Index k) const;
  void switch_relays(double t, const Eigen::VectorXd& x, std::span<const int> changes);
  std::array<std::vector<Eigen::Index>, 3> in_order(double t, const Eigen::VectorXd& x, std::vector<Eigen::Index> open);
  void leave_or_rest(double t, const Eigen::VectorXd& x, Eigen::Index k);
  int leaves(double t, Eigen::VectorXd x, Eigen::Index k, double dt);
  bool pivot(double t, const Eigen::VectorXd& x, const std::vector<Eigen::Index>& open);
  double kept(Eigen::Index k, const Contact&) const;
  static bool is_free(Eigen::Index k, const Residual&);
  std::optional<std::size_t> first_violated(const std::vector<Eigen::Index>& open, const Residual&) const;
  bool enumerate(double t, const Eigen::VectorXd& x, const std::vector<Eigen::Index>& open);

  std::vector<int> modes_;
  std::vector<JumpKind> kinds_;
  std::vector<bool> direct_, second_, held_, slid_, rests_;
  Evaluate evaluate_;
  double until_, moment_ = 1e-13;
  Eigen::VectorXd s_, levels_, near_;  ///< near: as which g_k counts as 0
  Contact contact_;
  std::vector<Eigen::Index> resting_;  ///< at the last decision: those that were at their edge and act on none
  bool begun_ = false;
};

}  // namespace sfg
