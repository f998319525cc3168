#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sfg/error.hpp"

namespace sfg {

/// `subgraph cluster_X { … }` of a DOT text.
struct DotCluster {
  std::string name;                        ///< "X"
  std::vector<std::string> nodes = {};     ///< but for those of clusters in it
  std::optional<std::size_t> parent = {};  ///< the cluster that it stands in, before it
  SourceSpan where = {};
};

/// The clusters of a text that was read as a graph, one before those in it. A node is of the cluster in which it is mentioned.
/// @throws sfg::Error of a node in two clusters
std::vector<DotCluster> read_dot_clusters(std::string_view text, std::string file);

}  // namespace sfg
