#include "sfg/multibody/assembly.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "sfg/expr/print.hpp"
#include "sfg/multibody/state_names.hpp"

namespace sfg {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double closed = 1e-13;  ///< m, rad: what is aimed at
constexpr double allowed = 1e-8;  ///< at most
using Held = std::vector<bool>;   ///< by speed

class Assembler {
 public:
  Assembler(const CompiledMotion& motion, const AssemblyStart& start, const VectorXd& u, double t, const Budget& budget)
      : motion_(motion), start_(start), u_(u), t_(t), budget_(budget), rows_(motion.constraints()), loops_(motion.holonomic()) {
    const VectorXd somewhere = VectorXd::Constant(motion.coordinates(), 0.5);
    for (Index j = 0; j < motion.speeds(); ++j) along_.push_back(motion.rate(somewhere, VectorXd::Unit(motion.speeds(), j)));
  }

  Assembly operator()() {
    Assembly made{start_.q, start_.v, 0, 0, 0, {}, {}};
    motion_.normalize(made.q);
    made.gap = gap(made.q);
    freedoms_ = motion_.speeds() - rank_beside(made.q);
    close(made);
    residual(made.q);
    freedoms_ = motion_.speeds() - rank(rows_);
    made.velocity_gap = rows_ > 0 ? velocity_residual(made.q, made.v).cwiseAbs().maxCoeff() : 0;
    move_along(made);
    report(made);
    return made;
  }

 private:
  /// Speeds along which coordinates would move that are to stay.
  Held held(const std::vector<bool>& coordinates) const {
    Held found(along_.size(), false);
    for (std::size_t j = 0; j < along_.size(); ++j)
      for (std::size_t i = 0; i < coordinates.size(); ++i)
        if (coordinates[i] && along_[j][static_cast<Index>(i)] != 0) found[j] = true;
    return found;
  }
  static std::vector<bool> either(std::vector<bool> a, const std::vector<bool>& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = a[i] || b[i];
    return a;
  }
  /// The first of them, as many as there are freedoms.
  std::vector<bool> first(const std::vector<std::size_t>& numbers, std::size_t size) const {
    std::vector<bool> found(size, false);
    for (std::size_t i = 0; i < numbers.size() && static_cast<Index>(i) < freedoms_; ++i) found[numbers[i]] = true;
    return found;
  }
  /// What is held, from most to least.
  static std::vector<Held> ways(const Held& given, const Held& first, const Held& deforming) {
    const Held none(given.size(), false);
    return {either(given, deforming), given, either(first, deforming), first, deforming, none};
  }
  std::vector<Held> ways() const {
    return ways(held(start_.given_coordinates), held(first(start_.first_coordinates, start_.given_coordinates.size())),
                held(start_.deformations));
  }
  /// Whether values that were given are still what was meant.
  static bool fits(const VectorXd& from, const VectorXd& to, const std::vector<bool>& given) {
    constexpr double rounded = 0.01;
    for (std::size_t i = 0; i < given.size(); ++i) {
      const auto k = static_cast<Index>(i);
      if (given[i] && std::abs(to[k] - from[k]) > rounded * (1 + std::abs(from[k]))) return false;
    }
    return true;
  }
  /// The same of those that are to be held.
  bool fits(const VectorXd& q) const {
    VectorXd from = start_.q;
    motion_.normalize(from);
    return fits(from, q, first(start_.first_coordinates, start_.given_coordinates.size()));
  }

  void terms(const VectorXd& q, const VectorXd& v) {
    budget_.check("the assembly");
    motion_.terms(q, v, u_, t_, terms_);
  }
  VectorXd residual(const VectorXd& q) {
    terms(q, start_.v);
    return terms_.phi.head(loops_);
  }
  VectorXd velocity_residual(const VectorXd& q, const VectorXd& v) {
    terms(q, v);
    return terms_.J.topRows(rows_) * v + terms_.drive.head(rows_);
  }
  /// Of the first constraints where they were evaluated last.
  Index rank(Index rows) const {
    if (rows == 0) return 0;
    Eigen::CompleteOrthogonalDecomposition<MatrixXd> J;
    J.setThreshold(1e-9);
    return J.compute(terms_.J.topRows(rows)).rank();
  }
  /// Beside a position that may be singular.
  Index rank_beside(VectorXd q) {
    VectorXd shift(motion_.speeds());
    for (Index j = 0; j < shift.size(); ++j) shift[j] = 0.1 * std::sin(1.0 + 2.3 * static_cast<double>(j));
    q += motion_.rate(q, shift);
    motion_.normalize(q);
    residual(q);
    return rank(loops_);
  }
  double gap(const VectorXd& q) {
    if (loops_ == 0) return 0;
    const VectorXd phi = residual(q);
    return phi.allFinite() ? phi.cwiseAbs().maxCoeff() : INFINITY;
  }

  /// The least change of the speeds that are not held with J δ = −r.
  VectorXd least_change(const VectorXd& r, const Held& kept) const {
    MatrixXd J = terms_.J.topRows(r.size());
    for (std::size_t j = 0; j < kept.size(); ++j)
      if (kept[j]) J.col(static_cast<Index>(j)).setZero();
    Eigen::CompleteOrthogonalDecomposition<MatrixXd> solver;
    solver.setThreshold(1e-9);
    solver.compute(J);
    return solver.solve(-r);
  }

  /// Steps as long as the residual follows its tangent, so that the assembly is that near the start (Deuflhard's test).
  bool closes(VectorXd& q, const Held& kept) {
    constexpr int most = 200;
    VectorXd phi = residual(q);
    for (int i = 0; i < most && phi.allFinite(); ++i) {
      const double size = phi.norm();
      if (size <= closed) return true;
      const VectorXd step = least_change(phi, kept);
      bool accepted = false;
      for (double part = 1; part > 1e-3 && !accepted; part /= 2) {
        VectorXd next = q + motion_.rate(q, part * step);
        motion_.normalize(next);
        const VectorXd there = residual(next);
        const bool follows = (there - (1 - part) * phi).norm() <= 0.5 * part * size;
        if (!there.allFinite() || !(follows || there.norm() < 0.1 * size)) continue;
        q = next;
        phi = there;
        accepted = true;
      }
      if (!accepted) break;
    }
    return phi.allFinite() && phi.cwiseAbs().maxCoeff() <= allowed;
  }

  void close(Assembly& made) {
    if (loops_ == 0 || made.gap <= closed) return;
    VectorXd best = made.q;
    for (const Held& kept : ways()) {
      VectorXd q = made.q;
      const bool closing = closes(q, kept);
      if (closing && fits(q)) return finish(made, q);
      if (closing) misfit_ = q;
      if (gap(q) < gap(best)) best = q;
    }
    std::mt19937 random(1);
    for (const double size : {0.01, 0.1, 0.3, 1.0, 1.0, 2.0, 2.0, 3.0})
      for (const Held& kept : ways()) {
        VectorXd q = made.q, shift = VectorXd::Zero(motion_.speeds());
        for (std::size_t j = 0; j < kept.size(); ++j)
          if (!kept[j]) shift[static_cast<Index>(j)] = size * std::uniform_real_distribution(-1.0, 1.0)(random);
        q += motion_.rate(q, shift);
        motion_.normalize(q);
        if (!closes(q, kept)) continue;
        if (!fits(q)) {
          misfit_ = q;
          continue;
        }
        made.notes.push_back({{},
                              "the loops do not close from the start values themselves, but from values nearby: the assembly "
                              "found is one of several",
                              "state start values near the one that is meant",
                              Severity::warning});
        return finish(made, q);
      }
    refuse(best);
  }

  void finish(Assembly& made, VectorXd q) {
    motion_.normalize(q);
    made.q = std::move(q);
  }

  [[noreturn]] void refuse(const VectorXd& q) {
    if (misfit_.size() > 0) {
      const auto& coordinates = motion_.equations().motion.coordinates;
      std::string moved;
      for (std::size_t i = 0; i < coordinates.size(); ++i)
        if (const auto k = static_cast<Index>(i); start_.given_coordinates[i] && std::abs(misfit_[k] - start_.q[k]) > allowed)
          moved += (moved.empty() ? "" : ", ") + coordinates[i].name + " = " + number(misfit_[k]) + " instead of " +
                   number(start_.q[k]);
      throw NoAnswer("no assembly: the loops do not close with the given start values, but with " + moved,
                     "give other values, or fewer", motion_.equations().motion.constraints.front().where);
    }
    const VectorXd phi = residual(q);
    std::string open;
    for (Index i = 0; i < loops_; ++i)
      if (!(std::abs(phi[i]) <= allowed))
        open += (open.empty() ? "'" : ", '") + motion_.constraint_names()[static_cast<std::size_t>(i)] + "' by " + number(phi[i]);
    throw NoAnswer("no assembly: the loops do not close, open stay " + open,
                   "look at lengths and places of the loop, or state start values nearer to it",
                   motion_.equations().motion.constraints.front().where);
  }

  void move_along(Assembly& made) {
    if (rows_ == 0) return;
    const double scale = 1 + made.v.cwiseAbs().maxCoeff();
    const Held leading = first(start_.first_speeds, start_.given_speeds.size());
    for (const Held& kept : ways(start_.given_speeds, leading, held(start_.deformations))) {
      VectorXd v = made.v + least_change(velocity_residual(made.q, made.v), kept);
      v += least_change(velocity_residual(made.q, v), kept);
      if (velocity_residual(made.q, v).cwiseAbs().maxCoeff() > 1e-10 * scale || !fits(made.v, v, leading)) continue;
      made.v = v;
      return;
    }
    throw NoAnswer(loops_ == rows_ ? "no rates keep the loops closed at the start, or none with the rates that are given"
                                   : "no rates meet the constraints at the start, or none with the rates that are given",
                   "give fewer rates, or start from a position that is not singular",
                   motion_.equations().motion.constraints.front().where);
  }

  static std::string number(double value) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.6g", value);
    return digits;
  }

  void report(Assembly& made) {
    const EquationsOfMotion& motion = motion_.equations().motion;
    std::string against;
    const auto add = [&](const std::string& name, double from, double to, bool given) {
      constexpr double moved = 1e-9;
      if (std::abs(to - from) <= moved * (1 + std::abs(from))) return;
      made.moved.push_back(name + " = " + number(to) + " (from " + number(from) + ")");
      if (given) against += (against.empty() ? "" : ", ") + made.moved.back();
    };
    VectorXd from = start_.q;
    motion_.normalize(from);
    for (std::size_t i = 0; i < motion.coordinates.size(); ++i)
      add(motion.coordinates[i].name, from[static_cast<Index>(i)], made.q[static_cast<Index>(i)], start_.given_coordinates[i]);
    const std::vector<std::string> names = state_names(motion);
    for (std::size_t j = 0; j < motion.speeds.size(); ++j)
      add(names[motion.coordinates.size() + j], start_.v[static_cast<Index>(j)], made.v[static_cast<Index>(j)],
          start_.given_speeds[j]);
    if (!against.empty())
      made.notes.push_back({{},
                            "the given start values do not fit the constraints and were moved: " + against,
                            "give fewer values, those of independent coordinates",
                            Severity::warning});
    terms(made.q, made.v);
    made.rank = rank(rows_);
  }

  const CompiledMotion& motion_;
  const AssemblyStart& start_;
  const VectorXd& u_;
  double t_;
  const Budget& budget_;
  Index rows_, loops_;  ///< constraints, and those of them that positions meet
  Index freedoms_ = 0;
  VectorXd misfit_;              ///< closed, but with other values than are given
  std::vector<VectorXd> along_;  ///< q̇ of each speed
  CompiledMotion::Terms terms_;
};

}  // namespace

Assembly assembled(const CompiledMotion& motion, const AssemblyStart& start, const VectorXd& u, double t, const Budget& budget) {
  return Assembler(motion, start, u, t, budget)();
}

}  // namespace sfg
