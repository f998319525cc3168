#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "sfg/read/input.hpp"
#include "sfg/read/spice/simulator_point.hpp"

namespace sfg {

// As read() and read_as_file(), of a netlist whose devices have the small-signal values that a simulator found.

/// @throws sfg::Error with every problem found; for a format other than that of netlists
Input read(std::string_view text, InputFormat, std::string file, const FileBeside& beside, const SimulatorPoint&);
Input read_as_file(std::string_view text, const std::string& path, std::optional<InputFormat>, const SimulatorPoint&);

}  // namespace sfg
