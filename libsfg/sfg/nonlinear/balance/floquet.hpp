#pragma once
#include <complex>
#include <optional>
#include <vector>

#include "sfg/nonlinear/balance/balance_equations.hpp"
#include "sfg/numeric/dense.hpp"

// Not installed: whether a periodic motion is stable.
namespace sfg {

class BalanceTransmittances;

/// Stability by Floquet's theory (1883). Of small linear parts by the multipliers: eigenvalues of what one period makes of a
/// small deviation, ẏ = (A + B F′ (1 − D F′)⁻¹ C) y with the slopes F′(t) of the laws along the motion, by Magnus's exponentials
/// (1954; of the fourth order: Iserles and Nørsett 1999) with extrapolation; of one harmonic by Hill's
/// matrix of as many harmonics, which loses its stability where curves fold. Of large ones, and of those without states (dead
/// time), by the zeros of Hill's determinant det(1 − T_j(λ + jhω)ᵀ F′_{h−m}) right of the axis, counted by the turn of its phase
/// along one strip: a matrix as large as the laws and harmonics, whatever the size of the linear part.
class Floquet {
 public:
  explicit Floquet(const BalanceSystem&);

  struct Verdict {
    std::optional<bool> stable;                          ///< nothing: not known
    std::vector<std::complex<double>> multipliers = {};  ///< the largest first; empty by Hill's determinant
  };
  /// @param free  an autonomous system: the multiplier 1 of a shift in time does not count
  /// @param transmittances  of the same equations, which spare evaluations of a large linear part
  Verdict operator()(const BalanceEquations&, const Eigen::VectorXd& x, double frequency, bool free = false,
                     BalanceTransmittances* transmittances = nullptr) const;

  bool has_states() const { return states_.has_value(); }
  /// The least and the greatest modulus of the linear part's poles but 0; nothing without states or other poles.
  std::optional<std::pair<double, double>> natural_range() const;

 private:
  struct States {
    Eigen::MatrixXd A, B, C, D;
  };
  Eigen::MatrixXd generator(const BalanceEquations::Orbit&, Eigen::Index sample) const;
  /// @param ends  angles between which the laws are smooth: no step goes over a corner
  Eigen::MatrixXd monodromy(const BalanceEquations&, const Eigen::VectorXd& x, double frequency, const std::vector<double>& ends,
                            int steps) const;
  std::vector<std::complex<double>> exponents(const BalanceEquations&, const Eigen::VectorXd& x, double frequency) const;
  std::vector<std::complex<double>> multipliers(const BalanceEquations&, const Eigen::VectorXd& x, double frequency) const;

  const BalanceSystem& system_;
  std::optional<States> states_;
};

/// How many zeros Hill's determinant has right of the axis, poles of the linear part not counted; nothing where its phase could
/// not be followed.
std::optional<int> unstable_exponents(const BalanceEquations&, const Eigen::VectorXd& x, double frequency,
                                      BalanceTransmittances* = nullptr);

/// Whether a law jumps along the motion, so that its slopes do not tell what a deviation does.
bool jumps(const BalanceEquations&, const Eigen::VectorXd& x, double frequency);

}  // namespace sfg
