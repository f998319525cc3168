#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "sfg/model/measurement.hpp"

namespace sfg {

/// The number of ports that the name of a file states (.s1p, .s2p …, in any case); 0: it is no Touchstone file.
std::size_t touchstone_ports(std::string_view file);

/// Reads Touchstone 1: MA, DB or RI, in Hz, kHz, MHz or GHz, two-ports in the order S11 S21 S12 S22; sources of noise behind
/// them are passed over.
/// @throws sfg::Error with what is wrong at its line and column
MeasuredPorts read_touchstone(std::string_view text, const std::string& file);

}  // namespace sfg
