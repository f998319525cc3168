#pragma once
#include <vector>

#include "sfg/model/circuit.hpp"
#include "sfg/model/noise.hpp"

namespace sfg {

/// A circuit whose elements make noise: a current source 4 k_B T_K/R beside every resistor (Nyquist 1928; 4 k_B T_K R in series
/// where its current is an output), and the independent sources that state a density.
struct NoisyCircuit {
  Circuit circuit;  ///< `inputs` are those that it had
  std::vector<NoiseSource> sources;
};

/// @throws sfg::Error for a negative resistance, and for a parameter with a value that is named like the frequency, k_B or T_K.
NoisyCircuit noisy(const Circuit&);

}  // namespace sfg
