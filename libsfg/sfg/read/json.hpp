#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg {

/// A graph as written by write_json: lossless.
/// @param notes  receives warnings when given.
/// @throws sfg::Error with every problem found.
SignalFlowGraph read_json(std::string_view text, std::string file, std::vector<Diagnostic>* notes = nullptr);

}  // namespace sfg
