#include "sfg/nonlinear/rest/rest_stability.hpp"

#include <algorithm>
#include <cmath>

#include "sfg/nonlinear/run/law_loop.hpp"
#include "sfg/numeric/dense.hpp"

namespace sfg {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using ring::Bounds;

constexpr Index largest = 500;
constexpr std::size_t most_corners = 6;

/// Where the laws bend and jump at a point: slopes on either side.
class SlopesBeside {
 public:
  /// @param set  whose sides that are points say where a jump lies, to their last digits
  SlopesBeside(const CompiledLaws& laws, const std::vector<double>& arguments, const RestPiece* set)
      : rows_(laws.laws()), columns_(laws.arguments()) {
    constexpr double reach = 1e-11, point = 1e-12;
    RestBox box;
    for (std::size_t j = 0; j < arguments.size(); ++j) {
      const double a = arguments[j], by = reach * std::max(std::abs(a), 1e-6);
      box.push_back({a - by, a + by});
      if (set == nullptr || set->box[j].width() > point * std::max(1.0, std::abs(a))) continue;
      box.back() = hull(box.back(), {set->box[j].low - by, set->box[j].high + by});
    }
    const Enclosure around = laws.enclosure(box);
    defined = around.defined == Enclosure::Defined::everywhere;
    smooth = MatrixXd::Zero(static_cast<Index>(rows_), static_cast<Index>(columns_));
    for (std::size_t i = 0; i < rows_; ++i)
      for (std::size_t j = 0; j < columns_; ++j) {
        const Bounds& slope = around.slopes[i * columns_ + j];
        const Index r = static_cast<Index>(i), c = static_cast<Index>(j);
        if (around.jumps[i] && !std::isfinite(slope.width()))
          jumps.push_back({r, c, slope.high == std::numeric_limits<double>::infinity() ? 1.0 : -1.0,
                           std::isinf(slope.high) && std::isinf(slope.low)});
        else if (slope.width() > 1e-4 * std::max(1.0, std::abs(middle(slope))))
          corners.push_back({r, c, slope});
        else
          smooth(r, c) = middle(slope);
      }
  }

  struct Corner {
    Index law, argument;
    Bounds slope;
  };
  struct Jump {
    Index law, argument;
    double direction;  ///< in which the law jumps when its argument rises
    bool both;         ///< it jumps up and down
  };
  bool defined = true;
  MatrixXd smooth;
  std::vector<Corner> corners;
  std::vector<Jump> jumps;

  /// With each corner at one of its sides.
  std::vector<MatrixXd> sides() const {
    std::vector<MatrixXd> all;
    for (std::size_t choice = 0; choice < (std::size_t{1} << corners.size()); ++choice) {
      MatrixXd S = smooth;
      for (std::size_t k = 0; k < corners.size(); ++k)
        S(corners[k].law, corners[k].argument) = (choice >> k) % 2 == 1 ? corners[k].slope.high : corners[k].slope.low;
      all.push_back(std::move(S));
    }
    return all;
  }

 private:
  std::size_t rows_, columns_;
};

/// Without the roots at 0 that motion along a set has.
RestStability by_roots(const MatrixXd& A, bool discrete, std::size_t along) {
  if (!A.allFinite()) return {{}, "a slope of a law is not finite there"};
  const Eigen::VectorXcd roots = A.eigenvalues();
  const double size = std::max(1e-300, roots.size() == 0 ? 1.0 : roots.cwiseAbs().maxCoeff());
  bool grows = false, lasts = false;
  for (const auto& root : roots) {
    const double growth = discrete ? std::abs(root) - 1 : root.real();
    const double sure = discrete ? 1e-10 : std::max(1e-10 * std::abs(root), 1e-16 * size);
    const bool neutral = along > 0 && (discrete ? std::abs(root - 1.0) < 1e-7 : std::abs(root) < 1e-7 * size);
    if (neutral)
      --along;
    else if (growth > sure)
      grows = true;
    else if (growth >= -sure)
      lasts = true;
  }
  if (grows) return {false, {}};
  if (lasts) return {{}, "to first order some small motions neither die away nor grow: nothing damps them"};
  return {true, {}};
}

/// P of Aᵀ P + P A = −1 for the mean of all, tried on each.
bool have_common_lyapunov_function(const std::vector<MatrixXd>& systems, bool discrete) {
  const Index n = systems.front().rows();
  if (n > 20) return false;
  MatrixXd mean = MatrixXd::Zero(n, n);
  for (const MatrixXd& A : systems) mean += A / static_cast<double>(systems.size());
  const MatrixXd one = MatrixXd::Identity(n, n), T = mean.transpose();
  MatrixXd equations(n * n, n * n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      equations.block(i * n, j * n, n, n) =
          discrete ? MatrixXd(T(i, j) * T - (i == j ? 1.0 : 0.0) * one) : MatrixXd((i == j ? 1.0 : 0.0) * T + T(i, j) * one);
  const VectorXd solved = equations.fullPivLu().solve(-Eigen::Map<const VectorXd>(one.data(), n * n));
  if (!solved.allFinite()) return false;
  const MatrixXd P = Eigen::Map<const MatrixXd>(solved.data(), n, n);
  const auto positive = [](const MatrixXd& Q) {
    return Eigen::SelfAdjointEigenSolver<MatrixXd>(MatrixXd((Q + Q.transpose()) / 2)).eigenvalues().minCoeff() > 1e-9 * Q.norm();
  };
  return positive(P) && std::ranges::all_of(systems, [&](const MatrixXd& A) {
           return positive(discrete ? MatrixXd(P - A.transpose() * P * A) : MatrixXd(-(A.transpose() * P + P * A)));
         });
}

class AtRest {
 public:
  AtRest(const PrincipalForm& form, const Dynamics& linear, const SlopesBeside& slopes, std::size_t along)
      : form_(form),
        linear_(linear),
        slopes_(slopes),
        through_(through(form, linear)),
        along_(along),
        discrete_(form.linear.op.discrete()) {}

  RestStability operator()() const {
    std::vector<MatrixXd> systems;
    for (const MatrixXd& S : slopes_.sides()) systems.push_back(closed(form_, linear_, loop_of(S)));
    if (!slopes_.jumps.empty()) return at_jumps(systems);
    if (systems.size() == 1) return by_roots(systems.front(), discrete_, along_);
    return at_corners(systems);
  }

 private:
  /// What the laws answer to their arguments, with what comes to these without delay.
  MatrixXd loop_of(const MatrixXd& S) const {
    if (S.size() == 0) return S;
    return (MatrixXd::Identity(S.rows(), S.rows()) - S * through_).fullPivLu().solve(S);
  }

  RestStability at_corners(const std::vector<MatrixXd>& systems) const {
    std::size_t stable = 0, unstable = 0;
    for (const MatrixXd& A : systems) {
      const std::optional<bool> side = by_roots(A, discrete_, along_).stable;
      stable += side.value_or(false) ? 1 : 0;
      unstable += side.value_or(true) ? 0 : 1;
    }
    const bool scalar = systems.front().rows() == 1;
    if (stable == systems.size() && (scalar || have_common_lyapunov_function(systems, discrete_))) return {true, {}};
    if (unstable == systems.size() && scalar) return {false, {}};
    return {{},
            "a law has a corner there: stable on " + std::to_string(stable) + " of its " + std::to_string(systems.size()) +
                " sides, and no quadratic Lyapunov function of all was found"};
  }

  RestStability at_jumps(const std::vector<MatrixXd>& systems) const {
    static const std::string open = "a law jumps there, and does not hold its argument: simulate it from near by";
    if (discrete_ || systems.size() > 1 || through_.cwiseAbs().maxCoeff() != 0) return {{}, open};
    const MatrixXd& A = systems.front();
    const auto count = static_cast<Index>(slopes_.jumps.size());
    MatrixXd B(A.rows(), count), C(count, A.rows());
    for (Index k = 0; k < count; ++k) {
      const auto& jump = slopes_.jumps[static_cast<std::size_t>(k)];
      if (jump.both) return {{}, open};
      B.col(k) = MatrixXd(linear_.B).col(static_cast<Index>(form_.sources.size()) + jump.law) * jump.direction;
      C.row(k) = MatrixXd(linear_.C).row(jump.argument);
    }
    if (count == 1 && pushed_away(A, B, C)) return {false, {}};
    const MatrixXd first = C * B;  // of the arguments' rates to the jumps
    const MatrixXd back = -(first + first.transpose()) / 2;
    if (Eigen::SelfAdjointEigenSolver<MatrixXd>(back).eigenvalues().minCoeff() <= 1e-12 * std::max(1e-300, first.norm()))
      return {{}, open};
    const MatrixXd held = A - B * first.fullPivLu().solve(C * A);
    const MatrixXd free = C.fullPivLu().kernel();
    if (C.fullPivLu().dimensionOfKernel() == 0) return {true, {}};
    const MatrixXd rest = free.colPivHouseholderQr().solve(held * free);
    return by_roots(rest, discrete_, along_);
  }

  /// The first derivative of the argument that the law reaches has its sign.
  static bool pushed_away(const MatrixXd& A, const MatrixXd& B, const MatrixXd& C) {
    MatrixXd reached = B;
    double size = C.norm() * B.norm();
    for (Index k = 0; k < A.rows(); ++k) {
      const double effect = (C * reached)(0, 0);
      if (std::abs(effect) > 1e-12 * size) return effect > 0;
      reached = A * reached;
      size *= std::max(1.0, A.norm());
    }
    return false;
  }

  const PrincipalForm& form_;
  const Dynamics& linear_;
  const SlopesBeside& slopes_;
  MatrixXd through_;
  std::size_t along_;
  bool discrete_;
};

}  // namespace

RestStability rest_stability(const PrincipalForm& form, const CompiledLaws& laws, const Dynamics& linear,
                             const std::vector<double>& arguments, const RestPiece* set) {
  if (!linear.delays.empty()) return {{}, "there is dead time"};
  if (linear.A.rows() > largest) return {{}, "there are more than " + std::to_string(largest) + " states"};
  if (linear.A.rows() == 0) return {true, {}};
  const SlopesBeside slopes(laws, arguments, set);
  if (!slopes.defined) return {{}, "a law has no value on one side"};
  if (slopes.corners.size() > most_corners) return {{}, "too many corners of laws lie there"};
  return AtRest(form, linear, slopes, set == nullptr ? 0 : set->dimension)();
}

}  // namespace sfg
