#pragma once
#include <ginac/ex.h>

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "sfg/error.hpp"
#include "sfg/expr/symbol_table.hpp"
#include "sfg/model/operator.hpp"

namespace sfg {

struct NodeId {
  std::uint32_t index = 0;
  friend auto operator<=>(NodeId, NodeId) = default;
};
struct BranchId {
  std::uint32_t index = 0;
  friend auto operator<=>(BranchId, BranchId) = default;
};

/// Attributes of the file that mean nothing to us and are written back, in their order.
using Attributes = std::vector<std::pair<std::string, std::string>>;

/// A signal. Its value is the sum of what its entering branches bring.
struct Node {
  std::string name;
  SourceSpan where = {};
  Attributes attributes;
};

/// The law of a branch whose output is not gain × input: an expression of `u` (the signal at the tail), `v` (its rate)
/// and `t` (time), symbols of the graph's table, and of further signals where `arguments` names them.
struct Nonlinearity {
  /// A signal beside that at the tail: the symbols that stand for it and for its rate.
  struct Argument {
    GiNaC::ex signal;
    GiNaC::ex rate;
    NodeId node;
  };
  GiNaC::ex law;
  std::vector<Argument> arguments = {};
};

/// A directed relation between two signals.
struct Branch {
  NodeId from;
  NodeId to;
  std::variant<GiNaC::ex, Nonlinearity> law;
  SourceSpan where = {};
  Attributes attributes;

  bool linear() const noexcept { return std::holds_alternative<GiNaC::ex>(law); }
  const GiNaC::ex& gain() const { return std::get<GiNaC::ex>(law); }  ///< std::bad_variant_access when nonlinear
};

/// What Boost.Graph stores of a graph: graph/boost_graph.hpp shows it to those who run its algorithms.
struct Topology;

/// A signal-flow graph (Mason 1953): nodes, branches with gains, parallel branches and self-loops allowed; the names
/// that occur in the gains, and what the file says of inputs, outputs and the operator.
/// Filled with add_node and add_branch, then handed on as const&; a transformation returns a new graph. Several threads may
/// read its shape at once; its expressions stay on one thread, as GiNaC's do.
class SignalFlowGraph {
 public:
  std::string title;
  Operator op = "s";            ///< of the gains
  std::vector<NodeId> inputs;   ///< as stated; empty: the sources
  std::vector<NodeId> outputs;  ///< as stated; empty: the sinks
  Attributes attributes;        ///< further attributes of the graph, `expect` among them
  SymbolTable symbols;
  SourceSpan where;

  SignalFlowGraph();
  SignalFlowGraph(const SignalFlowGraph&);
  SignalFlowGraph(SignalFlowGraph&&);  // NOLINT(performance-noexcept-move-constructor): a deque of symbols takes memory to be moved
  SignalFlowGraph& operator=(const SignalFlowGraph&);
  SignalFlowGraph& operator=(SignalFlowGraph&&);  // NOLINT(performance-noexcept-move-constructor)
  ~SignalFlowGraph();
  /// Title, operator, symbols, attributes and place of another, without its nodes and branches, or with its nodes.
  static SignalFlowGraph like(const SignalFlowGraph&);
  static SignalFlowGraph like_with_nodes(const SignalFlowGraph&);

  /// @throws std::invalid_argument when the name is empty or taken.
  NodeId add_node(Node);
  /// The node of that name, added when it is not there.
  NodeId node(std::string_view name, SourceSpan where = {});
  /// @throws std::out_of_range when an end is not a node of this graph.
  BranchId add_branch(Branch);
  BranchId add_branch(NodeId from, NodeId to, GiNaC::ex gain, SourceSpan where = {});

  std::span<const Node> nodes() const noexcept { return nodes_; }
  std::span<const Branch> branches() const noexcept { return branches_; }
  const Node& operator[](NodeId id) const { return nodes_.at(id.index); }
  const Branch& operator[](BranchId id) const { return branches_.at(id.index); }
  std::vector<NodeId> node_ids() const;
  std::vector<BranchId> branch_ids() const;
  /// In the order they were added; valid until the next branch is added.
  std::span<const BranchId> leaving(NodeId) const;
  std::span<const BranchId> entering(NodeId) const;
  std::optional<NodeId> find(std::string_view name) const;
  /// The node of that name. @throws sfg::Error when there is none, with the nearest name.
  NodeId at(std::string_view name) const;
  std::vector<NodeId> sources() const;  ///< nodes without entering branches, isolated ones included
  std::vector<NodeId> sinks() const;    ///< nodes without leaving branches, isolated ones included
  /// `inputs` when stated, else the sources that have a leaving branch; likewise the outputs.
  std::vector<NodeId> stated_inputs() const;
  std::vector<NodeId> stated_outputs() const;
  bool linear() const;                                              ///< no nonlinear branch
  const Topology& topology() const noexcept { return *topology_; }  ///< for algorithms of Boost.Graph

  /// The same graph with expressions substituted in every gain and law (parameters by numbers, say).
  /// @throws sfg::Error with the place of the branch when that divides by zero.
  SignalFlowGraph substituted(const GiNaC::exmap&) const;
  /// The numbers of the symbols that have one, but for the operator.
  GiNaC::exmap parameter_values() const;

 private:
  std::vector<Node> nodes_;
  std::vector<Branch> branches_;
  std::map<std::string, NodeId, std::less<>> names_;
  std::unique_ptr<Topology> topology_;
};

}  // namespace sfg
