#pragma once
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sfg/model/equations.hpp"
#include "sfg/read/netlist_blocks.hpp"
#include "sfg/transfer/blocks.hpp"

namespace sfg {

/// A circuit whose instances of subcircuits are closed: controlled sources between their terminals stand for them.
struct ClosedCircuit {
  Circuit circuit;
  BlockTransfers solved = {};            ///< kinds and blocks
  std::size_t elements = 0;              ///< of all of it
  std::vector<std::string> opened = {};  ///< elements of blocks that stand outside: inputs, nonlinear ones, measured currents
};

/// @param asked  sources and elements that a question names, beside the inputs of the circuit: they stand outside of their blocks
/// @returns nothing where an instance that was not expanded has something that must stand outside: all must be expanded then.
/// @throws as circuit_equations and transfer_functions
std::optional<ClosedCircuit> closed_circuit(const NetlistBlocks&, const std::vector<std::string>& asked = {},
                                            const BlockOptions& = {});

/// Voltages and currents within each instance and those in it, as equations name them.
std::vector<std::set<std::string>> block_signals(const NetlistBlocks&);

/// For a picture: the circuit with these instances as one thing each, which takes the voltages of its nodes and gives currents
/// into them. Its own unknowns are the voltages of nodes "X1:1", "X1:2", …; what is within is gone, and what is asked of it.
Circuit boxed_circuit(const NetlistBlocks&, const std::set<std::size_t>& instances);

/// The whole circuit, of blocks that are all expanded.
Circuit flat_circuit(const NetlistBlocks&);

/// Equations as a graph that is good for elimination alone: its node i has row i, x_i = (1 − d_ii) x_i − Σ d_ij x_j + Σ b_ik u_k,
/// so that no equation has to be solved for an unknown, which takes long where there are many.
/// @pre  they have no laws
SignalFlowGraph graph_of_rows(const EquationSystem&);

}  // namespace sfg
