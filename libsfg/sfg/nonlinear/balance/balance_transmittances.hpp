#pragma once
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "sfg/nonlinear/balance/balance_equations.hpp"

// Not installed: transmittances along a curve.
namespace sfg {

/// The transmittances as polynomials of the frequency's logarithm, piece by piece by Chebyshev's points, halved until the
/// coefficients have fallen off; all harmonics share the pieces. Curves are followed on these, with slopes, and a thousand places
/// cost as many evaluations of the linear part as there are pieces. What is reported at a frequency asked for is solved with its
/// own values.
class BalanceTransmittances {
 public:
  explicit BalanceTransmittances(const BalanceEquations& equations) : equations_(equations) {}

  std::shared_ptr<const BalanceEquations::Linear> at(double frequency);
  /// From the laws to the unknowns at jω, without K.
  Eigen::MatrixXcd open(double frequency);
  /// Evaluates the linear part ahead between these frequencies (its own, not those of the inputs), many pieces at once.
  void prepare(double low, double high);

 private:
  using Interval = std::pair<int, long>;  ///< how often it was halved, and which one it is
  const std::pair<const Interval, Eigen::MatrixXd>& piece_of(double logarithm);
  /// The numbers of T at a frequency of its own, and their slopes.
  Eigen::MatrixXd both_at(double frequency);
  Eigen::MatrixXcd matrix_of(const Eigen::Ref<const Eigen::VectorXd>& numbers) const;
  void fit(const std::vector<Interval>&);

  const BalanceEquations& equations_;
  /// Real parts, then imaginary ones of all transmittances × Chebyshev's coefficients; nothing where the halves have them.
  std::map<Interval, Eigen::MatrixXd> pieces_;
  std::shared_ptr<const BalanceEquations::Linear> last_;
  std::vector<BalanceSystem::Point> frame_;  ///< K, and the transmittances at frequency 0
};

}  // namespace sfg
