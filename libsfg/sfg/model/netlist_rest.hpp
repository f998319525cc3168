#pragma once
#include <ginac/numeric.h>

#include <map>
#include <optional>
#include <string>

namespace sfg {

/// The operating point that is solved for where the netlist states none of its transistors and a source has a DC value.
struct SpiceRest {
  std::map<std::string, GiNaC::numeric> values = {};  ///< of parameters, in place of the stated ones; of `temper`, °C
  bool found = false;                                 ///< what follows was solved for
  std::map<std::string, double> voltages = {};        ///< by node
  double celsius = 27;
  /// V: intervals prove that one solution, and one alone, lies within so much of these voltages; nothing: not proven, and why.
  std::optional<double> within = {};
  std::string unproven = {};
};

}  // namespace sfg
