#pragma once
#include "sfg/read/spice/dc_devices.hpp"

// Not installed.
namespace sfg {

/// The device at its temperature, its model being stated at the other one: saturation currents, junctions, gain and threshold as
/// SPICE moves them.
void move_to_temperature(DcDevice&, double stated_kelvin);

}  // namespace sfg
