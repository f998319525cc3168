#include "sfg/draw/graph/wishes.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <string>
#include <string_view>

#include "sfg/error.hpp"

namespace sfg {
namespace {

/// The value of an attribute; none where it is not stated, or empty.
std::optional<std::string_view> attribute(const Attributes& attributes, std::string_view wanted) {
  for (const auto& [name, value] : attributes)
    if (name == wanted && !value.empty()) return value;
  return {};
}

}  // namespace

std::vector<int> stated_sides(const SignalFlowGraph& graph) {
  std::vector<int> sides;
  for (const Branch& branch : graph.branches()) {
    const auto side = attribute(branch.attributes, "side");
    if (side && *side != "above" && *side != "below")
      throw Error(branch.where,
                  "side \"" + std::string(*side) + "\" of the branch from '" + graph[branch.from].name + "' to '" +
                      graph[branch.to].name + "' is no side",
                  "write side=\"above\" or side=\"below\", or leave it out");
    sides.push_back(!side ? 0 : *side == "above" ? -1 : 1);
  }
  return sides;
}

std::vector<std::optional<int>> stated_ranks(const SignalFlowGraph& graph) {
  std::vector<std::optional<int>> ranks;
  bool any = false;
  for (const Node& node : graph.nodes()) {
    const auto rank = attribute(node.attributes, "rank");
    ranks.emplace_back();
    if (!rank) continue;
    int value = 0;
    const auto [end, error] = std::from_chars(rank->data(), rank->data() + rank->size(), value);
    if (error != std::errc() || end != rank->data() + rank->size())
      throw Error(node.where, "rank \"" + std::string(*rank) + "\" of node '" + node.name + "' is no whole number",
                  "write rank=0, rank=1, … from left to right, or leave it out");
    ranks.back() = value;
    any = true;
  }
  if (!any) ranks.clear();
  return ranks;
}

bool runs_leftwards(const SignalFlowGraph& graph) { return attribute(graph.attributes, "rankdir") == "RL"; }

std::vector<std::vector<NodeId>> columns_of_sources(const SignalFlowGraph& graph) {
  std::map<std::vector<NodeId>, std::vector<NodeId>> by_targets;
  for (const NodeId source : graph.sources()) {
    std::vector<NodeId> targets;
    for (const BranchId id : graph.leaving(source)) targets.push_back(graph[id].to);
    std::ranges::sort(targets);
    if (!targets.empty()) by_targets[targets].push_back(source);
  }
  std::vector<std::vector<NodeId>> groups;
  for (auto& [targets, sources] : by_targets) {
    if (sources.size() < 2) continue;
    const auto stated = [&](NodeId node) { return std::ranges::find(graph.inputs, node) - graph.inputs.begin(); };
    if (std::ranges::all_of(sources, [&](NodeId node) { return stated(node) < std::ssize(graph.inputs); }))
      std::ranges::stable_sort(sources, {}, stated);
    groups.push_back(std::move(sources));
  }
  return groups;
}

}  // namespace sfg
