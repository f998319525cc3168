#include "sfg/read/dot/dot_clusters.hpp"

#include <map>
#include <utility>

#include "sfg/read/dot/dot_scan.hpp"

namespace sfg {

namespace {

bool lies_in(const std::vector<DotCluster>& clusters, std::size_t inner, std::size_t outer) {
  for (std::optional<std::size_t> at = inner; at; at = clusters[*at].parent)
    if (*at == outer) return true;
  return false;
}

}  // namespace

std::vector<DotCluster> read_dot_clusters(std::string_view text, std::string file) {
  const SourceText source(text, std::move(file));
  Problems problems;
  const DotFile dot = scan_dot(source, problems);
  std::vector<DotCluster> clusters;
  std::map<std::uint32_t, std::size_t> home;
  for (const DotFile::Cluster& stated : dot.clusters) {
    const std::size_t index = clusters.size();
    DotCluster& made = clusters.emplace_back();
    made.name = dot_meaning(dot_value(source, stated.begin)).text.substr(DotFile::cluster_prefix.size());
    if (made.name.starts_with('_')) made.name.erase(0, 1);
    made.where = source.at(stated.begin);
    made.parent = stated.parent;
    if (made.name.empty()) throw Error(made.where, "this cluster has no name", "write subgraph cluster_NAME { … }");
    for (const std::uint32_t node : stated.members) {
      const auto [known, fresh] = home.emplace(node, index);
      if (fresh || known->second == index) continue;
      if (!lies_in(clusters, index, known->second))
        throw Error(made.where,
                    "the node '" + dot.nodes[node].name + "' is in two clusters, '" + clusters[known->second].name + "' and '" +
                        made.name + "'",
                    "mention it in one of them; branches between clusters stand outside of both");
      known->second = index;
    }
  }
  for (const auto& [node, cluster] : home) {
    const std::string& name = dot.nodes[node].name;
    clusters[cluster].nodes.push_back(
        name.find('\\') == std::string::npos ? name : dot_meaning(dot_value(source, dot.nodes[node].begin)).text);
  }
  return clusters;
}

}  // namespace sfg
