#pragma once
#include "sfg/read/document/model_document.hpp"

namespace sfg {

/// [state_space]: states, inputs, outputs, A, B, C, D (0 when absent) → its graph.
SignalFlowGraph state_space_graph_of(const DocumentReader&, const Value& table, const SharedParts&);
/// [transfer]: numerator and denominator (coefficients, highest power first, or polynomials) or expression; realization;
/// input and output → the graph of that form.
SignalFlowGraph transfer_graph_of(const DocumentReader&, const Value& table, const SharedParts&);

}  // namespace sfg
