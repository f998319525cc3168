#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/model/model.hpp"
#include "sfg/model/simulation.hpp"
#include "sfg/read/dimensions.hpp"

namespace sfg {

/// Gives the text of a file in the same folder; throws sfg::Error where there is none.
using FileBeside = std::function<std::string(const std::string& name)>;

/// A model or graph in TOML; every problem of the file is gathered.
/// @param notes       receives warnings when given.
/// @param simulation  receives the table [simulation] when given.
/// @param units       receives the table [units], of signals, but for the nodes of a graph, which keep their own.
/// @param beside      reads the netlists that the file names; without it they are refused.
/// @param latex       receives how names are set, as a list (NameTable::stated), which a graph keeps as an attribute, too.
/// @throws sfg::Error with every problem found.
std::variant<SignalFlowGraph, Model> read_toml(std::string_view text, std::string file, std::vector<Diagnostic>* notes = nullptr,
                                               SimulationSettings* simulation = nullptr, std::vector<StatedUnit>* units = nullptr,
                                               const FileBeside& beside = {}, std::string* latex = nullptr);

}  // namespace sfg
