// A cluster is a set of nodes. From outside it is what leaves its exits for what comes in at its entries: the responses of the
// cluster alone. Where an entry is an exit too, what comes in and the signal are two nodes.
#include "sfg/transfer/closed_clusters.hpp"

#include <ginac/ginac.h>

#include <algorithm>

#include "sfg/error.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/graph/inspect.hpp"

namespace sfg {

namespace {

class ClusterClosing {
 public:
  ClusterClosing(const SignalFlowGraph& graph, std::span<const Cluster> clusters, std::span<const Question> questions,
                 const BlockOptions& options)
      : made_{SignalFlowGraph::like(graph)}, clusters_(clusters), options_(options) {
    std::vector<bool> matters = relevant_nodes(graph, questions);
    for (const Question& question : questions)
      for (const NodeId end : {question.input, question.output, driver(question)}) matters[end.index] = true;
    require_linear(graph, matters);
    for (const NodeId id : graph.node_ids())
      if (matters[id.index]) made_.graph.add_node({graph[id].name, graph[id].where, {}});
    for (const Branch& branch : graph.branches())
      if (matters[branch.from.index] && matters[branch.to.index] && branch.linear())
        made_.graph.add_branch(named(graph[branch.from].name), named(graph[branch.to].name), branch.gain(), branch.where);
    for (std::size_t i = 0; i < clusters.size(); ++i)
      for (const std::string& node : clusters[i].nodes) home_[node] = i;
    for (const Question& question : questions) {
      enters_.insert(graph[driver(question)].name);
      leaves_.insert(graph[question.output].name);
      if (question.mode == Question::Mode::ratio) leaves_.insert(graph[question.input].name);
    }
  }

  ClosedGraph closed(const SignalFlowGraph& graph, std::span<const Question> questions) {
    for (std::size_t i = 0; i < clusters_.size(); ++i)
      if (!clusters_[i].parent) close_with_inner(i);
    for (Question question : questions) {
      const bool ratio = question.mode == Question::Mode::ratio;
      question.input = named(ratio ? graph[question.input].name : entry_of(graph[question.input].name));
      question.output = named(graph[question.output].name);
      if (ratio) question.reference = named(entry_of(graph[*question.reference].name));
      made_.questions.push_back(question);
    }
    return std::move(made_);
  }

 private:
  NodeId named(const std::string& name) { return made_.graph.at(name); }
  std::string entry_of(const std::string& name) const {
    std::string entry = name;
    for (auto split = entry_of_.find(entry); split != entry_of_.end(); split = entry_of_.find(entry)) entry = split->second;
    return entry;
  }
  bool is_in(NodeId id, std::size_t cluster) const {
    const auto home = home_.find(made_.graph[id].name);
    return home != home_.end() && home->second == cluster;
  }

  /// What stays of a cluster, and its part of the graph.
  struct Inside {
    SignalFlowGraph graph;
    std::vector<NodeId> entries = {}, exits = {};  ///< in the graph outside
  };

  Inside inside(std::size_t cluster) {
    const SignalFlowGraph& outer = made_.graph;
    Inside part{SignalFlowGraph::like(outer)};
    for (const NodeId id : outer.node_ids()) {
      if (!is_in(id, cluster)) continue;
      part.graph.add_node({outer[id].name, outer[id].where, {}});
      const auto outside = [&](auto end) {
        return [this, &outer, cluster, end](BranchId b) { return !is_in(outer[b].*end, cluster); };
      };
      if (std::ranges::any_of(outer.entering(id), outside(&Branch::from)) || enters_.contains(outer[id].name) ||
          outer.entering(id).empty())
        part.entries.push_back(id);
      if (std::ranges::any_of(outer.leaving(id), outside(&Branch::to)) || leaves_.contains(outer[id].name))
        part.exits.push_back(id);
    }
    for (const Branch& branch : outer.branches())
      if (is_in(branch.from, cluster) && is_in(branch.to, cluster))
        part.graph.add_branch(part.graph.at(outer[branch.from].name), part.graph.at(outer[branch.to].name), branch.gain(),
                              branch.where);
    return part;
  }

  void close_with_inner(std::size_t index) {
    for (std::size_t i = index + 1; i < clusters_.size(); ++i)
      if (clusters_[i].parent == index) close_with_inner(i);
    close(index);
  }

  void close(std::size_t index) {
    const Inside part = inside(index);
    if (part.entries.empty() || part.exits.empty()) return;
    const SignalFlowGraph before = std::exchange(made_.graph, SignalFlowGraph::like(made_.graph));
    std::vector<Question> questions;
    for (const NodeId exit : part.exits)
      for (const NodeId entry : part.entries) {
        const NodeId in = part.graph.at(before[entry].name), out = part.graph.at(before[exit].name);
        if (in == out && part.graph.entering(in).empty()) continue;
        questions.push_back({in, out, part.graph.entering(in).empty() ? Question::Mode::source : Question::Mode::inject, {}});
      }
    const SolvedPart solved = solved_part(part.graph, questions, "_" + clusters_[index].name, options_);
    BlockKind& kind = made_.solved.kinds.emplace_back(BlockKind{clusters_[index].name, solved.definitions});
    for (const auto& definition : solved.definitions) kind.own.insert(definition.name);
    kind.verification = solved.verification;
    kind.vertices = solved.vertices;
    state_ports(index, part, before);
    join(index, part, before, questions, solved.values);
  }

  void state_ports(std::size_t index, const Inside& part, const SignalFlowGraph& before) {
    ClosedBlock& block = made_.solved.blocks.emplace_back(ClosedBlock{clusters_[index].name, {}, made_.solved.kinds.size() - 1});
    for (const auto* ends : {&part.entries, &part.exits})
      for (const NodeId id : *ends)
        if (std::ranges::find(block.ports, before[id].name) == block.ports.end()) block.ports.push_back(before[id].name);
  }

  /// The graph with the functions in place of the inside.
  void join(std::size_t index, const Inside& part, const SignalFlowGraph& before, const std::vector<Question>& questions,
            const std::vector<GiNaC::ex>& values) {
    SignalFlowGraph& graph = made_.graph;
    for (const NodeId id : before.node_ids())
      if (!in_cluster(before, id, index) || std::ranges::find(part.entries, id) != part.entries.end() ||
          std::ranges::find(part.exits, id) != part.exits.end())
        graph.add_node({before[id].name, before[id].where, {}});
    for (const NodeId id : part.entries) {
      const std::string& name = before[id].name;
      if (std::ranges::find(part.exits, id) == part.exits.end() || part.graph.entering(part.graph.at(name)).empty()) continue;
      std::string enters = "in_" + name;
      while (graph.find(enters) || before.find(enters)) enters = "in_" + enters;
      graph.add_node({enters, before[id].where, {}});
      entry_of_[name] = enters;
      if (enters_.erase(name) > 0) enters_.insert(enters);
    }
    for (const Branch& branch : before.branches()) {
      if (in_cluster(before, branch.from, index) && in_cluster(before, branch.to, index)) continue;
      const std::string& to = before[branch.to].name;
      graph.add_branch(named(before[branch.from].name), named(in_cluster(before, branch.to, index) ? entry_of(to) : to),
                       branch.gain(), branch.where);
    }
    BlockLetters letters(graph.symbols, made_.solved.kinds.back());
    for (std::size_t i = 0; i < questions.size(); ++i) {
      const std::string& in = part.graph[questions[i].input].name;
      const std::string& out = part.graph[questions[i].output].name;
      const GiNaC::ex letter = letters.letter(name_of(index, questions.size() == 1, in, out), values[i]);
      if (!letter.is_zero()) graph.add_branch(named(entry_of(in)), named(out), letter);
    }
    for (const NodeId id : before.node_ids())
      if (in_cluster(before, id, index)) move_up(before[id].name, index);
  }

  bool in_cluster(const SignalFlowGraph& graph, NodeId id, std::size_t index) const {
    const auto home = home_.find(graph[id].name);
    return home != home_.end() && home->second == index;
  }

  std::string name_of(std::size_t index, bool only, const std::string& in, const std::string& out) const {
    const std::string& cluster = clusters_[index].name;
    if (only && is_name(cluster)) return cluster;
    const std::string full = cluster + "_" + out + "_" + in;
    return is_name(full) ? full
                         : "g" + std::to_string(made_.solved.kinds.back().functions.size() + 1) + "_" + std::to_string(index + 1);
  }

  /// What stays of a cluster is in the one that it stands in.
  void move_up(const std::string& name, std::size_t index) {
    const auto& parent = clusters_[index].parent;
    for (const std::string& node : {name, entry_of(name)}) {
      if (parent)
        home_[node] = *parent;
      else
        home_.erase(node);
    }
  }

  ClosedGraph made_;
  std::span<const Cluster> clusters_;
  const BlockOptions& options_;
  std::map<std::string, std::size_t> home_;      ///< cluster of a node
  std::map<std::string, std::string> entry_of_;  ///< of nodes that were split
  std::set<std::string> enters_, leaves_;        ///< ends of questions
};

}  // namespace

ClosedGraph closed_clusters(const SignalFlowGraph& graph, std::span<const Cluster> clusters, std::span<const Question> questions,
                            const BlockOptions& options) {
  return ClusterClosing(graph, clusters, questions, options).closed(graph, questions);
}

BlockTransfers block_transfers(const SignalFlowGraph& graph, std::span<const Cluster> clusters,
                               std::span<const Question> questions, ClosedGraph& closed, const BlockOptions& options) {
  closed = closed_clusters(graph, clusters, questions, options);
  BlockTransfers made = std::move(closed.solved);
  solve_outside(closed.graph, closed.questions, options, made);
  verify_whole(made, closed.graph, graph, questions, options);
  return made;
}

}  // namespace sfg
