#pragma once
#include <complex>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sfg/error.hpp"

namespace sfg {

/// Scattering parameters over frequency.
struct MeasuredPorts {
  std::string file;
  std::size_t ports = 0;
  double z0 = 50;                                                           ///< Ω
  std::vector<double> frequency = {};                                       ///< rad/s, > 0, ascending
  std::vector<std::vector<std::vector<std::complex<double>>>> matrix = {};  ///< [i][j][sample]: wave out of port i for one into j
  std::vector<Diagnostic> notes = {};                                       ///< what of the file is not among them
};

/// The number of ports that the name of a file states (.s1p, .s2p …, in any case); 0: it is no Touchstone file.
std::size_t touchstone_ports(std::string_view file);

/// Reads Touchstone 1: MA, DB or RI, in Hz, kHz, MHz or GHz, two-ports in the order S11 S21 S12 S22; sources of noise behind
/// them are passed over.
/// @throws sfg::Error with what is wrong at its line and column
MeasuredPorts read_touchstone(std::string_view text, const std::string& file);

}  // namespace sfg
