// Questions about the shape of a graph that Boost.Graph answers.
#include "sfg/graph/components.hpp"

#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/reverse_graph.hpp>
#include <boost/graph/strong_components.hpp>

#include "sfg/graph/boost_graph.hpp"

namespace sfg {

namespace {

template <class Graph>
std::vector<bool> reach(const Graph& graph, NodeId start) {
  std::vector<bool> reached(num_vertices(graph), false);
  reached.at(start.index) = true;
  std::vector<boost::default_color_type> colours(reached.size(), boost::white_color);
  boost::queue<std::size_t> open;
  struct Visitor : boost::default_bfs_visitor {
    explicit Visitor(std::vector<bool>& marks) : marks_(&marks) {}
    void discover_vertex(std::size_t node, const Graph&) const { (*marks_)[node] = true; }
    std::vector<bool>* marks_;
  };
  boost::breadth_first_visit(graph, std::size_t{start.index}, open, Visitor(reached),
                             boost::make_iterator_property_map(colours.begin(), get(boost::vertex_index, graph)));
  return reached;
}

/// The further arguments of laws lead to the heads of their branches, as the tails do, but are no edges of the topology.
std::vector<bool> with_arguments(const SignalFlowGraph& graph, std::vector<bool> reached, bool forwards) {
  std::vector<std::pair<NodeId, NodeId>> ways;
  for (const Branch& branch : graph.branches())
    if (const auto* law = std::get_if<Nonlinearity>(&branch.law))
      for (const auto& argument : law->arguments)
        ways.push_back(forwards ? std::pair(argument.node, branch.to) : std::pair(branch.to, argument.node));
  for (bool more = !ways.empty(); more;) {
    more = false;
    for (const auto& [from, to] : ways) {
      if (!reached[from.index] || reached[to.index]) continue;
      const std::vector<bool> beyond =
          forwards ? reach(graph.topology(), to) : reach(boost::make_reverse_graph(graph.topology()), to);
      for (std::size_t i = 0; i < reached.size(); ++i) reached[i] = reached[i] || beyond[i];
      more = true;
    }
  }
  return reached;
}

}  // namespace

std::vector<std::vector<NodeId>> strong_components(const SignalFlowGraph& graph) {
  const Topology& topology = graph.topology();
  std::vector<std::size_t> component(graph.nodes().size());
  if (component.empty()) return {};
  const std::size_t count = boost::strong_components(
      topology, boost::make_iterator_property_map(component.begin(), get(boost::vertex_index, topology)));
  std::vector<std::vector<NodeId>> found(count);
  for (const NodeId node : graph.node_ids()) found[count - 1 - component[node.index]].push_back(node);  // numbered sinks first
  return found;
}

std::vector<bool> reached_from(const SignalFlowGraph& graph, NodeId start) {
  return with_arguments(graph, reach(graph.topology(), start), true);
}

std::vector<bool> reaching(const SignalFlowGraph& graph, NodeId end) {
  return with_arguments(graph, reach(boost::make_reverse_graph(graph.topology()), end), false);
}

}  // namespace sfg
