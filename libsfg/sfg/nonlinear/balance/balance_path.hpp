#pragma once
#include <cstddef>
#include <functional>
#include <optional>

#include "sfg/budget.hpp"
#include "sfg/numeric/dense.hpp"

// Not installed: the curves on which a system of equations with one parameter holds.
namespace sfg {

/// n equations for n unknowns x and a parameter q.
struct PathEquations {
  Eigen::VectorXd residual;
  Eigen::MatrixXd jacobian;
  Eigen::VectorXd by_parameter;
};
using PathProblem = std::function<PathEquations(const Eigen::VectorXd& x, double q)>;

/// Newton's method at a fixed q, damped as long as the residual does not fall.
std::optional<Eigen::VectorXd> newton(const PathProblem&, Eigen::VectorXd x, double q, int iterations = 25);

/// Pseudo-arclength continuation (Keller 1977) with steps by the number of corrections and the turn of the tangent.
class BalancePath {
 public:
  struct Point {
    Eigen::VectorXd x;
    double q = 0;
    Eigen::VectorXd tangent;  ///< of x, then q; of length 1 in the scales of the step
    Eigen::VectorXd bend;     ///< how it turns along the curve; nothing: not known
    int orientation = 0;      ///< sign of the determinant with the tangent: changes at a branch point
  };
  struct Options {
    double first_step = 0.01, least_step = 1e-7, greatest_step = 0.05;  ///< relative to x and q
    bool relative = true;                                               ///< q counts relative to itself, else as it is
  };
  /// @param direction  ±1: with growing or falling q
  BalancePath(PathProblem, const Eigen::VectorXd& x, double q, int direction, const Options&);
  /// From a branch point along a direction of x and q.
  BalancePath(PathProblem, const Eigen::VectorXd& x, double q, const Eigen::VectorXd& direction, const Options&);

  const Point& point() const { return now_; }
  const Point& before() const { return before_; }
  /// One step on. @returns false where the curve could not be followed.
  bool advance();
  /// The point of the last step between before() and point() where `value` is 0, which it is not at both ends.
  std::optional<Point> between(const std::function<double(const Point&)>& value) const;
  /// Another direction from a branch point, along which the equations hold to first order.
  Eigen::VectorXd other_direction(const Point&) const;

 private:
  std::optional<Point> corrected(const Point& from, double step, int* corrections) const;
  std::optional<Point> with_tangent(Eigen::VectorXd x, double q, const Eigen::VectorXd& reference) const;
  Eigen::VectorXd weights(const Point&) const;
  Eigen::VectorXd bend() const;

  PathProblem problem_;
  Options options_;
  Point now_, before_;
  double step_, last_step_ = 0;
};

}  // namespace sfg
