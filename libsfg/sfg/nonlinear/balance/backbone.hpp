#pragma once
#include "sfg/nonlinear/balance/balance_search.hpp"

// Not installed: backbone curves.
namespace sfg {

/// Motions in phase resonance: the fundamental of the first argument of the laws lags the input by a quarter, so that the input
/// replaces what damping takes and no more, and the motion is that of the free undamped system where damping is as its inertia or
/// stiffness (Peeters, Kerschen and Golinval 2011). The amplitude of the inputs is free; curves begin at the linear resonances
/// and are followed over and beyond the frequencies to twice the largest motion given.
struct BackboneCurve {
  std::vector<Eigen::VectorXd> x;
  std::vector<double> frequency, level;  ///< of the inputs' amplitudes
};
std::vector<BackboneCurve> backbones(const BalanceEquations&, BalanceTransmittances&, double low, double high, double largest);

}  // namespace sfg
