#pragma once
#include <map>
#include <string>
#include <vector>

#include "sfg/exact/rational.hpp"
#include "sfg/model/circuit.hpp"
#include "sfg/model/noise.hpp"

namespace sfg {

/// A circuit whose elements make noise: a current source 4 k_B T_K/R beside every resistor (Nyquist 1928; 4 k_B T_K R in series
/// where its current is an output), the independent sources that state a density, and a current source beside every other element
/// that does: of a transistor's transconductance and input, of a diode.
struct NoisyCircuit {
  Circuit circuit;  ///< `inputs` are those that it had
  std::vector<NoiseSource> sources;
};

/// @throws sfg::Error for a negative resistance, and for a parameter with a value that is named like the frequency, k_B or T_K.
NoisyCircuit noisy(const Circuit&);

/// The sources at an operating point (signal → value): what depends on the current of a diode takes it as a parameter, ID_D1,
/// which is added to the symbols with its value.
/// @throws sfg::Error where the point does not say what a diode's current depends on.
std::vector<NoiseSource> at_point(const NoisyCircuit&, const std::map<std::string, exact::Rational>& point, SymbolTable&);

/// Volts or amperes, as far as the name of the signal tells.
std::string unit_of(const NoisyCircuit&, const std::string& signal);

}  // namespace sfg
