#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sfg/transfer/blocks.hpp"

namespace sfg {

/// Nodes of a graph that are seen as one.
struct Cluster {
  std::string name;
  std::vector<std::string> nodes = {};     ///< but for those of clusters in it
  std::optional<std::size_t> parent = {};  ///< stands before it
};

/// A graph in which clusters are closed, and what is asked of it.
struct ClosedGraph {
  SignalFlowGraph graph;
  std::vector<Question> questions = {};
  BlockTransfers solved = {};  ///< kinds and blocks
};
ClosedGraph closed_clusters(const SignalFlowGraph&, std::span<const Cluster>, std::span<const Question>,
                            const BlockOptions& = {});

/// Answers in the functions of clusters. @throws as transfer_functions
BlockTransfers block_transfers(const SignalFlowGraph&, std::span<const Cluster>, std::span<const Question>, ClosedGraph&,
                               const BlockOptions& = {});

}  // namespace sfg
