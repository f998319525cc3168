#include "sfg/ddd/determinant_diagram.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "sfg/ddd/ordering.hpp"
#include "sfg/ddd/sweep.hpp"

// The lines are swept in the given order. After k lines a partial product has used k columns; columns whose lines are all
// done must be among them (else the product cannot be completed and the state is dropped at once), columns without a line
// so far cannot be. What is left to know is which of the other, active, columns are used: one bit each. Partial products
// with equal bits have the same completions: they are one vertex. A second pass, from the last line back, keeps
// the vertices from which the end can be reached and numbers them children first.
//
// The sign of a product is that of its permutation: an inversion for every used column to the right of the one taken,
// which is the parity of a masked state.

namespace sfg::ddd {

Pattern::Pattern(std::size_t size, std::span<const Entry> entries, std::span<const Entry> probes) : size_(size) {
  if (size >= std::numeric_limits<std::uint32_t>::max() || entries.size() + probes.size() >= (std::size_t{1} << 31))
    throw std::invalid_argument("Pattern: too large");
  std::vector<std::pair<Entry, std::uint8_t>> all;
  all.reserve(entries.size() + probes.size());
  for (const Entry& entry : entries) all.emplace_back(entry, 0);
  for (const Entry& probe : probes) all.emplace_back(probe, 1);
  for (const auto& [entry, is_probe] : all)
    if (entry.row >= size || entry.column >= size) throw std::invalid_argument("Pattern: an index is not below the size");
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first == b.first; }), all.end());
  row_begin_.assign(size + 1, 0);
  for (const auto& [entry, is_probe] : all) {
    entries_.push_back(entry);
    probe_.push_back(is_probe);
    has_probes_ = has_probes_ || is_probe != 0;
    ++row_begin_[entry.row + 1];
  }
  for (std::size_t row = 0; row < size; ++row) row_begin_[row + 1] += row_begin_[row];
}

std::optional<std::uint32_t> Pattern::find(std::uint32_t row, std::uint32_t column) const {
  const auto found = std::lower_bound(entries_.begin(), entries_.end(), Entry{row, column});
  if (found == entries_.end() || *found != Entry{row, column}) return std::nullopt;
  return static_cast<std::uint32_t>(found - entries_.begin());
}

template <std::size_t Words>
class Sweep {
 public:
  Sweep(const Pattern& pattern, const SweepPlan& plan, const BuildOptions& options, DeterminantDiagram& diagram)
      : pattern_(pattern), plan_(plan), options_(options), diagram_(diagram) {}

  void run() {
    std::vector<State> states{State{}};
    for (std::size_t k = 0; k < plan_.lines.size() && !states.empty(); ++k) states = advance(states, k);
    if (!states.empty()) collect();
  }

 private:
  using State = std::array<std::uint64_t, Words>;
  using Edge = DeterminantDiagram::Edge;

  struct Choice {
    State bit{}, right{};
    std::uint32_t entry = 0;
    bool odd = false, probe = false;
  };
  struct Level {
    std::vector<Edge> edges;
    std::vector<std::uint64_t> begin{0};
  };

  // Open addressing on the states of the level being made.
  class Table {
   public:
    explicit Table(std::size_t expected) { slots_.assign(std::bit_ceil(std::max<std::size_t>(16, 2 * expected)), 0); }
    std::uint32_t index(const State& state, std::vector<State>& states) {
      if (2 * (states.size() + 1) > slots_.size()) grow(states);
      std::size_t at = hash(state) & (slots_.size() - 1);
      while (slots_[at] != 0) {
        if (states[slots_[at] - 1] == state) return slots_[at] - 1;
        at = (at + 1) & (slots_.size() - 1);
      }
      states.push_back(state);
      slots_[at] = static_cast<std::uint32_t>(states.size());
      return slots_[at] - 1;
    }
    std::size_t bytes() const { return slots_.size() * sizeof(slots_[0]); }

   private:
    static std::size_t hash(const State& state) {
      std::uint64_t h = 0;
      for (const std::uint64_t word : state) {
        h = (h ^ word) * 0x9E3779B97F4A7C15U;
        h ^= h >> 32;
      }
      return h;
    }
    void grow(const std::vector<State>& states) {
      slots_.assign(2 * slots_.size(), 0);
      for (std::size_t i = 0; i < states.size(); ++i) {
        std::size_t at = hash(states[i]) & (slots_.size() - 1);
        while (slots_[at] != 0) at = (at + 1) & (slots_.size() - 1);
        slots_[at] = static_cast<std::uint32_t>(i + 1);
      }
    }
    std::vector<std::uint32_t> slots_;
  };

  static void set(State& state, std::uint32_t slot) { state[slot / 64] |= std::uint64_t{1} << (slot % 64); }
  static bool intersects(const State& a, const State& b) {
    std::uint64_t common = 0;
    for (std::size_t w = 0; w < Words; ++w) common |= a[w] & b[w];
    return common != 0;
  }
  static bool odd(const State& a, const State& mask) {
    std::uint64_t folded = 0;
    for (std::size_t w = 0; w < Words; ++w) folded ^= a[w] & mask[w];
    return (std::popcount(folded) & 1) != 0;
  }

  std::vector<Choice> choices(const SweepPlan::Line& line, bool flip) const {
    std::vector<Choice> result;
    for (const auto& planned : line.choices) {
      Choice choice;
      choice.entry = planned.entry;
      choice.odd = planned.odd != flip;
      set(choice.bit, planned.slot);
      for (const std::uint32_t slot : planned.right) set(choice.right, slot);
      choice.probe = pattern_.is_probe(planned.entry);
      if (choice.probe) set(choice.bit, 0);
      result.push_back(choice);
    }
    return result;
  }

  std::vector<State> advance(const std::vector<State>& states, std::size_t k) {
    const SweepPlan::Line& line = plan_.lines[k];
    const std::vector<Choice> choices = this->choices(line, k == 0 && plan_.negative);
    State dying{}, forgotten{};
    for (const std::uint32_t slot : line.dying) set(dying, slot);
    forgotten = dying;
    if (plan_.probes && k + 1 == plan_.lines.size()) set(forgotten, 0);
    std::vector<State> next;
    Table table(states.size());
    Level level;
    level.begin.reserve(states.size() + 1);
    for (const State& state : states) {
      for (const Choice& choice : choices) {
        if (intersects(state, choice.bit)) continue;
        State successor;
        bool dead = false;
        for (std::size_t w = 0; w < Words; ++w) {
          successor[w] = state[w] | choice.bit[w];
          dead = dead || (dying[w] & ~successor[w]) != 0;
          successor[w] &= ~forgotten[w];
        }
        if (dead) continue;
        const bool negative = odd(state, choice.right) != choice.odd;
        level.edges.emplace_back(choice.entry, negative, table.index(successor, next));
      }
      level.begin.push_back(level.edges.size());
      if ((++visited_ & 0xFFF) == 0) check(level, table, states.size() + next.size());
    }
    stored_ += level.edges.size() * sizeof(Edge) + level.begin.size() * sizeof(std::uint64_t);
    levels_.push_back(std::move(level));
    return next;
  }

  void check(const Level& level, const Table& table, std::size_t states) const {
    const double bytes =
        static_cast<double>(stored_) + static_cast<double>(table.bytes()) + static_cast<double>(states * sizeof(State)) +
        static_cast<double>(level.edges.capacity() * sizeof(Edge) + level.begin.capacity() * sizeof(std::uint64_t));
    if (visited_ > options_.max_states)
      throw TooLarge("the determinant diagram exceeds " + std::to_string(options_.max_states) + " states",
                     diagram_.order_.prediction);
    if (bytes > static_cast<double>(options_.max_bytes) || visited_ + states >= std::numeric_limits<std::uint32_t>::max())
      throw TooLarge("the determinant diagram exceeds " + std::to_string(options_.max_bytes >> 20) + " MiB",
                     diagram_.order_.prediction);
    if (options_.checkpoint) options_.checkpoint(visited_);
  }

  // From the last line back: drops what reaches no end, numbers the rest.
  void collect() {
    constexpr std::uint32_t dropped = std::numeric_limits<std::uint32_t>::max();
    std::vector<std::uint32_t> number{0}, next;  // of the states below; of the states of the level at hand
    auto& d = diagram_;
    d.edge_begin_.assign(1, 0);
    d.level_begin_.assign({0, 1});
    std::uint32_t vertices = 1;
    for (std::size_t k = levels_.size(); k-- > 0;) {
      Level level = std::move(levels_[k]);
      next.assign(level.begin.size() - 1, dropped);
      for (std::size_t s = 0; s + 1 < level.begin.size(); ++s) {
        const std::size_t before = d.edges_.size();
        for (std::size_t e = level.begin[s]; e < level.begin[s + 1]; ++e) {
          const Edge& edge = level.edges[e];
          if (number[edge.child()] != dropped) d.edges_.emplace_back(edge.entry(), edge.negative(), number[edge.child()]);
        }
        if (d.edges_.size() == before) continue;
        d.edge_begin_.push_back(d.edges_.size());
        next[s] = vertices++;
      }
      d.level_begin_.push_back(vertices);
      d.level_width_ = std::max<std::size_t>(d.level_width_, vertices - d.level_begin_[d.level_begin_.size() - 2]);
      std::swap(number, next);
    }
    d.visited_states_ = visited_;
    d.level_width_ = std::max<std::size_t>(d.level_width_, 1);
    if (number.front() == dropped) {  // no complete product
      d.edges_.clear();
      d.edge_begin_.clear();
      d.level_begin_.clear();
      d.level_width_ = 0;
    }
  }

  const Pattern& pattern_;
  const SweepPlan& plan_;
  const BuildOptions& options_;
  DeterminantDiagram& diagram_;
  std::vector<Level> levels_;
  std::uint64_t visited_ = 0;
  std::size_t stored_ = 0;
};

DeterminantDiagram::DeterminantDiagram(const Pattern& pattern, const BuildOptions& options)
    : DeterminantDiagram(pattern, best_order(pattern, {.checkpoint = options.checkpoint}), options) {}

DeterminantDiagram::DeterminantDiagram(const Pattern& pattern, Order order, const BuildOptions& options)
    : order_(std::move(order)), entry_count_(pattern.entries().size()) {
  check_permutation(order_.lines, pattern.size());
  const SweepPlan plan = plan_sweep(pattern, order_);
  if (plan.singular) return;
  if (order_.prediction.sampled && order_.prediction.states > 4 * static_cast<double>(options.max_states))
    throw TooLarge("the determinant diagram would have about " + std::to_string(order_.prediction.states) + " states",
                   order_.prediction);
  if (plan.slots <= 64)
    Sweep<1>(pattern, plan, options, *this).run();
  else if (plan.slots <= 128)
    Sweep<2>(pattern, plan, options, *this).run();
  else if (plan.slots <= 512)
    Sweep<8>(pattern, plan, options, *this).run();
  else if (plan.slots <= 4096)
    Sweep<64>(pattern, plan, options, *this).run();
  else
    throw TooLarge("the determinant diagram would be " + std::to_string(plan.width) + " columns wide", order_.prediction);
}

std::size_t DeterminantDiagram::bytes() const noexcept {
  return edges_.capacity() * sizeof(Edge) + edge_begin_.capacity() * sizeof(std::uint64_t) +
         level_begin_.capacity() * sizeof(std::uint32_t);
}

}  // namespace sfg::ddd
