#pragma once
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/model/model.hpp"
#include "sfg/model/simulation.hpp"
#include "sfg/read/dimensions.hpp"

namespace sfg {

/// A model or graph in TOML; every problem of the file is gathered.
/// @param notes       receives warnings when given.
/// @param simulation  receives the table [simulation] when given.
/// @param units       receives the table [units], of signals, but for the nodes of a graph, which keep their own.
/// @throws sfg::Error with every problem found.
std::variant<SignalFlowGraph, Model> read_toml(std::string_view text, std::string file, std::vector<Diagnostic>* notes = nullptr,
                                               SimulationSettings* simulation = nullptr,
                                               std::vector<StatedUnit>* units = nullptr);

}  // namespace sfg
