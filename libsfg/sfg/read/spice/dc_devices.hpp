#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sfg/error.hpp"
#include "sfg/ring/double_interval.hpp"

// Not installed.
namespace sfg {

inline constexpr double dc_nominal_kelvin = 300.15;
/// k/q, V/K, as ngspice has it (CODATA 2014): by the exact values of 2019, 3.5e-7 apart, saturation currents at 125 °C would be
/// 1e-5 apart.
inline constexpr double dc_volts_per_kelvin = 1.38064852e-23 / 1.6021766208e-19;

/// A device of a netlist between its nodes, with the entries of its model and of itself as numbers.
struct DcDevice {
  using Entries = std::map<std::string, double>;  ///< by name in lower case
  char letter = 'm';                              ///< M, Q or D
  std::string name;                               ///< in full
  int polarity = 1;                               ///< −1: PMOS, PNP
  std::vector<std::string> nodes;                 ///< d g s b; c b e t; a c: between its series resistances, where it has such
  Entries model, own;
  double units = 1;  ///< in parallel: M of transistors, the area of a junction
  SourceSpan where = {};
  double kelvin = dc_nominal_kelvin;
  double least = 1e-12;  ///< S, across every junction
};

/// Currents into the nodes of a device at voltages of these, and their derivatives.
template <class T>
struct DcStampOf {
  std::vector<T> currents;                   ///< by node
  std::vector<std::vector<T>> conductances;  ///< ∂current/∂voltage, by node and node
};
using DcStamp = DcStampOf<double>;

/// By the equations of SPICE: Shichman and Hodges (level 1), Gummel and Poon without high injection, the diode.
DcStamp dc_stamp(const DcDevice&, const std::vector<double>& voltages);
/// Of all voltages in the intervals.
DcStampOf<ring::Interval> dc_stamp(const DcDevice&, const std::vector<ring::Interval>& voltages);
/// By the simulator's name of the quantity; of the whole device.
std::map<std::string, double> dc_small_signal(const DcDevice&, const std::vector<double>& voltages);
/// Voltages of the nodes that are nearer to those of the step before, so that no exponential runs away (Nagel 1975).
std::vector<double> dc_limited(const DcDevice&, const std::vector<double>& voltages, const std::vector<double>& before);
/// Series resistances as (index of the node, ohms).
std::vector<std::pair<std::size_t, double>> dc_series(const DcDevice&);

}  // namespace sfg
