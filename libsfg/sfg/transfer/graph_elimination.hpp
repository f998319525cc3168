#pragma once
#include <ginac/ex.h>

#include <optional>
#include <span>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/ddd/elimination.hpp"
#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg {

/// Node elimination planned for the responses of some outputs to some drivers. The matrix I − Aᵀ of the nodes that matter is
/// bordered by a column for every driver's unit signal and a row for every output; what elimination leaves of the border
/// (the Schur complement) is the responses.
class GraphElimination {
 public:
  /// @throws ddd::TooLarge when it takes more operations than the terms of the budget allow.
  /// @throws NoAnswer when no point is found at which all gains have a value.
  GraphElimination(const SignalFlowGraph&, std::span<const NodeId> drivers, std::span<const NodeId> outputs, const Budget& = {},
                   ddd::EliminationOptions::Pivots = ddd::EliminationOptions::Pivots::any);

  /// Values of the places of the matrix, in the order of the plan's entries.
  std::span<const GiNaC::ex> entries() const noexcept { return entries_; }
  const ddd::Elimination& plan() const noexcept { return *plan_; }
  /// Number of the plan's value that is the response of outputs[i] to drivers[j]; nothing when it is 0 by its shape.
  std::optional<std::uint32_t> response(std::size_t output, std::size_t driver) const;
  std::size_t node_count() const noexcept { return nodes_; }  ///< nodes that matter

 private:
  std::size_t nodes_ = 0;
  std::vector<GiNaC::ex> entries_;
  std::optional<ddd::Elimination> plan_;
};

}  // namespace sfg
