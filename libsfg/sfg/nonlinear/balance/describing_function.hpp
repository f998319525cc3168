#pragma once
#include <complex>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sfg/nonlinear/principal.hpp"

namespace sfg {

class CompiledLaws;

/// What laws give to harmonic arguments a_j = bias_j + Re X_j e^{jθ}, once their memories have settled.
struct FirstHarmonics {
  std::vector<double> mean;                     ///< by law
  std::vector<std::complex<double>> amplitude;  ///< F_i of Re F_i e^{jθ}
};

/// By quadrature over a period, cut where the laws have corners and jumps. Any law, with memory too.
/// @param amplitudes  X_j, by argument; the argument v of a signal u has jω U
/// @param bias        by argument; empty: 0
/// @note  Laws that contain the time have no describing function; they are taken at t = 0.
FirstHarmonics first_harmonics(const CompiledLaws&, std::span<const std::complex<double>> amplitudes,
                               std::span<const double> bias = {}, std::span<const double> parameters = {});

/// N(A, ω) of a law of one signal: the answer to u = A cos ωt has the fundamental Re N A e^{jωt} (Gelb and Vander Velde,
/// Multiple-Input Describing Functions, 1968). In closed form for sums of piecewise polynomials of u and of v (powers, u|u|, dead
/// zone, saturation, relay, quantiser, Coulomb friction, linear tables), backlash and relays with hysteresis.
class DescribingFunction {
 public:
  /// @throws sfg::Error when the law has several signals or the time, or a parameter without value.
  DescribingFunction(const PrincipalForm&, std::size_t law, const GiNaC::exmap& values);

  /// @param amplitude  A > 0
  /// @param frequency  ω in rad/s, of laws with v
  std::complex<double> operator()(double amplitude, double frequency = 1) const;
  /// The same by quadrature, always.
  std::complex<double> by_quadrature(double amplitude, double frequency = 1) const;
  /// Whether the law is one with a closed form at that amplitude.
  std::optional<std::complex<double>> closed_form(double amplitude, double frequency = 1) const;

 private:
  GiNaC::ex law_, u_, v_;
  std::shared_ptr<const CompiledLaws> laws_;
  std::vector<std::pair<std::size_t, bool>> arguments_;  ///< numbers, and whether it is the rate
  bool has_rate_ = false, has_signal_ = false;
};

}  // namespace sfg
