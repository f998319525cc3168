#pragma once
#include <optional>

#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/read/laws.hpp"

namespace sfg {

/// A branch as a file states it.
struct StatedBranch {
  Passage from, to;
  std::optional<Passage> gain, nonlinear, arguments;  ///< neither gain nor law: the gain is 1
  SourceSpan where;
  Attributes attributes;
};

/// Builds a graph from the branches that a file lists, whatever its format; nodes are made where they are first named.
class BranchList {
 public:
  BranchList(const SourceText&, Problems&);

  /// The node of that name; nothing where it is no name, which is then a problem.
  std::optional<NodeId> node(const Passage& name, Attributes attributes = {});
  void branch(const StatedBranch&);
  /// Every branch is there.
  void finish();

  SignalFlowGraph graph;
  Laws laws;

 private:
  const SourceText& source_;
  Problems& problems_;
};

}  // namespace sfg
