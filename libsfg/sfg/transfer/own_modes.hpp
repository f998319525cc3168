#pragma once
#include <ginac/ex.h>

#include "sfg/budget.hpp"
#include "sfg/graph/signal_flow_graph.hpp"

// Not installed.
namespace sfg {

/// The modes of a graph, asked whether roots of polynomials are among them: with random numbers for all letters, so that large
/// graphs with many of them are asked, too. A law that is not linear counts as one with slopes of its own.
class OwnModes {
 public:
  explicit OwnModes(const SignalFlowGraph&, const Budget& = {});
  /// The factors of a polynomial in the operator that are modes; all of it where the graph is singular or too large to be asked.
  GiNaC::ex among(const GiNaC::ex& polynomial) const;

 private:
  GiNaC::ex operator_;
  GiNaC::exmap numbers_;
  GiNaC::ex modes_;  ///< a polynomial in the operator with numbers; 0: all that is asked
};

/// The graph, whose branches keep those of their hidden modes that are modes of another.
SignalFlowGraph with_own_modes(const SignalFlowGraph&, const OwnModes&);

}  // namespace sfg
