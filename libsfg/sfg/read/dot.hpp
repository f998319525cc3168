#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg {

/// Longest DOT text that is read, in bytes.
inline constexpr std::size_t largest_dot = std::size_t{256} << 20;

/// DOT by a scan of our own that bounds size, nesting and edge products, keeps the place of every statement, and refuses what
/// cgraph would accept wrongly (text after the closing brace, a second graph). After
/// check_dot_with_cgraph() what it found is held against the graph that cgraph reads.
/// @param notes  receives warnings when given.
/// @throws sfg::Error with every problem found.
SignalFlowGraph read_dot(std::string_view text, std::string file, std::vector<Diagnostic>* notes = nullptr);

}  // namespace sfg
