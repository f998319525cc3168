#include "tools/verbs/draw_blocks.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include "sfg/ask/circuit_blocks.hpp"
#include "sfg/read/dot/dot_clusters.hpp"
#include "tools/frame/load.hpp"
#include "tools/frame/operating_point.hpp"
#include "tools/frame/usage.hpp"

namespace sfg::command {

namespace {

std::vector<BlockOutline> clusters_of(const StatedInput& stated) {
  const std::vector<DotCluster> clusters = read_dot_clusters(stated.text, stated.name);
  std::vector<BlockOutline> all;
  for (const DotCluster& cluster : clusters) all.push_back({cluster.name, {}, false});
  for (std::size_t i = 0; i < clusters.size(); ++i)
    for (std::optional<std::size_t> at = i; at; at = clusters[*at].parent)
      all[*at].nodes.insert(all[*at].nodes.end(), clusters[i].nodes.begin(), clusters[i].nodes.end());
  return all;
}

/// The signal that a node of a circuit's graph stands for: sums e_v(1) are those of their signals.
std::string signal_of(std::string node) {
  if (node.starts_with("e_")) node = node.substr(2);
  while (node.ends_with('_')) node.pop_back();
  return node;
}

/// The netlist, and its graph with those instances as one thing each that --closed names.
class DrawnNetlist {
 public:
  DrawnNetlist(Task& task, const StatedInput& stated) {
    Input unheard;
    blocks_ = netlist_blocks(task.arguments, stated, {}, true, unheard);
    for (const std::string& name : task.arguments.list("closed"))
      for (std::size_t i = 0; i < blocks_.instances.size(); ++i)
        if (blocks_.instances[i].name == name) closed_.insert(i);
  }

  SignalFlowGraph graph(Task& task, GraphLayout layout) const {
    const Subject whole = subject_of(task);
    if (closed_.empty()) return whole.graph(layout);
    NetlistBlocks valued = blocks_;  // with the values that were put in
    valued.circuit.op = whole.circuit()->op;
    for (std::size_t i = 0; i < valued.circuit.elements.size(); ++i)
      valued.circuit.elements[i].value = whole.circuit()->elements[i].value;
    valued.circuit.symbols = whole.circuit()->symbols;
    valued.circuit.outputs = whole.circuit()->outputs;
    return whole.quiet().with(Model(boxed_circuit(valued, closed_))).graph(layout);
  }

  std::vector<BlockOutline> blocks(const SignalFlowGraph& graph) const {
    const std::vector<std::set<std::string>> signals = block_signals(blocks_);
    std::vector<BlockOutline> all;
    for (std::size_t i = 0; i < signals.size(); ++i) {
      BlockOutline& made = all.emplace_back(BlockOutline{blocks_.instances[i].name, {}, false});
      for (const Node& node : graph.nodes()) {
        const std::string signal = signal_of(node.name);
        if (signals[i].contains(signal) || signal.starts_with("v(" + made.name + ":")) made.nodes.push_back(node.name);
      }
    }
    for (std::size_t i = all.size(); i-- > 0;)  // terminals of a closed block are in what it stands in, too
      if (const std::optional<std::size_t> parent = blocks_.instances[i].parent)
        std::ranges::copy_if(all[i].nodes, std::back_inserter(all[*parent].nodes), [&](const std::string& node) {
          return std::ranges::find(all[*parent].nodes, node) == all[*parent].nodes.end();
        });
    return all;
  }

 private:
  NetlistBlocks blocks_;
  std::set<std::size_t> closed_;
};

std::string list_of(const std::vector<BlockOutline>& blocks) {
  constexpr std::size_t most = 20;
  std::string text;
  for (std::size_t i = 0; i < std::min(blocks.size(), most); ++i) text += (i == 0 ? "" : ", ") + blocks[i].name;
  return text + (blocks.size() > most ? " … (" + std::to_string(blocks.size()) + " in all)" : "");
}

}  // namespace

std::vector<Option> block_options() {
  return {
      {.name = "--closed", .value = "BLOCK", .text = "an instance of a subcircuit or a cluster as one box", .repeatable = true},
      {.name = "--open", .value = "BLOCK", .text = "what is in it within its frame", .repeatable = true}};
}

DrawnBlocks blocks_of(Task& task, GraphLayout layout) {
  const std::string option = task.arguments.has("closed") ? "--closed" : "--open";
  const StatedInput stated = stated_input(task);
  if (stated.format != InputFormat::dot && stated.format != InputFormat::spice)
    throw UsageError(
        option + " is of the subcircuits of a netlist and the clusters of a graph in DOT, and '" + stated.name + "' is neither",
        "leave it out");
  DrawnBlocks drawn;
  std::vector<BlockOutline> all;
  if (stated.format == InputFormat::dot) {
    drawn.graph = graph_of(task, layout);
    all = clusters_of(stated);
  } else {
    const DrawnNetlist netlist(task, stated);
    drawn.graph = netlist.graph(task, layout);
    all = netlist.blocks(drawn.graph);
  }
  for (const bool closed : {true, false})
    for (const std::string& name : task.arguments.list(closed ? "closed" : "open")) {
      const auto found = std::ranges::find(all, name, &BlockOutline::name);
      const std::string words = std::string(closed ? "--closed " : "--open ") + name;
      if (found == all.end())
        throw UsageError(words + ": there is no block of that name",
                         all.empty() ? "the input has none: leave it out" : "there are " + list_of(all));
      if (!closed && std::ranges::find(drawn.blocks, name, &BlockOutline::name) != drawn.blocks.end())
        throw UsageError(words + ": the block is closed by --closed", "leave one of the two out");
      if (found->nodes.empty()) {
        task.notes.push_back({{}, words + ": no signal is in it alone", "leave it out", Severity::remark});
        continue;
      }
      drawn.blocks.push_back(*found);
      drawn.blocks.back().closed = closed;
    }
  // Of two boxes, one in the other, the outer one is drawn.
  std::ranges::stable_sort(drawn.blocks, [](const auto& a, const auto& b) { return a.nodes.size() > b.nodes.size(); });
  return drawn;
}

}  // namespace sfg::command
