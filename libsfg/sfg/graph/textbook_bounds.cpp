#include "sfg/graph/textbook_bounds.hpp"

#include <algorithm>

#include "sfg/error.hpp"

namespace sfg {

namespace {

std::string counted(std::size_t number, const std::string& one, const std::string& many) {
  return std::to_string(number) + " " + (number == 1 ? one : many);
}
std::string nodes_in_words(std::size_t n) { return counted(n, "node", "nodes"); }
std::string loops_in_words(std::size_t n) { return counted(n, "loop", "loops"); }
std::string pairs_in_words(std::size_t n) { return counted(n, "pair of non-touching loops", "pairs of non-touching loops"); }
std::string triples_in_words(std::size_t n) {
  return counted(n, "triple of non-touching loops", "triples of non-touching loops");
}
std::string paths_in_words(std::size_t n) { return counted(n, "forward path", "forward paths"); }
std::string self_loops_in_words(std::size_t n) { return counted(n, "self-loop", "self-loops"); }

std::size_t interior(const ShapeDemand& demand) { return demand.nodes - 2; }
std::string between_the_ends(const ShapeDemand& demand) {
  return "between source and sink " +
         (interior(demand) == 1 ? "is 1 node" : "are " + std::to_string(interior(demand)) + " nodes");
}

/// The most loops of which no two have a node in common.
std::size_t most_apart(const ShapeDemand& demand) {
  const std::size_t nodes = interior(demand);
  return demand.self_loops ? *demand.self_loops + (nodes - *demand.self_loops) / 2 : nodes;
}

/// The most pairs and triples among so many loops of which `apart` at most do not touch each other: the loops in as many equal
/// classes, those of one class touching (Turán 1941, Zykov 1949).
ShapeCounts most_sets(std::size_t loops, std::size_t apart) {
  ShapeCounts sums;
  for (std::size_t i = 0; i < apart; ++i) {
    const std::size_t size = loops / apart + (i < loops % apart ? 1 : 0);
    sums.triples += sums.pairs * size;
    sums.pairs += sums.loops * size;
    sums.loops += size;
  }
  return sums;
}

/// The loops of every feedback arc together with the bypasses that give most of them; no less than `wanted` is not told apart.
/// Nothing where the sets of bypasses are too many to be looked at.
class MostLoops {
 public:
  MostLoops(const ShapeDemand& demand, std::size_t paths, std::size_t wanted, const Budget& budget)
      : paths_(paths), wanted_(wanted), budget_(budget), bypasses_(all_bypasses(demand.nodes)) {
    shape_.nodes = demand.nodes;
    shape_.feedback = all_feedback(demand.nodes);
    if (!demand.self_loops) return;
    std::size_t left_out = interior(demand) - *demand.self_loops;  // loops are as many whichever nodes lack their own
    std::erase_if(shape_.feedback, [&](const Arc& arc) { return arc.tail == arc.head && left_out > 0 && left_out-- > 0; });
  }
  std::optional<std::size_t> number() {
    add(0);
    return cut_ ? std::nullopt : std::optional(found_);
  }

 private:
  void add(std::size_t from) {
    constexpr std::size_t many = 3000;
    if (found_ >= wanted_ || cut_) return;
    if (++looked_at_ % 64 == 0) budget_.check("the most loops of a graph");
    if (looked_at_ > many) cut_ = true;
    const auto here = counts(shape_, wanted_ + paths_);
    if (!here) {  // more than wanted; or paths without number, which is not told apart
      found_ = wanted_;
      return;
    }
    if (here->paths > paths_) return;
    found_ = std::max(found_, here->loops);
    for (std::size_t i = from; i < bypasses_.size(); ++i) {
      shape_.bypasses.push_back(bypasses_[i]);
      add(i + 1);
      shape_.bypasses.pop_back();
    }
  }

  std::size_t paths_, wanted_;
  const Budget& budget_;
  std::vector<Arc> bypasses_;
  TextbookShape shape_;
  std::size_t found_ = 0, looked_at_ = 0;
  bool cut_ = false;
};

void refuse_beyond_bounds(const ShapeDemand& demand) {
  if (demand.nodes < least_textbook_nodes)
    throw NoAnswer("a graph of " + counted(demand.nodes, "node", "nodes") +
                       " has no room for a loop: source and sink are counted, and loops stand between them",
                   "state 3 to " + std::to_string(most_textbook_nodes) + " nodes");
  const auto at_most = [](std::size_t number, std::size_t most, const std::string& text) {
    if (number > most)
      throw NoAnswer("an exercise with " + text + " is no task for a person", "state at most " + std::to_string(most));
  };
  at_most(demand.nodes, most_textbook_nodes, std::to_string(demand.nodes) + " nodes");
  if (demand.loops) at_most(*demand.loops, most_textbook_loops, loops_in_words(*demand.loops));
  if (demand.paths) at_most(*demand.paths, most_textbook_paths, paths_in_words(*demand.paths));
  if (demand.paths && *demand.paths == 0)
    throw NoAnswer("without a forward path the gain is 0, and there is nothing to find", "state at least 1 forward path");
  if (demand.paths && interior(demand) < 6 && *demand.paths > std::size_t{1} << interior(demand))
    throw NoAnswer(between_the_ends(demand) + ", through which at most " + paths_in_words(std::size_t{1} << interior(demand)) +
                       " can lead, not " + std::to_string(*demand.paths),
                   "state fewer forward paths or more nodes");
}

void refuse_self_loops(const ShapeDemand& demand) {
  if (!demand.self_loops) return;
  if (*demand.self_loops > interior(demand))
    throw NoAnswer(
        between_the_ends(demand) + ", each with at most one self-loop: not " + std::to_string(*demand.self_loops) + " in all",
        "state at most " + self_loops_in_words(interior(demand)));
  if (demand.loops && *demand.self_loops > *demand.loops)
    throw NoAnswer(self_loops_in_words(*demand.self_loops) + " are more than " + loops_in_words(*demand.loops) +
                       ": self-loops are counted among the loops",
                   "state at least " + loops_in_words(*demand.self_loops));
}

void refuse_loops(const ShapeDemand& demand, const Budget& budget) {
  if (!demand.loops) return;
  const std::size_t paths = demand.paths.value_or(2);
  const auto most = MostLoops(demand, paths, *demand.loops, budget).number();
  if (!most || *most >= *demand.loops) return;
  throw NoAnswer(nodes_in_words(interior(demand)) + " between source and sink" + (demand.self_loops ? ", " : " and ") +
                     (demand.paths ? "" : "up to ") + paths_in_words(paths) +
                     (demand.self_loops ? " and " + self_loops_in_words(*demand.self_loops) : std::string()) +
                     " leave room for at most " + loops_in_words(*most) + ", not " + std::to_string(*demand.loops),
                 "state at most " + loops_in_words(*most) + ", more nodes or more forward paths");
}

void refuse_sets(const ShapeDemand& demand) {
  const ShapeCounts most = most_sets(demand.loops.value_or(most_textbook_loops), most_apart(demand));
  const std::string among = loops_in_words(demand.loops.value_or(most_textbook_loops)) + " at " +
                            (interior(demand) == 1 ? "1 node" : std::to_string(interior(demand)) + " nodes") +
                            " between source and sink";
  if (demand.pairs && *demand.pairs > most.pairs)
    throw NoAnswer(among + " make at most " + pairs_in_words(most.pairs) + ", not " + std::to_string(*demand.pairs),
                   "state fewer pairs, more loops or more nodes");
  if (demand.triples && *demand.triples > most.triples)
    throw NoAnswer(among + " make at most " + triples_in_words(most.triples) + ", not " + std::to_string(*demand.triples),
                   "state fewer triples, more loops or more nodes");
  if (demand.triples && *demand.triples > 0 && demand.pairs && *demand.pairs < 3)
    throw NoAnswer("a triple of non-touching loops has three pairs of them, and " +
                       (*demand.pairs == 1 ? std::string("1 is") : std::to_string(*demand.pairs) + " are") + " stated",
                   "state at least 3 pairs, or no triple");
}

}  // namespace

std::vector<Arc> all_bypasses(std::size_t nodes) {
  std::vector<Arc> all;
  for (std::size_t span = 2; span < nodes; ++span)
    for (std::size_t tail = 0; tail + span < nodes; ++tail) all.push_back({tail, tail + span});
  return all;
}

std::vector<Arc> all_feedback(std::size_t nodes) {
  std::vector<Arc> all;
  for (std::size_t span = 0; span + 2 < nodes; ++span)
    for (std::size_t head = 1; head + span + 1 < nodes; ++head) all.push_back({head + span, head});
  return all;
}

std::string in_words(const ShapeDemand& demand) {
  std::vector<std::string> parts{std::to_string(demand.nodes) + " nodes"};
  if (demand.loops) parts.push_back(loops_in_words(*demand.loops));
  if (demand.self_loops) parts.push_back(self_loops_in_words(*demand.self_loops));
  if (demand.pairs) parts.push_back(pairs_in_words(*demand.pairs));
  if (demand.triples) parts.push_back(triples_in_words(*demand.triples));
  parts.push_back(demand.paths ? paths_in_words(*demand.paths) : "up to 2 forward paths");
  std::string text = parts.front();
  for (std::size_t i = 1; i < parts.size(); ++i) text += (i + 1 < parts.size() ? ", " : " and ") + parts[i];
  return text;
}

void refuse_impossible(const ShapeDemand& demand, const Budget& budget) {
  refuse_beyond_bounds(demand);
  refuse_self_loops(demand);
  refuse_loops(demand, budget);
  refuse_sets(demand);
}

}  // namespace sfg
