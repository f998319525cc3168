#include <algorithm>
#include <random>
#include <set>

#include "sfg/error.hpp"
#include "sfg/graph/textbook_bounds.hpp"
#include "sfg/graph/textbook_shape.hpp"

namespace sfg {

namespace {

constexpr std::size_t most_counted = 2 * most_textbook_loops;
constexpr std::size_t hits_wanted = 6;

/// What a demand leaves free, as the seed has it.
struct Inclination {
  std::size_t loops;
  std::size_t paths;
};

std::size_t distance(std::size_t a, std::size_t b) { return a > b ? a - b : b - a; }

/// 0 where the demand is met.
std::size_t missed(const ShapeDemand& demand, const ShapeCounts& found) {
  const auto by = [](const std::optional<std::size_t>& wanted, std::size_t number) {
    return wanted ? distance(*wanted, number) : 0;
  };
  const std::size_t paths = demand.paths ? distance(*demand.paths, found.paths) : found.paths > 2 ? found.paths - 2 : 0;
  const std::size_t loops = demand.loops || found.loops <= most_textbook_loops ? 0 : found.loops - most_textbook_loops;
  return 3 * by(demand.loops, found.loops) + 3 * loops + by(demand.pairs, found.pairs) + by(demand.triples, found.triples) +
         2 * paths + 2 * by(demand.self_loops, found.self_loops);
}

/// Random numbers that are the same on every machine, which std::uniform_int_distribution does not promise.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(seed * 0x9E3779B97F4A7C15U + 1) {}
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }
  std::size_t between(std::size_t least, std::size_t most) { return least + below(most - least + 1); }

 private:
  std::mt19937_64 random_;
};

/// Threshold accepting: shapes change by an arc at a time; a change is kept unless it is worse by more than a threshold that
/// falls to 0.
class ShapeSearch {
 public:
  ShapeSearch(const ShapeDemand& demand, std::uint64_t seed, const Budget& budget)
      : demand_(demand), budget_(budget), dice_(seed), inclined_(inclination()) {}

  /// Nothing when the demand was not met.
  std::optional<TextbookShape> best() {
    constexpr std::size_t rounds = 24, patient_rounds = 120;
    for (std::size_t round = 0; round < (hits_ > 0 ? rounds : patient_rounds) && hits_ < hits_wanted; ++round) descend();
    return best_;
  }
  const std::set<std::size_t>& pairs_seen() const { return pairs_seen_; }

 private:
  struct Judged {
    int cost = 1'000'000;
    bool met = false;
  };

  Inclination inclination() {
    const std::size_t interior = demand_.nodes - 2;
    std::size_t loops = std::min(dice_.between(2, 4), interior * (interior + 1) / 2);
    for (std::size_t pairs = demand_.pairs.value_or(0); loops < most_textbook_loops && loops * (loops - 1) / 2 < 2 * pairs;)
      ++loops;
    const std::size_t paths = dice_.below(4) == 0 ? 1 : 2;
    return {demand_.loops.value_or(loops), demand_.paths.value_or(paths)};
  }

  Judged judged(const TextbookShape& shape) {
    constexpr int miss = 14, disinclination = 5;
    const auto found = counts(shape, most_counted);
    if (!found) return {};
    const std::size_t misses = missed(demand_, *found);
    ShapeDemand but_pairs = demand_;
    but_pairs.pairs.reset();
    if (but_pairs.met_by(*found)) pairs_seen_.insert(found->pairs);
    const std::size_t away = distance(inclined_.loops, found->loops) + distance(inclined_.paths, found->paths);
    return {miss * static_cast<int>(misses) + disinclination * static_cast<int>(away) + tangles(shape), demand_.met_by(*found)};
  }

  Arc random_bypass() {
    const std::size_t most = demand_.nodes - 1;
    const std::size_t span = std::min(most, 2 + (dice_.below(3) == 0 ? dice_.below(most - 1) : dice_.below(2)));
    const std::size_t tail = dice_.below(demand_.nodes - span);
    return {tail, tail + span};
  }
  Arc random_feedback() {
    const std::size_t interior = demand_.nodes - 2;
    constexpr std::size_t usual[] = {0, 1, 1, 1, 1, 2, 2, 3};
    const std::size_t span = std::min(interior - 1, dice_.below(4) == 0 ? dice_.below(interior) : usual[dice_.below(8)]);
    const std::size_t head = dice_.between(1, interior - span);
    return {head + span, head};
  }
  static void insert(std::vector<Arc>& arcs, Arc arc) {
    if (std::ranges::find(arcs, arc) == arcs.end()) arcs.push_back(arc);
  }
  void erase(std::vector<Arc>& arcs) {
    if (!arcs.empty()) arcs.erase(arcs.begin() + static_cast<std::ptrdiff_t>(dice_.below(arcs.size())));
  }

  TextbookShape random_shape() {
    TextbookShape shape{demand_.nodes, {}, {}};
    for (std::size_t i = 1; i < std::min<std::size_t>(inclined_.paths, 6); ++i) insert(shape.bypasses, random_bypass());
    for (std::size_t i = 0; i < inclined_.loops; ++i) insert(shape.feedback, random_feedback());
    return shape;
  }
  TextbookShape changed(TextbookShape shape) {
    const std::size_t change = dice_.below(10);
    if (change < 4 || change == 8) erase(shape.feedback);
    if (change < 6) insert(shape.feedback, random_feedback());
    if (change == 6 || change == 9) erase(shape.bypasses);
    if (change == 6 || change == 7) insert(shape.bypasses, random_bypass());
    return shape;
  }

  void descend() {
    constexpr int steps = 300, hottest = 24;
    budget_.check("looking for a graph");
    TextbookShape shape = random_shape();
    Judged now = judged(shape);
    bool hit = false;
    for (int step = 0; step < steps; ++step) {
      TextbookShape next = changed(shape);
      const Judged then = judged(next);
      if (then.cost > now.cost + hottest * (steps - step) / (2 * steps)) continue;
      shape = std::move(next);
      now = then;
      hit = hit || now.met;
      if (!now.met || (best_ && now.cost >= best_cost_)) continue;
      best_ = shape;
      best_cost_ = now.cost;
    }
    hits_ += hit ? 1 : 0;
  }

  const ShapeDemand& demand_;
  const Budget& budget_;
  Dice dice_;
  Inclination inclined_;
  std::optional<TextbookShape> best_;
  int best_cost_ = 0;
  std::size_t hits_ = 0;
  std::set<std::size_t> pairs_seen_;
};

/// Every shape that may meet a demand, where they are few: loops and paths only become more when an arc is added.
class EveryShape {
 public:
  EveryShape(const ShapeDemand& demand, const Budget& budget)
      : demand_(demand), budget_(budget), bypasses_(all_bypasses(demand.nodes)), feedback_(all_feedback(demand.nodes)) {
    shape_.nodes = demand.nodes;
  }

  /// False when they are too many to be looked at.
  bool look() {
    add_bypasses(0);
    return looked_at_ <= many;
  }
  const std::optional<TextbookShape>& best() const { return best_; }
  const std::set<std::size_t>& pairs_seen() const { return pairs_seen_; }

 private:
  static constexpr std::size_t many = 300'000;

  /// False when no shape with more arcs can meet the demand.
  bool judge() {
    if (++looked_at_ > many) return false;
    if (looked_at_ % 1024 == 0) budget_.check("looking at every graph");
    const auto found = counts(shape_, most_counted);
    if (!found || found->paths > demand_.paths.value_or(2) || found->loops > demand_.loops.value_or(most_textbook_loops))
      return false;
    ShapeDemand but_pairs = demand_;
    but_pairs.pairs.reset();
    if (but_pairs.met_by(*found)) pairs_seen_.insert(found->pairs);
    if (demand_.met_by(*found) && (!best_ || tangles(shape_) < tangles(*best_))) best_ = shape_;
    return true;
  }
  void add_bypasses(std::size_t from) {
    const auto found = counts(shape_, most_counted);
    if (!found || found->paths > demand_.paths.value_or(2)) return;
    if (!demand_.paths || found->paths == *demand_.paths) add_feedback(0);
    for (std::size_t i = from; i < bypasses_.size() && looked_at_ <= many; ++i) {
      shape_.bypasses.push_back(bypasses_[i]);
      add_bypasses(i + 1);
      shape_.bypasses.pop_back();
    }
  }
  void add_feedback(std::size_t from) {
    if (!judge()) return;
    for (std::size_t i = from; i < feedback_.size() && looked_at_ <= many; ++i) {
      shape_.feedback.push_back(feedback_[i]);
      add_feedback(i + 1);
      shape_.feedback.pop_back();
    }
  }

  const ShapeDemand& demand_;
  const Budget& budget_;
  std::vector<Arc> bypasses_, feedback_;
  TextbookShape shape_;
  std::size_t looked_at_ = 0;
  std::optional<TextbookShape> best_;
  std::set<std::size_t> pairs_seen_;
};

std::string listed(const std::set<std::size_t>& numbers) {
  std::string text;
  for (const std::size_t number : numbers) text += (text.empty() ? "" : ", ") + std::to_string(number);
  return text;
}

[[noreturn]] void refuse(const ShapeDemand& demand, const std::set<std::size_t>& pairs, bool proved) {
  const std::string message =
      (proved ? "there is no graph of a main line with " : "no graph of a main line was found with ") + in_words(demand);
  if (demand.pairs && !pairs.empty())
    throw NoAnswer(message, "with the rest as it is, graphs with " + listed(pairs) + " pairs were found: state one of these");
  throw NoAnswer(message, demand.pairs || demand.triples || demand.self_loops
                              ? "leave out one of the conditions, or state other numbers of loops, paths or nodes"
                              : "state fewer loops, more nodes or more forward paths");
}

}  // namespace

TextbookShape textbook_shape(const ShapeDemand& demand, std::uint64_t seed, const Budget& budget) {
  refuse_impossible(demand, budget);
  ShapeSearch search(demand, seed, budget);
  if (auto found = search.best()) return *found;
  EveryShape every(demand, budget);
  const bool proved = every.look();
  if (every.best()) return *every.best();
  std::set<std::size_t> pairs = every.pairs_seen();
  pairs.insert(search.pairs_seen().begin(), search.pairs_seen().end());
  refuse(demand, pairs, proved);
}

}  // namespace sfg
