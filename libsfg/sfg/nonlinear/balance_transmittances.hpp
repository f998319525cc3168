#pragma once
#include <map>
#include <memory>
#include <vector>

#include "sfg/nonlinear/balance_equations.hpp"

// Not installed: transmittances along a curve.
namespace sfg {

/// The transmittances of all harmonics as polynomials of the frequency's logarithm, piece by piece by Chebyshev's points, halved
/// until the coefficients have fallen off: curves are followed on these, with slopes, and a thousand places cost as many
/// evaluations of the linear part as there are pieces. What is reported at a frequency asked for is solved with its own values.
class BalanceTransmittances {
 public:
  explicit BalanceTransmittances(const BalanceEquations& equations) : equations_(equations) {}

  std::shared_ptr<const BalanceEquations::Linear> at(double frequency);

 private:
  struct Piece {
    double low, high;                                         ///< of ln ω
    std::vector<std::vector<Eigen::MatrixXcd>> coefficients;  ///< harmonic by harmonic
  };
  const Piece& piece_of(double logarithm);
  bool fits(Piece&) const;

  const BalanceEquations& equations_;
  std::map<double, Piece> pieces_;  ///< by `low`
  std::shared_ptr<const BalanceEquations::Linear> last_;
  std::vector<BalanceSystem::Point> frame_;  ///< K, and the transmittances at frequency 0
};

}  // namespace sfg
