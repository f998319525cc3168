#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sfg/error.hpp"

namespace sfg {

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
};

/// Currents into the nodes of a device at voltages of these, and their derivatives.
struct DcStamp {
  std::vector<double> currents;                     ///< by node
  std::vector<std::vector<double>> conductances;    ///< ∂current/∂voltage, by node and node
  std::map<std::string, double> small_signal = {};  ///< by the simulator's name of the quantity; of the whole device
};

/// By the equations of SPICE at 27 °C: Shichman and Hodges (level 1), Gummel and Poon without high injection, the diode; with
/// 1e-12 S across every junction.
DcStamp dc_stamp(const DcDevice&, const std::vector<double>& voltages);
/// Voltages of the nodes that are nearer to those of the step before, so that no exponential runs away (Nagel 1975).
std::vector<double> dc_limited(const DcDevice&, const std::vector<double>& voltages, const std::vector<double>& before);
/// Series resistances as (index of the node, ohms).
std::vector<std::pair<std::size_t, double>> dc_series(const DcDevice&);

}  // namespace sfg
