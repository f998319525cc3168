#include "sfg/graph/textbook_shape.hpp"

#include <algorithm>
#include <bit>

namespace sfg {

namespace {

using Nodes = std::uint64_t;  ///< a set of nodes, a bit each

/// Heads of the branches that leave each node.
std::vector<Nodes> drawn_successors(const TextbookShape& shape) {
  std::vector<Nodes> heads(shape.nodes, 0);
  for (std::size_t i = 0; i + 1 < shape.nodes; ++i) heads[i] |= Nodes{1} << (i + 1);
  for (const auto* arcs : {&shape.bypasses, &shape.feedback})
    for (const auto& arc : *arcs) heads[arc.tail] |= Nodes{1} << arc.head;
  return heads;
}

/// Walks from a node to a goal that visit no node twice, as the sets of their nodes.
class Walks {
 public:
  Walks(const std::vector<Nodes>& heads, std::size_t most, std::vector<Nodes>& found)
      : heads_(heads), most_(most), found_(found) {}

  /// False when there are too many. `allowed`: nodes on the way.
  bool search(std::size_t at, std::size_t goal, Nodes visited, Nodes allowed) {
    if (++steps_ > most_steps) return false;
    if ((heads_[at] >> goal & 1U) != 0) {
      found_.push_back(visited);
      if (found_.size() > most_) return false;
    }
    for (Nodes next = heads_[at] & allowed & ~visited; next != 0; next &= next - 1) {
      const auto node = static_cast<std::size_t>(std::countr_zero(next));
      if (!search(node, goal, visited | Nodes{1} << node, allowed)) return false;
    }
    return true;
  }

 private:
  static constexpr std::size_t most_steps = 20'000;
  const std::vector<Nodes>& heads_;
  std::size_t most_;
  std::vector<Nodes>& found_;
  std::size_t steps_ = 0;
};

bool crossed(TextbookShape::Arc a, TextbookShape::Arc b) {
  if (a.tail > a.head) std::swap(a.tail, a.head);
  if (b.tail > b.head) std::swap(b.tail, b.head);
  return (a.tail < b.tail && b.tail < a.head && a.head < b.head) || (b.tail < a.tail && a.tail < b.head && b.head < a.head);
}

}  // namespace

std::optional<ShapeCounts> counts(const TextbookShape& shape, std::size_t most) {
  const std::vector<Nodes> heads = drawn_successors(shape);
  const Nodes all = (Nodes{1} << shape.nodes) - 1;
  ShapeCounts found;
  std::vector<Nodes> loops;
  for (std::size_t first = 1; first + 1 < shape.nodes; ++first) {  // the earliest node of the loop
    const Nodes later = all & ~((Nodes{2} << first) - 1);
    if (!Walks(heads, most, loops).search(first, first, Nodes{1} << first, later)) return {};
  }
  std::vector<Nodes> paths;
  const Nodes sink = Nodes{1} << (shape.nodes - 1);
  if (!Walks(heads, most, paths).search(0, shape.nodes - 1, 1, all & ~sink)) return {};
  found.paths = paths.size();
  found.loops = loops.size();
  for (std::size_t i = 0; i < loops.size(); ++i) {
    found.self_loops += std::has_single_bit(loops[i]) ? 1 : 0;
    for (std::size_t j = i + 1; j < loops.size(); ++j) {
      if ((loops[i] & loops[j]) != 0) continue;
      ++found.pairs;
      for (std::size_t k = j + 1; k < loops.size(); ++k) found.triples += ((loops[i] | loops[j]) & loops[k]) == 0 ? 1 : 0;
    }
  }
  return found;
}

std::size_t plain_loops(const TextbookShape& shape) {
  std::size_t loops = 0;
  for (const auto& back : shape.feedback) {
    std::vector<std::size_t> ways(shape.nodes, 0);  // forward from the head of the feedback
    ways[back.head] = 1;
    for (std::size_t node = back.head + 1; node <= back.tail; ++node) {
      ways[node] = ways[node - 1];
      for (const auto& bypass : shape.bypasses) ways[node] += bypass.head == node ? ways[bypass.tail] : 0;
    }
    loops += ways[back.tail];
  }
  return loops;
}

std::size_t crossings(const TextbookShape& shape) {
  std::size_t found = 0;
  for (const auto* arcs : {&shape.bypasses, &shape.feedback})
    for (std::size_t i = 0; i < arcs->size(); ++i)
      for (std::size_t j = i + 1; j < arcs->size(); ++j) found += crossed((*arcs)[i], (*arcs)[j]) ? 1 : 0;
  return found;
}

int tangles(const TextbookShape& shape) {
  constexpr int crossing = 6, second_self_loop = 3, crowded = 3, idle = 2, doubled = 4;
  std::vector<int> ends(shape.nodes, 0);
  int self_loops = 0, sum = crossing * static_cast<int>(crossings(shape));
  for (const auto* arcs : {&shape.bypasses, &shape.feedback})
    for (const auto& arc : *arcs) {
      ++ends[arc.tail];
      ++ends[arc.head];
      self_loops += arc.tail == arc.head ? 1 : 0;
    }
  for (const auto& bypass : shape.bypasses)  // a gain between two nodes and one back: a bow and its string
    for (const auto& back : shape.feedback) sum += bypass.tail == back.head && bypass.head == back.tail ? doubled : 0;
  sum += second_self_loop * std::max(0, self_loops - 1);
  for (std::size_t i = 1; i + 1 < shape.nodes; ++i) sum += ends[i] == 0 ? idle : crowded * std::max(0, ends[i] - 3);
  return sum;
}

bool ShapeDemand::met_by(const ShapeCounts& found) const {
  const auto is = [](const std::optional<std::size_t>& wanted, std::size_t number) { return !wanted || *wanted == number; };
  return is(loops, found.loops) && is(pairs, found.pairs) && is(triples, found.triples) && is(self_loops, found.self_loops) &&
         (paths ? *paths == found.paths : found.paths <= 2);
}

}  // namespace sfg
