#pragma once
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "sfg/model/simulation.hpp"
#include "sfg/numeric/dense.hpp"

// Not installed: responses by coefficients in double precision, for what is asked again and again.
namespace sfg {

/// What drives a response: a signal straight between its points (0 before the first, the last value after the last), or an
/// impulse of weight 1 at t = 0.
struct CoefficientDrive {
  SampledSignal signal = {};
  bool impulse = false;
};

/// y of D(s) y = e^(−τs) N(s) u from rest, and its slopes by all coefficients and by τ: with w = u/D and v = y/D, both chains of
/// integrators, ∂y/∂n_i = s^i w and ∂y/∂d_i = −s^i v. Exact from point to point of the drive by the exponential of a matrix, in
/// double precision: whoever uses it checks it by the certified passes.
class CoefficientResponse {
 public:
  /// @param numerator, denominator  lowest power first; the leading one of the latter is not 0, and it is not the shorter one
  /// @param discrete  they are those of powers of z: step() follows it, else follow()
  CoefficientResponse(std::span<const double> numerator, std::span<const double> denominator, double delay,
                      bool discrete = false);

  /// @param times   ascending
  /// @param slopes  of the coefficients of N, of D, then by τ: a column each, a row a time; none where it is null
  void follow(const CoefficientDrive&, std::span<const double> times, Eigen::VectorXd& y, Eigen::MatrixXd* slopes);
  /// The same at samples k = 0, 1, …
  void step(std::span<const double> input, Eigen::VectorXd& y, Eigen::MatrixXd* slopes) const;

 private:
  using State = Eigen::VectorXd;  ///< w, s w, …, then v, s v, …, u, u̇
  const Eigen::MatrixXd& propagator(double length);
  void advance(State&, double& now, double to);
  double top(const State& state, std::size_t chain, double input) const;
  double output(const State& state) const;
  void note(const State& state, Eigen::Index row, Eigen::VectorXd& y, Eigen::MatrixXd* slopes) const;

  std::size_t order_;
  std::vector<double> n_, d_;  ///< in a unit of time in which they are of one size
  double unit_ = 1, delay_, reach_ = 1;
  Eigen::MatrixXd rates_;
  std::vector<std::pair<double, Eigen::MatrixXd>> known_;
};

/// e^M by Padé's approximant of order 13 with scaling and squaring (Higham 2005).
Eigen::MatrixXd matrix_exponential(const Eigen::MatrixXd&);

}  // namespace sfg
