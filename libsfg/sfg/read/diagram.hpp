#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "sfg/error.hpp"
#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg {

/// A block diagram of Simulink: the bytes of a .slx file, or the text of a .mdl file of any version. Linear blocks are read:
/// gains, sums, transfer functions, zeros and poles, state space, integrators, derivatives, delays, their discrete kin, PID
/// controllers, subsystems with their masks, goto and from, mux and demux. A node is what leaves a block, under the name of the
/// signal or of the block; sources and Inports are the inputs, Outports and scopes the outputs. What is no number stays a
/// parameter.
/// @param notes  receives warnings, when given.
/// @throws sfg::Error with every block that is not linear, by its path.
SignalFlowGraph read_simulink(std::string_view bytes, std::string file, std::vector<Diagnostic>* notes = nullptr);

/// The same of Xcos: the bytes of a .zcos file, or the text of a .xcos file. The context states the values of parameters.
SignalFlowGraph read_xcos(std::string_view bytes, std::string file, std::vector<Diagnostic>* notes = nullptr);

}  // namespace sfg
