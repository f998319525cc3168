#pragma once
#include <ginac/ex.h>

#include <string>

#include "sfg/error.hpp"

namespace sfg {

/// The names in densities: the angular frequency, Boltzmann's constant, the temperature and the charge of an electron.
inline constexpr const char* noise_frequency = "w";
inline constexpr const char* boltzmann = "k_B";
inline constexpr const char* noise_temperature = "T_K";
inline constexpr const char* elementary_charge = "q_e";

inline constexpr double usual_noise_temperature = 300.15;  // K, as SPICE

/// The symbol that stands for the current of a nonlinear element in its density, until an operating point tells it.
inline std::string current_in_noise(const std::string& element) { return "current of " + element; }

/// A source of noise of its own, independent of the others.
struct NoiseSource {
  std::string element;  ///< what makes the noise
  std::string signal;   ///< the source of the equations that it drives
  GiNaC::ex density;    ///< one-sided, V²/Hz or A²/Hz, over the names above
  SourceSpan where = {};
};

}  // namespace sfg
