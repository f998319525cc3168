#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg {

/// A block diagram as people type it: `r -> (+e) -> [K] -> [1/(s*(s+1))] -> y; y -> [H] -> (-e)`. Statements end with ';' or the
/// line; a line that begins or ends with '->' goes on. [EXPRESSION] is a gain, NAME or "any text" a signal, (+NAME) and (-NAME) the
/// signal entered with this sign. All of one name are one node, whose entering branches add; between two boxes lies a node without a
/// name of its own. `K = 10` states a parameter; `input r, d`, `output y`, `variable z`, `title "…"` and the other words that a DOT
/// graph has as attributes state what they state there. '#' and '//' begin comments.
/// @param notes  receives warnings when given.
/// @throws sfg::Error with every problem found.
SignalFlowGraph read_typed_diagram(std::string_view text, std::string file, std::vector<Diagnostic>* notes = nullptr);

/// Whether a text begins, comments apart, as one does: with a chain a -> …, or with a statement of a word, input r.
bool begins_typed_diagram(std::string_view text);

}  // namespace sfg
