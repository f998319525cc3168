#pragma once
#include <complex>
#include <cstddef>
#include <memory>
#include <vector>

#include "sfg/nonlinear/balance/balance_system.hpp"
#include "sfg/numeric/dense.hpp"

// Not installed: harmonic balance as equations for real numbers.
namespace sfg {

struct BalanceQuadrature;

/// v_h = T_1(jhω)ᵀ w_h + T_j(jhω)ᵀ f_h(v) for h = 0 … N, the laws by their values over a period (alternating frequency and time).
/// Unknowns, signal by signal: V_0, Re V_1, Im V_1, … of v(t) = Re Σ V_h exp(jhωt). With a subharmonic order M the inputs are
/// harmonic M, and ω is 1/M of their frequency.
class BalanceEquations {
 public:
  BalanceEquations(const BalanceSystem&, std::size_t harmonics, std::size_t subharmonic = 1);

  const BalanceSystem& system() const { return system_; }
  std::size_t harmonics() const { return harmonics_; }
  std::size_t subharmonic() const { return subharmonic_; }
  std::size_t size() const { return system_.unknowns().size() * width(); }
  std::size_t width() const { return 2 * harmonics_ + 1; }  ///< real numbers of one signal

  /// Transmittances of all harmonics of one frequency.
  struct Linear {
    double frequency;  ///< of the inputs
    std::vector<BalanceSystem::Point> harmonics;
  };
  std::shared_ptr<const Linear> linear(double frequency, bool by_parameters = false) const;
  std::vector<std::shared_ptr<const Linear>> linear(const std::vector<double>& frequencies, bool by_parameters = false) const;

  /// Where the inputs have so much of their amplitude.
  struct Place {
    double frequency;
    double level = 1;
  };
  struct Values {
    Eigen::VectorXd residual;
    Eigen::MatrixXd jacobian;
    Eigen::VectorXd by_frequency, by_level;
  };
  Values values(const Eigen::VectorXd& x, const Place&, const Linear&) const;
  Values values(const Eigen::VectorXd& x, const Place& place) const { return values(x, place, *linear(place.frequency)); }

  /// Derivatives of the residual by the parameters, a column each.
  Eigen::MatrixXd by_parameters(const Eigen::VectorXd& x, const Place&, const Linear&) const;
  /// Harmonics of the arguments and sinks (rows of the system), a column each: (N + 1) × rows. Not finite where a signal has
  /// none.
  Eigen::MatrixXcd signals(const Eigen::VectorXd& x, const Place&, const Linear&) const;

  /// Their derivative by parameter p, with dx/dp given.
  Eigen::MatrixXcd signals_by_parameter(const Eigen::VectorXd& x, const Eigen::VectorXd& x_slope, const Place&, const Linear&,
                                        std::size_t p) const;

  /// The arguments over a period, a column each, and the derivatives of the laws by them.
  struct Orbit {
    Eigen::MatrixXd arguments;                  ///< samples × arguments
    Eigen::MatrixXd laws;                       ///< samples × laws
    std::vector<Eigen::MatrixXd> slopes;        ///< law by law: samples × arguments
    std::vector<Eigen::MatrixXd> by_parameter;  ///< law by law: samples × parameters
  };
  Orbit orbit(const Eigen::VectorXd& x, double frequency) const;
  Orbit orbit(const Eigen::VectorXd& x, double frequency, const Eigen::MatrixXd& basis, const Eigen::MatrixXd& rates) const;
  /// The same of other functions of the arguments.
  Orbit orbit(const Eigen::VectorXd& x, double frequency, const Eigen::MatrixXd& basis, const Eigen::MatrixXd& rates,
              const CompiledLaws& functions) const;

  /// The values at angles of a signal's real numbers, and its derivatives by the angle: rows of a basis.
  Eigen::MatrixXd basis(const Eigen::VectorXd& angles) const;
  Eigen::MatrixXd basis_slopes(const Eigen::VectorXd& angles) const;

 private:
  double base(double frequency) const { return frequency / static_cast<double>(subharmonic_); }
  Eigen::VectorXcd drive(std::size_t harmonic, const Place&, const Linear&, const Eigen::MatrixXd& F,
                         const Eigen::VectorXd& x) const;
  struct LawHarmonics;
  LawHarmonics law_harmonics(const Eigen::VectorXd& x, double frequency) const;
  std::vector<Eigen::MatrixXd> law_jacobians(const LawHarmonics&, double frequency) const;
  Eigen::MatrixXd laws_by_parameter(const LawHarmonics&, std::size_t p) const;

  const BalanceSystem& system_;
  std::size_t harmonics_, subharmonic_;
  Eigen::MatrixXd E_, Eslope_, P_;                   // samples × width, the same, width × samples
  Eigen::MatrixXd Ptwice_;                           // of smooth laws: the same as P_ of twice as many harmonics
  std::shared_ptr<const BalanceQuadrature> smooth_;  // of these laws, made once
};

/// Harmonic h of a column of real numbers.
std::complex<double> harmonic(const Eigen::Ref<const Eigen::VectorXd>& column, std::size_t h);

}  // namespace sfg
