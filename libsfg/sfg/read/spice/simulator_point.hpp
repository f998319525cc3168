#pragma once
#include <ginac/numeric.h>

#include <map>
#include <string>
#include <string_view>

#include "sfg/error.hpp"

namespace sfg {

/// The note on a point that was solved here begins so.
inline constexpr const char* point_is_found = "the operating point follows from the DC values of the sources";

/// What a simulator found of the devices of a netlist at its operating point.
struct SimulatorPoint {
  struct Value {
    GiNaC::numeric number;
    std::string text;
    SourceSpan where;
  };
  using Device = std::map<std::string, Value>;  ///< by the simulator's name of the quantity: gm, gmb, capbd

  std::string file;
  bool complete = false;  ///< what it lacks is 0
  std::string said = {};  ///< of a point that was solved here
  std::map<std::string, Device> devices;  ///< by the full name in lower case; m.x1.m3 of a subcircuit is m3_x1
};

/// Reads what ngspice prints for `show` (and .op in batch mode) and for `print @m1[gm]`, both in one file too, or its ASCII raw
/// file: of devices M, Q, D and J the small-signal values, their currents and series resistances.
/// @throws sfg::Error where a value is no number, where there are two that differ, and for a file without any.
SimulatorPoint read_simulator_point(std::string_view text, const std::string& file);

}  // namespace sfg
