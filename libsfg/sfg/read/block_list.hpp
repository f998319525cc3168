#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "sfg/error.hpp"
#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg {

/// A graph as a list of blocks: a table with a header line, one branch a line, its fields separated by commas (or, where the
/// header says so, by semicolons or tabs) and quoted as RFC 4180 has it. Columns, in any order: `from` (or `source`), `to` (or
/// `target`), and what the block does: `gain` (or `weight`), or `num` and `den`, a numerator and a denominator; `nonlinear` and
/// `arguments` as in DOT. Further columns are kept as attributes of the branches. Blanks around a field that is not quoted do not
/// count, empty lines neither.
/// @param notes  receives warnings, when given.
/// @throws sfg::Error with every wrong line.
SignalFlowGraph read_block_list(std::string_view text, std::string file, std::vector<Diagnostic>* notes = nullptr);

}  // namespace sfg
