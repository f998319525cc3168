#include "sfg/ddd/determinant_diagram.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <iomanip>
#include <limits>
#include <sstream>

#include "sfg/ddd/ordering.hpp"
#include "sfg/ddd/size_estimate.hpp"
#include "sfg/ddd/sweep.hpp"

// The rows and columns, together the lines, are swept in the given order. Sweeping a row decides which of its entries a
// product takes, among the columns that are neither swept nor taken; sweeping a column likewise; a line whose entry has been
// taken from the other side is passed. An unswept line is active when some of its crossing lines are swept. If all of
// them are, it must have been taken, else the product cannot be completed and the state is dropped at once. Lines without a
// swept crossing line cannot be taken. What is left to know is which active lines are taken: one bit each. Partial
// products with equal bits have the same completions: they are one vertex. A second pass, from the end back, keeps the
// vertices from which the end can be reached and numbers them children first.
//
// A choice maps the states it is open to, in ascending order, to ascending states: the bits it sets and clears are the same
// for all of them. So a level is made by merging one sorted stream per choice: no hashing, and memory is read and
// written in order. Sweeping rows only is the usual case of this; with columns in between, a node of many entering and
// leaving branches costs two active lines instead of as many as it has branches.
//
// The sign of a product is that of its permutation: by Laplace's rule a parity of a masked state at each entry.

namespace sfg::ddd {

template <std::size_t Words>
class Sweep {
 public:
  Sweep(const Pattern& pattern, const LineGraph& graph, const BuildOptions& options, DeterminantDiagram& diagram)
      : pattern_(pattern), options_(options), diagram_(diagram), walk_(pattern, graph, diagram.order_) {}

  void run() {
    states_.assign(1, State{});
    for (SweepStep step; !states_.empty() && walk_.next(step); std::swap(states_, next_)) advance(step);
    check(0);
    if (!states_.empty()) collect(states_.size());
  }

 private:
  using State = std::array<std::uint64_t, Words>;
  using Edge = DeterminantDiagram::Edge;

  static constexpr std::uint32_t passed = 0x7FFFFFFF;  // in place of an entry: the line had been taken before
  static constexpr std::uint32_t no_child = 0x7FFFFFFF;
  static constexpr std::uint32_t negative_bit = 0x80000000;
  static constexpr std::size_t bytes_per_vertex = 16;  // of the finished diagram

  // One stream of the merge: what a choice does to a state, and how far it is.
  struct Stream {
    State wanted{}, forbidden{};  // bits a state must have and must not have
    State set{}, clear{};
    State lower{};
    bool odd = false;
    std::uint32_t entry = passed;
    std::size_t at = 0;
    State head{};
  };
  // A step: its choices and, a row of that width for every state, the children (bit 31 is the sign). Many levels are
  // small and share a chunk of memory.
  struct Level {
    std::size_t first_entry, width, states;
    std::size_t chunk, offset;
  };

  static void set(State& state, std::uint32_t slot) { state[slot / 64] |= std::uint64_t{1} << (slot % 64); }
  static void unset(State& state, std::uint32_t slot) { state[slot / 64] &= ~(std::uint64_t{1} << (slot % 64)); }
  static bool open(const State& state, const Stream& stream) {
    std::uint64_t wrong = 0;
    for (std::size_t w = 0; w < Words; ++w) wrong |= (stream.wanted[w] & ~state[w]) | (stream.forbidden[w] & state[w]);
    return wrong == 0;
  }
  static bool odd(const State& state, const State& mask) {
    std::uint64_t folded = 0;
    for (std::size_t w = 0; w < Words; ++w) folded ^= state[w] & mask[w];
    return (std::popcount(folded) & 1) != 0;
  }
  static bool fits(const SweepStep& step) {
    const auto inside = [](std::uint32_t slot) { return slot < 64 * Words; };
    return std::all_of(step.choices.begin(), step.choices.end(), [&](const auto& choice) { return inside(choice.slot); });
  }

  void open_streams(const SweepStep& step) {
    Stream common;
    for (const std::uint32_t slot : step.dying) {
      set(common.wanted, slot);
      set(common.clear, slot);
    }
    streams_.clear();
    if (step.line_slot != none) {
      streams_.push_back(common);
      set(streams_.back().wanted, step.line_slot);
      set(streams_.back().clear, step.line_slot);
      set(common.forbidden, step.line_slot);
    }
    std::size_t lower = 0;
    for (const auto& choice : step.choices) {
      Stream& stream = streams_.emplace_back(common);
      stream.entry = choice.entry;
      stream.odd = choice.odd;
      unset(stream.wanted, choice.slot);
      set(stream.forbidden, choice.slot);
      set(stream.set, choice.slot);
      for (; lower < choice.lower_end; ++lower) set(stream.lower, step.lower[lower]);
      if (!pattern_.is_probe(choice.entry)) continue;
      set(stream.forbidden, 0);
      set(stream.set, 0);
    }
    for (Stream& stream : streams_) find_head(stream);
  }

  void find_head(Stream& stream) const {
    while (stream.at < states_.size() && !open(states_[stream.at], stream)) ++stream.at;
    if (stream.at == states_.size()) return;
    for (std::size_t w = 0; w < Words; ++w) stream.head[w] = (states_[stream.at][w] | stream.set[w]) & ~stream.clear[w];
  }

  std::uint32_t* add_level() {
    constexpr std::size_t usual_chunk = std::size_t{1} << 16;
    const std::size_t width = streams_.size(), size = states_.size() * width;
    if (chunks_.empty() || chunks_.back().size() + size > chunks_.back().capacity()) {
      chunks_.emplace_back();
      chunks_.back().reserve(std::max(size, usual_chunk));
      stored_ += chunks_.back().capacity() * sizeof(std::uint32_t);
    }
    levels_.push_back({entries_.size(), width, states_.size(), chunks_.size() - 1, chunks_.back().size()});
    for (const Stream& stream : streams_) entries_.push_back(stream.entry);
    chunks_.back().resize(chunks_.back().size() + size, no_child);
    return chunks_.back().data() + levels_.back().offset;
  }

  // From the states before a step to those after it.
  void advance(const SweepStep& step) {
    if (!fits(step)) throw TooLarge("the determinant diagram is too wide", diagram_.order_.prediction);
    open_streams(step);
    const std::size_t width = streams_.size();
    visited_ += states_.size();
    check(states_.size() * width / 2);
    std::uint32_t* const children = add_level();
    next_.clear();
    for (;;) {
      const State* least = nullptr;
      for (const Stream& stream : streams_)
        if (stream.at < states_.size() && (least == nullptr || stream.head < *least)) least = &stream.head;
      if (least == nullptr) break;
      const State state = *least;
      const auto child = static_cast<std::uint32_t>(next_.size());
      next_.push_back(state);
      for (std::size_t c = 0; c < width; ++c) {
        Stream& stream = streams_[c];
        if (stream.at >= states_.size() || stream.head != state) continue;
        const bool negative = stream.entry != passed && odd(states_[stream.at], stream.lower) != stream.odd;
        children[stream.at * width + c] = child | (negative ? negative_bit : 0);
        ++edges_;
        ++stream.at;
        find_head(stream);
      }
      if ((child & 0x1FFF) == 0x1FFF) check(0);
    }
  }

  // Memory so far, and what the finished diagram will add.
  void check(std::size_t words_to_come) const {
    const auto& prediction = diagram_.order_.prediction;
    const std::uint64_t states = visited_ + next_.size();
    const std::size_t bytes = stored_ + words_to_come * sizeof(std::uint32_t) +
                              (states_.capacity() + next_.capacity()) * sizeof(State) + edges_ * sizeof(Edge) +
                              states * bytes_per_vertex;
    if (states > options_.max_states || states >= no_child)
      throw TooLarge("the determinant diagram exceeds " + std::to_string(options_.max_states) + " states", prediction);
    if (bytes > options_.max_bytes)
      throw TooLarge("the determinant diagram exceeds " + std::to_string(options_.max_bytes >> 20) + " MiB", prediction);
    if (options_.checkpoint) options_.checkpoint(states);
  }

  // From the end back: drops what reaches no end, numbers the rest. A passed line makes no vertex.
  void collect(std::size_t ends) {
    std::vector<std::uint32_t> number(ends, 0), above;  // of the states after and before a step
    auto& d = diagram_;
    d.edges_.reserve(edges_);
    d.edge_begin_.reserve(visited_ + 1);
    d.edge_begin_.assign(1, 0);
    for (; !levels_.empty(); levels_.pop_back()) {
      const Level& level = levels_.back();
      const std::uint32_t* const entries = entries_.data() + level.first_entry;
      const std::uint32_t* code = chunks_[level.chunk].data() + level.offset;
      above.assign(level.states, no_child);
      for (std::size_t s = 0; s < level.states; ++s) {
        const std::size_t before = d.edges_.size();
        for (std::size_t c = 0; c < level.width; ++c, ++code) {
          if ((*code & no_child) == no_child || number[*code & no_child] == no_child) continue;
          const std::uint32_t child = number[*code & no_child];
          if (entries[c] == passed)
            above[s] = child;
          else
            d.edges_.emplace_back(entries[c], (*code & negative_bit) != 0, child);
        }
        if (d.edges_.size() == before) continue;
        above[s] = static_cast<std::uint32_t>(d.edge_begin_.size());
        d.edge_begin_.push_back(d.edges_.size());
      }
      std::swap(number, above);
      chunks_.resize(level.chunk + 1);  // the later ones have been read
    }
    d.visited_states_ = visited_;
    if (number.front() == no_child) d.edge_begin_.clear();  // no complete product
  }

  const Pattern& pattern_;
  const BuildOptions& options_;
  DeterminantDiagram& diagram_;
  SweepWalk walk_;
  std::vector<State> states_, next_;
  std::vector<Stream> streams_;
  std::vector<std::uint32_t> entries_;              // of the choices of all steps
  std::vector<std::vector<std::uint32_t>> chunks_;  // children
  std::vector<Level> levels_;
  std::uint64_t visited_ = 0;
  std::size_t edges_ = 0, stored_ = 0;
};

/// No longer than building takes until it is given up.
static double worth_searching(const BuildOptions& options) {
  constexpr double seconds_per_state = 50e-9;
  return std::min(OrderOptions{}.search_seconds, static_cast<double>(options.max_states) * seconds_per_state);
}

DeterminantDiagram::DeterminantDiagram(const Pattern& pattern, const BuildOptions& options)
    : DeterminantDiagram(
          pattern, best_order(pattern, {.search_seconds = worth_searching(options), .checkpoint = options.checkpoint}), options) {
}

DeterminantDiagram::DeterminantDiagram(const Pattern& pattern, Order order, const BuildOptions& options)
    : order_(std::move(order)), entry_count_(pattern.entries().size()) {
  check_lines(pattern, order_.lines);
  const LineGraph graph(pattern);
  for (std::uint32_t line = 0; line < graph.size(); ++line)
    if (graph.degree(line) == 0) return;
  Predictor predictor(pattern, graph);
  const Prediction bound = predictor(order_.lines);
  if (!order_.prediction.sampled) order_.prediction = bound;
  refuse_explosion(pattern, graph, options);
  const std::size_t slots = predictor.slots();
  if (slots <= 64)
    Sweep<1>(pattern, graph, options, *this).run();
  else if (slots <= 128)
    Sweep<2>(pattern, graph, options, *this).run();
  else if (slots <= 512)
    Sweep<8>(pattern, graph, options, *this).run();
  else
    Sweep<64>(pattern, graph, options, *this).run();
  allocate_slots();
}

// The bound may be far above the truth: it is a reason to look more closely, not to refuse.
void DeterminantDiagram::refuse_explosion(const Pattern& pattern, const LineGraph& graph, const BuildOptions& options) {
  constexpr double doubt = 1.5;  // the estimate's error
  const auto limit = static_cast<double>(options.max_states);
  if (order_.prediction.states <= limit) return;
  if (!order_.prediction.sampled) order_.prediction = sampled_prediction(pattern, graph, order_.lines);
  if (order_.prediction.states <= doubt * limit) return;
  std::ostringstream message;
  message << "the determinant diagram would have about " << std::setprecision(2) << order_.prediction.states << " states, "
          << options.max_states << " are allowed";
  throw TooLarge(message.str(), order_.prediction);
}

// A slot is free again after the last vertex that has its owner as a child.
void DeterminantDiagram::allocate_slots() {
  constexpr std::uint32_t unused = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> free, last(vertex_count(), unused);
  for (std::size_t v = 1; v < vertex_count(); ++v)
    for (const Edge& edge : edges(v)) last[edge.child()] = static_cast<std::uint32_t>(v);
  slot_.resize(vertex_count());
  slot_count_ = 0;
  for (std::size_t v = 0; v < vertex_count(); ++v) {
    if (free.empty()) free.push_back(static_cast<std::uint32_t>(slot_count_++));
    slot_[v] = free.back();
    free.pop_back();
    for (const Edge& edge : edges(v)) {
      if (last[edge.child()] != v) continue;
      last[edge.child()] = unused;  // it may be the child of several edges
      free.push_back(slot_[edge.child()]);
    }
  }
}

}  // namespace sfg::ddd
