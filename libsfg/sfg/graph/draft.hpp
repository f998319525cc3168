#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sfg/graph/hidden_modes.hpp"
#include "sfg/graph/rewrite.hpp"
#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg {

/// A graph while it is being rewritten: nodes and branches keep their places, those that go are marked; graph() numbers
/// the rest anew. Not installed: the rewritings are what users see.
class Draft {
 public:
  Draft(const SignalFlowGraph& graph, const RewriteOptions& options);

  const Node& node(NodeId id) const { return nodes_[id.index].node; }
  Node& node(NodeId id) { return nodes_[id.index].node; }
  const Branch& branch(BranchId id) const { return branches_[id.index].branch; }

  NodeId add_node(Node);
  void remove(NodeId);  ///< with its branches
  void remove(BranchId id) { branches_[id.index].gone = true; }
  void move(BranchId, NodeId from, NodeId to);
  /// Gives the branch a new gain, tidied; what it has not any more of `cleared`, by which the equation of its head was cleared of
  /// denominators, stays with it as hidden modes. A gain of 0 removes it where none are left.
  void set_gain(BranchId, const GiNaC::ex& gain, const GiNaC::ex& cleared);
  void set_gain(BranchId, const GiNaC::ex& gain);  ///< nothing more is lost
  void set_law(BranchId, const GiNaC::ex& law);    ///< of a nonlinear branch
  /// Adds the gain to the linear branch from → to, or makes one.
  void add_gain(NodeId from, NodeId to, const GiNaC::ex& gain, const GiNaC::ex& cleared, const SourceSpan& where);
  void add_branch(NodeId from, NodeId to, const GiNaC::ex& gain, const SourceSpan& where);
  const GainModes& modes() const { return modes_; }  ///< of the graph as it was

  /// Inputs and outputs of the finished graph, by place in the draft.
  std::vector<NodeId> inputs;
  std::vector<NodeId> outputs;

  /// @param keep_ports  state the inputs and outputs where the new shape would infer others.
  SignalFlowGraph graph(bool keep_ports = true) const;

 private:
  struct NodeEntry {
    Node node;
    bool gone = false;
  };
  struct BranchEntry {
    Branch branch;
    bool gone = false;
  };
  const SignalFlowGraph& original_;
  RewriteOptions options_;
  GiNaC::ex operator_;
  GainModes modes_;
  std::vector<NodeEntry> nodes_;
  std::vector<BranchEntry> branches_;
};

/// A name that no node of the graph has: the name itself, else with 2, 3, … behind it.
std::string free_name(const SignalFlowGraph&, std::string_view name);

/// Zero as a function of its symbols, decided by its values at random points modulo 61-bit primes: wrong with a
/// probability below 1e-40 for anything a computer can hold, and fast for nested gains whose normal form is huge.
bool is_zero_function(const GiNaC::ex&);

/// The shorter of the expression as it is and its normal form, which is tried as long as it has at most `terms` terms.
GiNaC::ex tidy(const GiNaC::ex&, const GiNaC::ex& main, std::uint64_t terms);

}  // namespace sfg
