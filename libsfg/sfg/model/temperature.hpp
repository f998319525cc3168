#pragma once
#include <ginac/numeric.h>

#include <string>

#include "sfg/expr/symbol_table.hpp"

namespace sfg {

/// The temperature of a circuit in °C, where something in it follows; the name is ngspice's.
inline constexpr const char* temperature_parameter = "temper";
/// What T_K means where it follows from that.
inline constexpr const char* meaning_of_kelvin = "temperature of the circuit, K";

/// The message of a netlist of which it is asked for in vain, but for the noise.
inline constexpr const char* nothing_follows_temperature = "nothing in this netlist but its noise follows the temperature";

/// "300.15" and "300.15K" are kelvin, "27C", "27degC" and "27°C" degrees Celsius; in °C.
/// @throws sfg::Error for what is no number, and below absolute zero.
GiNaC::numeric celsius_of(const std::string& text);

/// T_K of the noise: what the circuit has, else the other one.
double noise_temperature_of(const SymbolTable&, double otherwise);

}  // namespace sfg
