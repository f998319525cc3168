#pragma once
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sfg/read/spice.hpp"

namespace sfg {

/// A circuit whose instances of subcircuits are still known: which element stands in which of them. Within an instance its ports
/// are nodes of their own, "X1:in" of the port `in`; `nodes` says what they are connected to.
struct NetlistBlocks {
  struct Instance {
    std::string name;                        ///< "X2_X1": X2 of X1, as its elements have it behind their names
    std::string of;                          ///< the subcircuit
    std::vector<std::string> ports = {};     ///< as .subckt names them
    std::vector<std::string> nodes = {};     ///< where they are connected, in the instance that this one stands in
    std::optional<std::size_t> parent = {};  ///< nothing: it stands at the top
    std::optional<std::size_t> like = {};    ///< the same as this one but for names, and not expanded: it has no elements
    SourceSpan where = {};
    std::string inner(std::size_t port) const { return name + ":" + ports[port]; }
  };
  Circuit circuit;
  std::vector<Instance> instances = {};                ///< a parent before what stands in it
  std::vector<std::optional<std::size_t>> owner = {};  ///< of each element, the innermost instance; nothing: the top
  std::set<std::string> globals = {};                  ///< nodes of .global
};

/// @param asked  words of the question: an instance that one of them names something of is expanded for itself
/// @param all  every instance is expanded; else one of each kind: of a subcircuit with the same parameters, or other numbers for
/// them
/// @throws as read_spice
NetlistBlocks read_netlist_blocks(std::string_view text, std::string file, const std::vector<std::string>& asked = {},
                                  bool all = false, std::vector<Diagnostic>* notes = nullptr, const NetlistFile& beside = {},
                                  const SimulatorPoint* point = nullptr, StatedAnalyses* analyses = nullptr,
                                  const SpiceLimits& limits = {}, SpiceRest* rest = nullptr);

}  // namespace sfg
