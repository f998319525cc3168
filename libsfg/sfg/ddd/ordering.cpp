#include "sfg/ddd/ordering.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>
#include <utility>

#include "sfg/ddd/order_search.hpp"
#include "sfg/ddd/sweep.hpp"

namespace sfg::ddd {
namespace {

using Lines = std::vector<std::uint32_t>;

Lines numbers(std::uint32_t from, std::uint32_t to) {
  Lines lines(to - from);
  std::iota(lines.begin(), lines.end(), from);
  return lines;
}

// Next the line, among those allowed, that leaves the fewest active lines; of equals the first. With `connected` an active
// line, as long as there is one, or else a neighbour of an active line.
class Greedy {
 public:
  Greedy(const LineGraph& graph, std::span<const std::uint32_t> allowed, std::uint64_t seed)
      : graph_(graph), left_(graph.size()), cost_(graph.size()), rank_(graph.size()), state_(graph.size(), forbidden) {
    for (const std::uint32_t line : allowed) state_[line] = untouched;
    std::iota(rank_.begin(), rank_.end(), 0U);
    for (std::uint32_t i = 0; seed != 0 && i + 1 < rank_.size(); ++i) {  // another order of equals for every seed
      seed = seed * 6364136223846793005U + 1442695040888963407U;
      std::swap(rank_[i], rank_[i + (seed >> 33) % (rank_.size() - i)]);
    }
    for (std::uint32_t line = 0; line < graph.size(); ++line) left_[line] = static_cast<std::uint32_t>(graph.degree(line));
    for (std::uint32_t line = 0; line < graph.size(); ++line) {
      cost_[line] = static_cast<std::int32_t>(graph.degree(line));
      for (const auto& link : graph[line]) cost_[line] -= left_[link.line] == 1 ? 1 : 0;
      push(line);
    }
    active_.assign(graph.size(), false);
  }

  Lines order(std::uint32_t start) {
    take(start);
    while (!queue_.empty()) {
      const auto [cost, rank, line] = queue_.top();
      queue_.pop();
      if (state_[line] == untouched && cost == cost_[line]) take(line);
    }
    return std::move(result_);
  }

 private:
  enum State : std::uint8_t { forbidden, untouched, gone };
  struct Item {
    std::int32_t cost;
    std::uint32_t rank, line;
    bool operator>(const Item& other) const { return std::pair(cost, rank) > std::pair(other.cost, other.rank); }
  };

  void push(std::uint32_t line) {
    if (state_[line] == untouched) queue_.push({cost_[line], rank_[line], line});
  }
  void change(std::uint32_t line, std::int32_t by) {
    cost_[line] += by;
    push(line);
  }
  void activate(std::uint32_t line) {
    active_[line] = true;
    change(line, -1);                                             // it need not stay active itself
    for (const auto& link : graph_[line]) change(link.line, -1);  // nor would it become so
  }
  void take(std::uint32_t line) {
    state_[line] = gone;
    result_.push_back(line);
    for (const auto& link : graph_[line]) {
      const std::uint32_t other = link.line;
      if (left_[other] == 0 || (state_[other] == gone)) continue;
      if (!active_[other]) activate(other);
      if (--left_[other] == 1) {
        for (const auto& last : graph_[other])
          if (state_[last.line] != gone) change(last.line, -1);
      } else if (left_[other] == 0 && state_[other] == untouched) {
        state_[other] = gone;
      }
    }
  }

  const LineGraph& graph_;
  std::vector<std::uint32_t> left_;
  std::vector<std::int32_t> cost_;  // lines that become active minus lines that cease to be
  std::vector<std::uint32_t> rank_;
  std::vector<std::uint8_t> state_;
  std::vector<bool> active_;
  std::priority_queue<Item, std::vector<Item>, std::greater<>> queue_;
  Lines result_;
};

// Breadth first from `start`, small degrees first, reversed; then the rest likewise.
Lines reverse_cuthill_mckee(const LineGraph& graph, std::uint32_t start) {
  Lines order, by_degree = numbers(0, static_cast<std::uint32_t>(graph.size()));
  const auto smaller = [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(graph.degree(a), a) < std::pair(graph.degree(b), b);
  };
  std::sort(by_degree.begin(), by_degree.end(), smaller);
  by_degree.insert(by_degree.begin(), start);
  std::vector<bool> seen(graph.size());
  for (const std::uint32_t root : by_degree) {
    if (seen[root]) continue;
    seen[root] = true;
    order.push_back(root);
    for (std::size_t head = order.size() - 1; head < order.size(); ++head) {
      const std::size_t first = order.size();
      for (const auto& link : graph[order[head]]) {
        if (seen[link.line]) continue;
        seen[link.line] = true;
        order.push_back(link.line);
      }
      std::sort(order.begin() + static_cast<std::ptrdiff_t>(first), order.end(), smaller);
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

Lines only(const Lines& lines, std::uint32_t from, std::uint32_t to) {
  Lines kept;
  for (const std::uint32_t line : lines)
    if (line >= from && line < to) kept.push_back(line);
  return kept;
}

class Candidates {
 public:
  Candidates(const Pattern& pattern, const LineGraph& graph) : predictor_(pattern, graph) {}
  void consider(Lines lines, const char* method) {
    const double cost = predictor_.log_states(lines);
    if (!best_.method.empty() && !(cost < cost_)) return;
    cost_ = cost;
    best_ = {std::move(lines), method};
  }
  double cost() const { return cost_; }
  Order best() {
    best_.prediction = predictor_(best_.lines);
    return best_;
  }

 private:
  Predictor predictor_;
  double cost_ = 0;
  Order best_;
};

// Ends of a long way through the graph are good starts.
std::uint32_t far_from(const LineGraph& graph, std::uint32_t line) {
  std::vector<bool> seen(graph.size());
  Lines reached{line};
  seen[line] = true;
  for (std::size_t head = 0; head < reached.size(); ++head) {
    for (const auto& link : graph[reached[head]]) {
      if (seen[link.line]) continue;
      seen[link.line] = true;
      reached.push_back(link.line);
    }
  }
  return reached.back();
}

}  // namespace

Order order_of(const Pattern& pattern, std::vector<std::uint32_t> lines) {
  check_lines(pattern, lines);
  const LineGraph graph(pattern);
  Order order{std::move(lines), "given"};
  order.prediction = Predictor(pattern, graph)(order.lines);
  return order;
}

Order best_order(const Pattern& pattern, const OrderOptions& options) {
  const auto n = static_cast<std::uint32_t>(pattern.size());
  const LineGraph graph(pattern);
  Candidates candidates(pattern, graph);
  candidates.consider(numbers(0, n), "rows as given");
  candidates.consider(numbers(n, 2 * n), "columns as given");
  if (n == 0) return candidates.best();
  const Lines rows = numbers(0, n), columns = numbers(n, 2 * n), all = numbers(0, 2 * n);
  const double small = std::log(4.0 * (n + 1));  // two states a line: no order is worth looking for
  for (const std::uint32_t seed : {0U, 1U, 2U, 3U}) {
    if (candidates.cost() < small) break;
    std::uint32_t start = seed == 0 ? 0 : static_cast<std::uint32_t>((options.seed * 7919 + seed * 104729) % n);
    start = far_from(graph, start);
    const std::uint32_t row = graph.is_row(start) ? start : graph.degree(start) > 0 ? graph[start].front().line : 0;
    const std::uint32_t column = graph.is_row(start) && graph.degree(start) > 0 ? graph[start].front().line
                                 : graph.is_row(start)                          ? n
                                                                                : start;
    candidates.consider(Greedy(graph, rows, seed).order(row), "greedy, rows");
    candidates.consider(Greedy(graph, columns, seed).order(column), "greedy, columns");
    candidates.consider(Greedy(graph, all, seed).order(start), "greedy, rows and columns");
    const Lines breadth = reverse_cuthill_mckee(graph, start);
    candidates.consider(only(breadth, 0, n), "reverse Cuthill–McKee, rows");
    candidates.consider(only(breadth, n, 2 * n), "reverse Cuthill–McKee, columns");
    candidates.consider(breadth, "reverse Cuthill–McKee, rows and columns");
  }
  // Worth as much time as building would take.
  constexpr double seconds_per_state = 50e-9;
  const double states = std::exp(candidates.cost());
  if (states > options.good_enough && states < 1e30) {
    const double seconds = std::min(options.search_seconds, states * seconds_per_state);
    candidates.consider(searched(graph, completed(graph, candidates.best().lines), seconds, options.seed, options.checkpoint),
                        "local search");
  }
  return candidates.best();
}

}  // namespace sfg::ddd
