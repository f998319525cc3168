#include "sfg/transfer/reduce.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "sfg/graph/hidden_modes.hpp"
#include "sfg/transfer/own_modes.hpp"
#include "sfg/transfer/same_signals.hpp"

namespace sfg {

namespace {

using Kind = Rewriting::Kind;
using Request = ReductionRequest::Kind;

std::vector<NodeId> nodes_named(const SignalFlowGraph& graph, const std::vector<std::string>& names) {
  std::vector<NodeId> ids;
  for (const std::string& name : names) ids.push_back(graph.at(name));
  return ids;
}

bool contains(const std::vector<NodeId>& ids, NodeId id) { return std::find(ids.begin(), ids.end(), id) != ids.end(); }

void require_names(const Rewriting& action, std::size_t count) {
  if (action.nodes.size() < count)
    throw std::invalid_argument("rewritten: '" + to_string(action.kind) + "' needs " + std::to_string(count) + " names");
}

BranchId branch_between(const SignalFlowGraph& graph, NodeId from, NodeId to) {
  for (BranchId id : graph.leaving(from))
    if (graph[id].to == to && graph[id].linear()) return id;
  throw Error(graph[from].where, "there is no branch " + graph[from].name + " -> " + graph[to].name,
              "name the ends of a linear branch");
}

bool same_law(const Branch& a, const Branch& b) {
  if (a.linear() != b.linear()) return false;
  return a.linear() ? a.gain().is_equal(b.gain()) : std::get<Nonlinearity>(a.law).law.is_equal(std::get<Nonlinearity>(b.law).law);
}

/// Branches of `these` that are not among `those`, by names of ends and law.
std::vector<BranchText> branches_only_in(const SignalFlowGraph& these, const SignalFlowGraph& those) {
  std::multimap<std::pair<std::string, std::string>, const Branch*> others;
  for (const Branch& branch : those.branches())
    others.emplace(std::pair(those[branch.from].name, those[branch.to].name), &branch);
  std::vector<BranchText> result;
  for (const Branch& branch : these.branches()) {
    const std::pair ends(these[branch.from].name, these[branch.to].name);
    auto [first, last] = others.equal_range(ends);
    const auto same = std::find_if(first, last, [&](const auto& other) { return same_law(branch, *other.second); });
    if (same != last)
      others.erase(same);
    else
      result.push_back({ends.first, ends.second, branch.law});
  }
  return result;
}

std::vector<std::string> nodes_only_in(const SignalFlowGraph& these, const SignalFlowGraph& those) {
  std::vector<std::string> names;
  for (const Node& node : these.nodes())
    if (!those.find(node.name)) names.push_back(node.name);
  return names;
}

/// An inversion goes back when every branch of the path is one branch with a node without self-loop at its head.
std::optional<Rewriting> inverse_of_inversion(const SignalFlowGraph& before, const Rewriting& action) {
  const auto path = nodes_named(before, action.nodes);
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    std::size_t parallel = 0;
    for (BranchId id : before.leaving(path[i])) parallel += before[id].to == path[i + 1];
    const bool looped = path.size() > 2 && !gain_between(before, path[i + 1], path[i + 1]).is_zero();
    if (parallel != 1 || looped) return std::nullopt;
  }
  return Rewriting{Kind::invert, {action.nodes.rbegin(), action.nodes.rend()}, {}};
}

std::optional<Rewriting> inverse_of_series(const SignalFlowGraph& before, const Rewriting& action) {
  const NodeId node = before.at(action.nodes[0]);
  const auto entering = before.entering(node);
  const auto leaving = before.leaving(node);
  if (entering.size() != 1 || leaving.size() != 1) return std::nullopt;
  const NodeId from = before[entering[0]].from;
  const NodeId to = before[leaving[0]].to;
  if (before[entering[0]].gain().is_zero() || before[leaving[0]].gain().is_zero()) return std::nullopt;  // no branch is left
  for (BranchId id : before.leaving(from))
    if (before[id].to == to) return std::nullopt;  // the gains were added
  return Rewriting{Kind::insert, {before[from].name, before[to].name, action.nodes[0]}, before[entering[0]].gain()};
}

std::optional<Rewriting> inverse_action(const SignalFlowGraph& before, const Rewriting& action) {
  switch (action.kind) {
    case Kind::absorb: {
      const NodeId node = before.at(action.nodes[0]);
      return Rewriting{Kind::self_loop, action.nodes, gain_between(before, node, node)};
    }
    case Kind::self_loop: return Rewriting{Kind::absorb, action.nodes, {}};
    case Kind::eliminate:
    case Kind::merge_series: return inverse_of_series(before, action);
    case Kind::insert: return Rewriting{Kind::merge_series, {action.nodes[2]}, {}};
    case Kind::invert: return inverse_of_inversion(before, action);
    case Kind::transpose: return action;
    case Kind::scale: return Rewriting{Kind::scale, action.nodes, 1 / action.value};
    case Kind::split: return Rewriting{Kind::join, {action.nodes[1], action.nodes[2], action.nodes[0]}, {}};
    default: return std::nullopt;
  }
}

std::size_t tree_size(const GiNaC::ex& e, std::size_t most) {
  std::size_t count = 1;
  for (std::size_t i = 0; i < e.nops() && count < most; ++i) count += tree_size(e.op(i), most - count);
  return count;
}

/// Names that are given twice count once.
std::vector<std::string> once(const std::vector<std::string>& names) {
  std::vector<std::string> result;
  for (const std::string& name : names)
    if (std::ranges::find(result, name) == result.end()) result.push_back(name);
  return result;
}

/// Takes requests apart into steps and records them.
class Reducer {
 public:
  Reducer(const SignalFlowGraph& graph, const ReduceOptions& options) : options_(options), graph_(graph), whole_(graph) {
    result_.before = graph;
    result_.rewrite = options.rewrite;
  }

  void fulfil(const ReductionRequest& request) {
    switch (request.kind) {
      case Request::eliminate: return eliminate(once(request.nodes));
      case Request::keep: return keep(once(request.nodes));
      case Request::absorb: return absorb(request.nodes);
      case Request::merge: return merge();
      case Request::invert: return take({Kind::invert, request.nodes, {}});
      case Request::transpose: return transpose();
      case Request::scale: return scale(request);
      case Request::split:
        for (const std::string& name : request.nodes) split(name);
        return;
    }
  }

  Reduction result() {
    result_.after = std::move(graph_);
    return std::move(result_);
  }

 private:
  void take(Rewriting action) {
    options_.rewrite.budget.check("the reduction");
    SignalFlowGraph next = rewritten(graph_, action, options_.rewrite);
    if (opens(action)) modes_.reset();
    if (std::ranges::any_of(next.branches(), [&](const Branch& b) { return !hidden_modes(b, next.symbols).is_equal(1); })) {
      if (!modes_) modes_.emplace(opens(action) ? next : whole_, options_.rewrite.budget);
      next = with_own_modes(next, *modes_);
    }
    if (opens(action)) whole_ = next;
    ReductionStep step;
    step.added_nodes = nodes_only_in(next, graph_);
    step.removed_nodes = nodes_only_in(graph_, next);
    if (action.kind == Kind::split) action.nodes = {action.nodes[0], step.added_nodes.at(0), step.added_nodes.at(1)};
    step.removed = branches_only_in(graph_, next);
    step.added = branches_only_in(next, graph_);
    check_size(step);
    step.inverse = inverse_action(graph_, action);
    step.verification = same_signals(graph_, next, action, options_.seed + result_.steps.size(), options_.rewrite.budget);
    step.action = std::move(action);
    result_.steps.push_back(std::move(step));
    graph_ = std::move(next);
  }

  void check_size(const ReductionStep& step) const {
    const auto most = static_cast<std::size_t>(std::min<std::uint64_t>(options_.rewrite.budget.limits().terms, 50'000'000));
    for (const BranchText& branch : step.added)
      if (const auto* gain = std::get_if<GiNaC::ex>(&branch.law); gain && tree_size(*gain, most) >= most)
        throw LimitReached(
            "the gain of " + branch.from + " -> " + branch.to + " has more than " + std::to_string(most) + " operations",
            "set numbers for parameters, or ask for the transfer function as a sequence");
  }

  void eliminate(std::vector<std::string> names) {
    for (const std::string& name : names) graph_.at(name);
    for (bool progress = true; progress;) {
      progress = false;
      for (std::size_t i = 0; i < names.size(); ++i) {
        const NodeId node = *graph_.find(names[i]);
        if ((1 - gain_between(graph_, node, node)).is_zero() && !graph_.leaving(node).empty()) continue;
        take({Kind::eliminate, {names[i]}, {}});
        names.erase(names.begin() + static_cast<std::ptrdiff_t>(i));
        progress = true;
        break;
      }
    }
    if (names.empty()) return;
    std::vector<std::string> kept;  // self-loops of gain 1: a loop among the rest has to be inverted
    for (const Node& node : graph_.nodes())
      if (std::find(names.begin(), names.end(), node.name) == names.end()) kept.push_back(node.name);
    eliminate_all_but(kept);
  }

  void keep(const std::vector<std::string>& names) {
    const SignalFlowGraph asked = asked_for(graph_, nodes_named(graph_, names));
    if (asked.inputs != graph_.stated_inputs() || asked.outputs != graph_.stated_outputs()) take({Kind::ask, names, {}});
    eliminate_all_but(names);
  }

  void eliminate_all_but(const std::vector<std::string>& names) {
    for (;;) {
      const auto next = next_elimination(graph_, nodes_named(graph_, names));
      if (next.empty()) return;
      std::vector<std::string> path;
      for (NodeId id : next) path.push_back(graph_[id].name);
      take({path.size() == 1 ? Kind::eliminate : Kind::invert, path, {}});
    }
  }

  void absorb(const std::vector<std::string>& names) {
    std::vector<std::string> looped;
    for (const Node& node : graph_.nodes()) {
      const NodeId id = *graph_.find(node.name);
      const GiNaC::ex l = gain_between(graph_, id, id);
      const bool wanted = names.empty() ? !(1 - l).is_zero() && !contains(graph_.stated_inputs(), id)
                                        : std::find(names.begin(), names.end(), node.name) != names.end();
      const auto leaving = graph_.leaving(id);  // self-loops may cancel: they go too
      const bool any = std::any_of(leaving.begin(), leaving.end(),
                                   [&](BranchId branch) { return graph_[branch].to == id && graph_[branch].linear(); });
      if (wanted && any) looped.push_back(node.name);
    }
    for (const std::string& name : names) graph_.at(name);
    for (const std::string& name : looped) take({Kind::absorb, {name}, {}});
  }

  void merge() {
    for (;;) {
      if (const auto pairs = parallel_pairs(graph_); !pairs.empty()) {
        take({Kind::merge_parallel, {graph_[pairs.front().first].name, graph_[pairs.front().second].name}, {}});
      } else if (const auto node = series_node(graph_)) {
        take({Kind::merge_series, {graph_[*node].name}, {}});
      } else {
        return;
      }
    }
  }

  void transpose() {
    std::vector<std::string> names;
    for (NodeId id : graph_.stated_outputs())
      if (!graph_.leaving(id).empty()) names.push_back(graph_[id].name);
    for (const std::string& name : names) take({Kind::output_sink, {name}, {}});
    take({Kind::transpose, {}, {}});
  }

  void scale(const ReductionRequest& request) {
    for (const std::string& name : request.nodes) {
      const NodeId id = graph_.at(name);
      for (const auto& [ports, word] :
           {std::pair(graph_.stated_inputs(), "an input"), std::pair(graph_.stated_outputs(), "an output")})
        if (contains(ports, id))
          throw Error(graph_[id].where, "the node '" + name + "' is " + word + ": scaling it would change the transfer functions",
                      "scale an inner node");
      take({Kind::scale, {name}, request.value});
    }
  }

  void split(const std::string& name) {
    const NodeId id = graph_.at(name);
    if (graph_.entering(id).empty() || graph_.leaving(id).empty())
      throw Error(graph_[id].where,
                  "the node '" + name + "' is a " + (graph_.entering(id).empty() ? "source" : "sink") + " already",
                  "split a node that has entering and leaving branches");
    take({Kind::split, {name}, {}});
  }

  /// The modes that follow are not those from before.
  static bool opens(const Rewriting& action) {
    return action.kind == Kind::split || (action.kind == Kind::invert && action.nodes.front() != action.nodes.back());
  }

  ReduceOptions options_;
  SignalFlowGraph graph_;
  SignalFlowGraph whole_;          ///< whose modes there are: a node that goes leaves its poles in several branches, and where
  std::optional<OwnModes> modes_;  ///< these meet again poles cancel that are modes of nothing
  Reduction result_;
};

std::vector<std::string> ports(const SignalFlowGraph& graph) {
  std::vector<std::string> names;
  for (const auto& ids : {graph.stated_inputs(), graph.stated_outputs()})
    for (NodeId id : ids) names.push_back(graph[id].name);
  return names;
}

}  // namespace

std::string to_string(Rewriting::Kind kind) {
  static constexpr std::array<const char*, 13> names{"eliminate", "absorb",      "self_loop", "merge_parallel", "merge_series",
                                                     "insert",    "invert",      "transpose", "scale",          "split",
                                                     "join",      "output_sink", "ask"};
  return names.at(static_cast<std::size_t>(kind));
}

SignalFlowGraph rewritten(const SignalFlowGraph& graph, const Rewriting& action, const RewriteOptions& options) {
  auto node = [&](std::size_t i) {
    require_names(action, i + 1);
    return graph.at(action.nodes[i]);
  };
  switch (action.kind) {
    case Kind::eliminate:
    case Kind::merge_series: return without_node(graph, node(0), options);
    case Kind::absorb: return without_self_loop(graph, node(0), options);
    case Kind::self_loop: return with_self_loop(graph, node(0), action.value, options);
    case Kind::merge_parallel: return merged_parallel(graph, node(0), node(1), options);
    case Kind::insert:
      require_names(action, 3);
      return with_node(graph, branch_between(graph, node(0), node(1)), action.nodes[2], action.value, options);
    case Kind::invert: return inverted(graph, nodes_named(graph, action.nodes), options);
    case Kind::transpose: return transposed(graph);
    case Kind::scale: return scaled(graph, node(0), action.value, options);
    case Kind::split: return sfg::split(graph, node(0));
    case Kind::join: require_names(action, 3); return joined(graph, node(0), node(1), action.nodes[2]);
    case Kind::output_sink: return with_output_sink(graph, node(0));
    case Kind::ask: break;
  }
  return asked_for(graph, nodes_named(graph, action.nodes));
}

SignalFlowGraph Reduction::graph_after(std::size_t count) const {
  SignalFlowGraph graph = before;
  for (std::size_t i = 0; i < count; ++i) graph = rewritten(graph, steps.at(i).action, rewrite);
  return graph;
}

namespace {

/// Taking nodes out can leave others without entering branches (where gains vanish): they are no inputs for that.
bool only_takes_out(std::span<const ReductionRequest> requests) {
  const auto takes_out = [](const ReductionRequest& request) {
    return request.kind == Request::eliminate || request.kind == Request::keep || request.kind == Request::absorb ||
           request.kind == Request::merge;
  };
  return std::all_of(requests.begin(), requests.end(), takes_out);
}

}  // namespace

Reduction reduce(const SignalFlowGraph& graph, std::span<const ReductionRequest> requests, const ReduceOptions& options) {
  if (requests.empty() && graph.stated_inputs().empty())
    throw Error(graph.where, "the graph has no source, and nothing says what is to stay", "state an input, or the nodes to keep");
  if (requests.empty() && graph.stated_outputs().empty())
    throw Error(graph.where, "the graph has no sink, and nothing says what is to stay", "state an output, or the nodes to keep");
  SignalFlowGraph given = graph;
  ReduceOptions asked = options;
  if (only_takes_out(requests)) {
    given.inputs = graph.stated_inputs();
    given.outputs = graph.stated_outputs();
    asked.rewrite.ends = RewriteOptions::Ends::stated;
  }
  Reducer reducer(given, asked);
  for (const ReductionRequest& request : requests) reducer.fulfil(request);
  if (requests.empty()) {
    reducer.fulfil({Request::keep, ports(graph), {}});
    reducer.fulfil({Request::absorb, {}, {}});
  }
  return reducer.result();
}

}  // namespace sfg
