#pragma once
#include <ginac/ex.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/model/equations.hpp"
#include "sfg/transfer/question.hpp"

namespace sfg {

/// Linear relations Q x = b whose single entries may be wrong: I − Aᵀ of a graph, or D(p) x = B(p) u with the inputs among the
/// unknowns.
struct Relations {
  struct Entry {
    std::uint32_t row = 0, column = 0;
    GiNaC::ex value;     ///< a gain, or an entry of D or B
    int sense = 1;       ///< Q[row][column] is the sum of sense · value
    bool fixed = false;  ///< an equation x = u, which is no part of the model
  };
  /// The response of a column to 1 in a row; of a ratio over that of the column `over`.
  struct Response {
    std::uint32_t driver = 0, output = 0;
    std::optional<std::uint32_t> over = {};
  };
  std::vector<std::string> rows, columns;
  std::vector<Entry> entries;
  std::vector<Response> responses;
  std::vector<bool> closed;  ///< by row: no entry may be added
  std::vector<int> senses;   ///< by column: those of its entries

  /// Σ value of the entries at a place that are not fixed.
  GiNaC::ex sum(std::uint32_t row, std::uint32_t column) const;
};

/// Row: the node a branch enters; column: the node it leaves.
Relations relations(const SignalFlowGraph&, std::span<const Question>);
/// Rows: equations, columns: unknowns, then the sources. Nothing where a question is not about an unknown and a source.
std::optional<Relations> relations(const EquationSystem&, const SignalFlowGraph&, std::span<const Question>);

}  // namespace sfg
