#include "sfg/draw/blocks/block_rows.hpp"

#include <algorithm>
#include <cmath>

#include "sfg/draw/graph/wishes.hpp"
#include "sfg/expr/math_tree.hpp"
#include "sfg/graph/loops.hpp"

namespace sfg {
namespace {

using Chain = std::vector<NodeId>;

bool inverting(const SignalFlowGraph& graph, const BlockLink& link) {
  bool minus = false;
  for (const BranchId id : link.branches)
    minus = minus != (graph[id].linear() && math(graph[id].gain(), graph.op.symbol()).is_negative());
  return minus;
}

/// The forward path with the most nodes between stated ends, as far as few hundred paths a pair tell.
Chain main_path(const SignalFlowGraph& graph, const Budget& budget) {
  constexpr int most_paths = 300;
  Chain best;
  for (const NodeId input : graph.stated_inputs())
    for (const NodeId output : graph.stated_outputs()) {
      int seen = 0;
      const auto visit = [&](const Path& path) {
        if (path.nodes.size() > best.size()) best = path.nodes;
        return ++seen < most_paths;
      };
      for_each_path(graph, input, output, visit, budget);
    }
  return best;
}

/// The summing node of a coordinate: it hands its sum on to the coordinate alone.
std::vector<BlockRows::Subsystem> subsystems(const SignalFlowGraph& graph, const std::vector<std::string>& coordinates) {
  std::vector<BlockRows::Subsystem> made;
  for (const std::string& name : coordinates) {
    const auto node = graph.find(name);
    if (!node) continue;
    made.push_back({name, {*node}});
    const auto entering = graph.entering(*node);
    if (entering.size() != 1) continue;
    const NodeId sum = graph[entering[0]].from;
    if (sum != *node && graph.leaving(sum).size() == 1 && std::ranges::find(coordinates, graph[sum].name) == coordinates.end())
      made.back().nodes = {sum, *node};
  }
  return made;
}

/// Which nodes only hand on one signal and may stand on the line of a link.
std::vector<bool> handing_on(const SignalFlowGraph& graph, const std::vector<Chain>& chains) {
  std::vector<bool> passes(graph.nodes().size(), false);
  for (const NodeId node : graph.node_ids())
    passes[node.index] =
        graph.entering(node).size() == 1 && graph.leaving(node).size() == 1 && graph[graph.entering(node)[0]].from != node;
  for (const auto& ends : {graph.stated_inputs(), graph.stated_outputs()})
    for (const NodeId node : ends) passes[node.index] = false;
  for (const Chain& chain : chains)
    for (const NodeId node : chain) passes[node.index] = false;
  for (const NodeId start : graph.node_ids()) {  // of a closed ring one keeps its place
    if (!passes[start.index]) continue;
    NodeId at = start;
    do at = graph[graph.leaving(at)[0]].to;
    while (passes[at.index] && at != start);
    if (at == start) passes[start.index] = false;
  }
  return passes;
}

std::vector<BlockLink> links(const SignalFlowGraph& graph, const std::vector<bool>& passes) {
  std::vector<BlockLink> made;
  for (const BranchId id : graph.branch_ids()) {
    if (passes[graph[id].from.index]) continue;
    BlockLink link{graph[id].from, graph[id].to, {id}};
    while (passes[link.to.index]) {
      link.branches.push_back(graph.leaving(link.to)[0]);
      link.to = graph[link.branches.back()].to;
    }
    made.push_back(std::move(link));
  }
  return made;
}

/// Columns along the links that close no loop. The nodes of equal place in rows of coordinates share a column.
class RowColumns {
 public:
  RowColumns(const SignalFlowGraph& graph, const std::vector<BlockLink>& links, const std::vector<Chain>& chains)
      : graph_(graph), links_(links), class_(graph.nodes().size()), reach_(graph.nodes().size()) {
    for (std::size_t i = 0; i < class_.size(); ++i) class_[i] = i;
    const auto longest = std::ranges::max_element(chains, {}, [](const Chain& chain) { return chain.size(); });
    if (longest != chains.end())
      for (const NodeId node : *longest) heads_.push_back(node.index);
    for (const Chain& chain : chains)
      for (std::size_t k = 0; k < chain.size(); ++k)  // rows end in one column
        class_[chain[k].index] = heads_[heads_.size() - chain.size() + k];
    for (auto& row : reach_) row.assign(class_.size(), false);
    for (std::size_t k = 1; k < heads_.size(); ++k) add(heads_[k - 1], heads_[k]);
    for (const bool turned : {false, true})
      for (const BlockLink& link : links_)
        if (inverting(graph_, link) == turned) add(class_[link.from.index], class_[link.to.index]);
  }

  std::vector<std::size_t> of_nodes() const {
    std::vector<std::size_t> column(class_.size(), 0);
    for (std::size_t round = 0; round < class_.size(); ++round)
      for (const auto& [a, b] : forward_) column[b] = std::max(column[b], column[a] + 1);
    std::vector<bool> entered(class_.size(), false);
    for (const auto& [a, b] : forward_) entered[b] = true;
    std::vector<std::size_t> made(class_.size());
    for (std::size_t node = 0; node < class_.size(); ++node) {
      made[node] = column[class_[node]];
      if (entered[class_[node]] || std::ranges::find(heads_, class_[node]) != heads_.end()) continue;
      std::size_t next = SIZE_MAX;  // a source stands next to what it acts on
      for (const auto& [a, b] : forward_)
        if (a == class_[node]) next = std::min(next, column[b]);
      if (next != SIZE_MAX) made[node] = next - 1;
    }
    return made;
  }

 private:
  void add(std::size_t a, std::size_t b) {
    if (a == b || reach_[b][a]) return;
    forward_.emplace_back(a, b);
    if (reach_[a][b]) return;
    for (std::size_t i = 0; i < reach_.size(); ++i)
      if (i == a || reach_[i][a])
        for (std::size_t j = 0; j < reach_.size(); ++j)
          if (j == b || reach_[b][j]) reach_[i][j] = true;
  }

  const SignalFlowGraph& graph_;
  const std::vector<BlockLink>& links_;
  std::vector<std::size_t> class_;  ///< by node: the node that stands for its column
  std::vector<std::size_t> heads_;
  std::vector<std::vector<bool>> reach_;
  std::vector<std::pair<std::size_t, std::size_t>> forward_;
};

/// Puts chains of nodes on rows: on one that is free there, or on a new one, near to what they are joined to.
class Rows {
 public:
  explicit Rows(BlockRows& made) : made_(made), placed_(made.shown.size(), false) {}

  /// @param fold  of a long diagram in lines one under the other: the line to which the row belongs
  void append(const Chain& chain, std::size_t fold) { put(chain, made_.rows, true, fold); }
  /// @param lift  which way of equally near ones: above (> 0) or below
  void place(const Chain& chain, double lift, std::size_t fold) {
    lift_ = lift;
    std::size_t best = made_.rows;
    bool fresh = true;
    double least = 1e300;
    const auto in_fold = [&](std::size_t r) { return r < fold_of_.size() && fold_of_[r] == fold; };
    for (std::size_t r = 0; r <= made_.rows; ++r) {
      if (!in_fold(r) && !(r > 0 && in_fold(r - 1)) && made_.rows > 0) continue;
      if (const double c = cost(chain, static_cast<double>(r) - 0.5) + 0.8; c < least - 1e-9) {
        least = c;
        best = r;
        fresh = true;
      }
      if (in_fold(r) && is_free(chain, r))
        if (const double c = cost(chain, static_cast<double>(r)); c < least - 1e-9) {
          least = c;
          best = r;
          fresh = false;
        }
    }
    put(chain, best, fresh, fold);
  }
  bool placed(NodeId node) const { return placed_[node.index]; }

 private:
  double cost(const Chain& chain, double at) const {
    double sum = 0;
    for (const BlockLink& link : made_.links)
      for (const auto& [own, other] : {std::pair{link.from, link.to}, std::pair{link.to, link.from}})
        if (placed_[other.index] && std::ranges::find(chain, own) != chain.end())
          sum += std::abs(static_cast<double>(made_.row[other.index]) - at);
    return sum + 1e-3 * lift_ * at;
  }
  bool is_free(const Chain& chain, std::size_t row) const {
    const std::size_t first = made_.column[chain.front().index], last = made_.column[chain.back().index];
    for (const auto& [r, begin, end] : taken_)
      if (r == row && first <= end && begin <= last) return false;
    return true;
  }
  void put(const Chain& chain, std::size_t row, bool fresh, std::size_t fold) {
    if (fresh) {
      ++made_.rows;
      fold_of_.insert(fold_of_.begin() + static_cast<std::ptrdiff_t>(row), fold);
      for (std::size_t i = 0; i < placed_.size(); ++i)
        if (placed_[i] && made_.row[i] >= row) ++made_.row[i];
      for (Taken& t : taken_)
        if (t.row >= row) ++t.row;
    }
    for (const NodeId node : chain) {
      made_.row[node.index] = row;
      placed_[node.index] = true;
    }
    taken_.push_back({row, made_.column[chain.front().index], made_.column[chain.back().index]});
  }

  struct Taken {
    std::size_t row, begin, end;
  };
  BlockRows& made_;
  std::vector<bool> placed_;
  std::vector<Taken> taken_;
  std::vector<std::size_t> fold_of_;  ///< by row
  double lift_ = 0;
};

/// A long diagram in lines one under the other, as text has them: the line of each node; its column is then that in the line.
std::vector<std::size_t> folded(BlockRows& made, std::optional<std::size_t> wanted) {
  constexpr std::size_t most_columns = 24, columns_of_line = 12;
  std::size_t columns = 0;
  for (std::size_t i = 0; i < made.shown.size(); ++i)
    if (made.shown[i]) columns = std::max(columns, made.column[i] + 1);
  std::vector<std::size_t> fold(made.shown.size(), 0);
  const std::size_t usual = columns <= most_columns ? 1 : (columns + columns_of_line - 1) / columns_of_line;
  const std::size_t lines = std::clamp<std::size_t>(wanted.value_or(usual), 1, std::max<std::size_t>(columns, 1));
  const std::size_t width = (columns + lines - 1) / lines;
  for (std::size_t i = 0; i < fold.size(); ++i) {
    fold[i] = made.column[i] / width;
    made.column[i] %= width;
  }
  return fold;
}

/// The parts of a chain in the lines of a folded diagram.
std::vector<Chain> parts(const Chain& chain, const std::vector<std::size_t>& fold) {
  std::vector<Chain> made;
  for (const NodeId node : chain) {
    if (made.empty() || fold[node.index] != fold[made.back().back().index]) made.emplace_back();
    made.back().push_back(node);
  }
  return made;
}

/// The nodes that follow one another from `start` on, as long as they have no place.
Chain chain_from(const BlockRows& made, const Rows& rows, const std::vector<std::size_t>& fold, NodeId start) {
  Chain chain{start};
  while (true) {
    const NodeId at = chain.back();
    const auto next = std::ranges::find_if(made.links, [&](const BlockLink& link) {
      return link.from == at && !rows.placed(link.to) && made.column[link.to.index] > made.column[at.index] &&
             fold[link.to.index] == fold[at.index];
    });
    if (next == made.links.end()) return chain;
    chain.push_back(next->to);
  }
}

void place_chains(const SignalFlowGraph& graph, BlockRows& made, const std::vector<Chain>& first,
                  const std::vector<std::size_t>& fold) {
  Rows rows(made);
  for (const Chain& chain : first)
    for (const Chain& part : parts(chain, fold)) rows.append(part, fold[part.front().index]);
  std::vector<NodeId> rest;
  for (const NodeId node : graph.node_ids())
    if (made.shown[node.index] && !rows.placed(node)) rest.push_back(node);
  std::ranges::stable_sort(rest, {}, [&](NodeId node) { return std::pair(fold[node.index], made.column[node.index]); });
  double side = 1;
  for (const NodeId node : rest) {
    if (rows.placed(node)) continue;
    const bool source = graph.entering(node).empty();  // above, where no feedback hangs; between coordinates by turns
    rows.place(chain_from(made, rows, fold, node), made.subsystems.empty() ? (source ? 1 : -1) : side, fold[node.index]);
    side = -side;
  }
}

/// Sources that drive the same signals change rows, if each has one for itself, until they stand in the order of the inputs.
void order_rows_of_sources(const SignalFlowGraph& graph, BlockRows& made) {
  for (const std::vector<NodeId>& group : columns_of_sources(graph)) {
    std::vector<std::size_t> rows;
    bool alike = true;
    for (const NodeId node : group) {
      rows.push_back(made.row[node.index]);
      alike = alike && std::ranges::count(made.row, rows.back()) == 1 && made.column[node.index] == made.column[group[0].index];
    }
    if (!alike) continue;
    std::ranges::sort(rows);
    for (std::size_t k = 0; k < group.size(); ++k) made.row[group[k].index] = rows[k];
  }
}

}  // namespace

BlockRows block_rows(const SignalFlowGraph& graph, const std::vector<std::string>& coordinates, std::optional<std::size_t> lines,
                     const Budget& budget) {
  BlockRows made;
  made.subsystems = subsystems(graph, coordinates);
  std::vector<Chain> first;
  for (const BlockRows::Subsystem& s : made.subsystems) first.push_back(s.nodes);
  if (first.empty())
    if (Chain main = main_path(graph, budget); !main.empty()) first.push_back(std::move(main));
  std::vector<bool> passes(graph.nodes().size(), false);
  if (!lines) passes = handing_on(graph, first);
  for (const bool on_link : passes) made.shown.push_back(!on_link);
  made.links = links(graph, passes);
  budget.check("the arrangement of the blocks");
  made.column = RowColumns(graph, made.links, first).of_nodes();
  made.row.assign(graph.nodes().size(), 0);
  const bool in_rows_anyway = !made.subsystems.empty() && !lines;
  const std::vector<std::size_t> fold = in_rows_anyway ? std::vector<std::size_t>(graph.nodes().size(), 0) : folded(made, lines);
  place_chains(graph, made, first, fold);
  order_rows_of_sources(graph, made);
  for (const NodeId node : graph.node_ids())
    if (made.shown[node.index]) made.columns = std::max(made.columns, made.column[node.index] + 1);
  return made;
}

}  // namespace sfg
