#pragma once
#include <cstdint>
#include <optional>
#include <utility>

#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg {

/// What the denominator of a branch's gain lost as values were put in, s - 1 of K/(s - 1) at K = 0: a factor whose modes the
/// branch has all the same. 1 where nothing was lost. @throws sfg::Error where the attribute `hidden_modes`, which keeps it, is
/// no expression.
GiNaC::ex hidden_modes(const Branch&, const SymbolTable&);
void keep_hidden_modes(Branch&, const GiNaC::ex&);

/// Modes of gains while a graph is rewritten: polynomials by which the equation of a node is cleared, what its gains lost before
/// among them. Fractions of more than `terms` terms count as 1, and nothing is said to be lost to them: gains are not brought to
/// lowest terms there either.
class GainModes {
 public:
  GainModes(const SignalFlowGraph& graph, std::uint64_t terms);
  GiNaC::ex of(const Branch&) const;
  GiNaC::ex between(NodeId from, NodeId to) const;  ///< of all linear branches, parallel ones together
  /// Of a row `cleared` that takes the place of the branches from a node into another: what it shares with the other branches
  /// there stands twice, in rows of their own before, and would be counted once in the one row.
  GiNaC::ex in_place_of(NodeId from, NodeId to, const GiNaC::ex& cleared) const;
  GiNaC::ex common_multiple(const GiNaC::ex& a, const GiNaC::ex& b) const;
  /// Keeps with the branch what its gain has not any more of `cleared`.
  void keep_lost(Branch&, const GiNaC::ex& cleared) const;

 private:
  using Fraction = std::pair<GiNaC::ex, GiNaC::ex>;
  std::optional<Fraction> fraction(const GiNaC::ex&) const;  ///< in lowest terms; nothing where it has too many

  const SignalFlowGraph& graph_;
  GiNaC::ex operator_;
  std::uint64_t terms_;
};

}  // namespace sfg
