#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "sfg/read/input.hpp"
#include "sfg/read/spice.hpp"
#include "sfg/read/spice/simulator_point.hpp"

namespace sfg {

/// Where a netlist stands.
struct NetlistConditions {
  const SimulatorPoint* point = nullptr;  ///< what a simulator found of its devices
  bool temperature = false;               ///< a parameter, whether the netlist states it or not (model/temperature.hpp)
  SpiceRest* rest = nullptr;              ///< what an operating point is solved with, and where it is
};

// As read() and read_as_file(), of a netlist under these conditions.

/// @throws sfg::Error with every problem found; of a point for a format other than that of netlists
Input read(std::string_view text, InputFormat, std::string file, const FileBeside& beside, const NetlistConditions&);
Input read_as_file(std::string_view text, const std::string& path, std::optional<InputFormat>, const NetlistConditions&);

}  // namespace sfg
