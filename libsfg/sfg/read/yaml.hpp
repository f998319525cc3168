#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "sfg/error.hpp"
#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg {

/// A graph in the YAML of PySFG (the Python package pysfg): the lists `sources`, `sinks` and `nodes`, and `edges`, whose keys are
/// `u ~> v` and whose values are gains. Sources are the inputs, sinks the outputs. As in the StrictYAML that PySFG reads every
/// scalar is text, and there are no anchors, aliases, tags or second documents.
/// @param notes  receives warnings, when given.
/// @throws sfg::Error with every problem found.
SignalFlowGraph read_yaml(std::string_view text, std::string file, std::vector<Diagnostic>* notes = nullptr);

}  // namespace sfg
