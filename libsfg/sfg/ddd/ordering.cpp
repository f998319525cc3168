#include "sfg/ddd/ordering.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>

#include "sfg/ddd/sweep.hpp"

namespace sfg::ddd {
namespace {

double log_binomial(double n, double k) { return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1); }

// Upper bounds: a level has at most C(active, used) states, and at most as many as its neighbours lead to.
Prediction predict(const Lines& lines, std::span<const std::uint32_t> order, bool probes) {
  const std::size_t n = order.size();
  std::vector<std::uint32_t> remaining(n, 0);
  std::vector<bool> open(n);
  for (std::size_t i = 0; i < n; ++i)
    for (const auto& item : lines[i]) ++remaining[item.crossing];
  Prediction prediction;
  std::vector<double> level(n + 1, 0.0);  // logarithms
  std::size_t active = 0, dead = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const auto items = lines[order[k]];
    for (const auto& item : items) {
      if (!open[item.crossing]) open[item.crossing] = true, ++active;
      if (--remaining[item.crossing] == 0) --active, ++dead;
    }
    if (items.empty() || dead > k + 1 || k + 1 > dead + active) return prediction;
    prediction.width = std::max(prediction.width, active);
    const double choices = std::log(static_cast<double>(items.size()));
    const double subsets = log_binomial(static_cast<double>(active), static_cast<double>(k + 1 - dead));
    level[k + 1] = std::min(level[k] + choices, subsets + (probes ? std::log(2.0) : 0.0));
  }
  for (std::size_t k = n; k-- > 0;)
    level[k] = std::min(level[k], level[k + 1] + std::log(static_cast<double>(lines[order[k]].size())));
  for (std::size_t k = 0; k <= n; ++k) {
    const double states = std::exp(level[k]);
    prediction.states += states;
    if (k < n) prediction.edges += states * static_cast<double>(lines[order[k]].size());
  }
  const double words = std::ceil(static_cast<double>(prediction.width) / 64);
  prediction.bytes = 16 * prediction.edges + 8 * (2 + words) * prediction.states;
  return prediction;
}

// Next the line that leaves the fewest active columns; of equals the one with more columns in use already.
std::vector<std::uint32_t> greedy(const Lines& lines, const Lines& crossing, std::uint32_t start) {
  const std::size_t n = lines.size();
  std::vector<std::uint32_t> order, remaining(n);
  std::vector<std::int32_t> cost(n);  // columns opened minus columns closed
  std::vector<bool> open(n), done(n);
  for (std::size_t c = 0; c < n; ++c) remaining[c] = static_cast<std::uint32_t>(crossing[c].size());
  using Item = std::pair<std::int32_t, std::uint32_t>;
  std::priority_queue<Item, std::vector<Item>, std::greater<>> queue;
  for (std::uint32_t i = 0; i < n; ++i) {
    cost[i] = static_cast<std::int32_t>(lines[i].size());
    for (const auto& item : lines[i]) cost[i] -= remaining[item.crossing] == 1 ? 1 : 0;
    queue.emplace(cost[i], i);
  }
  const auto change = [&](std::uint32_t line, std::int32_t by) {
    cost[line] += by;
    if (!done[line]) queue.emplace(cost[line], line);
  };
  const auto take = [&](std::uint32_t line) {
    done[line] = true;
    order.push_back(line);
    for (const auto& item : lines[line]) {
      const bool opened = !open[item.crossing];
      open[item.crossing] = true;
      --remaining[item.crossing];
      for (const auto& other : crossing[item.crossing]) {
        if (done[other.crossing]) continue;
        if (opened) change(other.crossing, -1);
        if (remaining[item.crossing] == 1) change(other.crossing, -1);
      }
    }
  };
  if (n > 0) take(start);
  while (!queue.empty()) {
    const auto [value, line] = queue.top();
    queue.pop();
    if (!done[line] && value == cost[line]) take(line);
  }
  return order;
}

// Lines are neighbours when they share a column; breadth first from a line far out, small degrees first, reversed.
std::vector<std::uint32_t> reverse_cuthill_mckee(const Lines& lines, const Lines& crossing) {
  const std::size_t n = lines.size();
  std::vector<std::uint32_t> order, by_degree(n);
  std::iota(by_degree.begin(), by_degree.end(), 0U);
  const auto smaller = [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(lines[a].size(), a) < std::pair(lines[b].size(), b);
  };
  std::sort(by_degree.begin(), by_degree.end(), smaller);
  std::vector<bool> seen(n);
  for (const std::uint32_t root : by_degree) {
    if (seen[root]) continue;
    seen[root] = true;
    order.push_back(root);
    for (std::size_t head = order.size() - 1; head < order.size(); ++head) {
      const std::size_t first = order.size();
      for (const auto& item : lines[order[head]]) {
        for (const auto& other : crossing[item.crossing]) {
          if (seen[other.crossing]) continue;
          seen[other.crossing] = true;
          order.push_back(other.crossing);
        }
      }
      std::sort(order.begin() + static_cast<std::ptrdiff_t>(first), order.end(), smaller);
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

Order candidate(const Lines& lines, std::vector<std::uint32_t> order, bool by_columns, bool probes, const char* method) {
  Order result{std::move(order), by_columns, method, {}};
  result.prediction = predict(lines, result.lines, probes);
  return result;
}

}  // namespace

Order order_of(const Pattern& pattern, std::vector<std::uint32_t> lines, bool by_columns) {
  check_permutation(lines, pattern.size());
  return candidate(Lines(pattern, by_columns), std::move(lines), by_columns, pattern.has_probes(), "given");
}

Order given_order(const Pattern& pattern, bool by_columns) {
  std::vector<std::uint32_t> lines(pattern.size());
  std::iota(lines.begin(), lines.end(), 0U);
  return order_of(pattern, std::move(lines), by_columns);
}

Order best_order(const Pattern& pattern, const OrderOptions&) {
  const Lines rows(pattern, false), columns(pattern, true);
  const bool probes = pattern.has_probes();
  Order best = given_order(pattern);
  const auto consider = [&](Order other) {
    if (other.prediction.states < best.prediction.states) best = std::move(other);
  };
  for (const bool by_columns : {false, true}) {
    const Lines& lines = by_columns ? columns : rows;
    const Lines& crossing = by_columns ? rows : columns;
    std::uint32_t start = 0;
    for (std::uint32_t i = 0; i < pattern.size(); ++i)
      if (lines[i].size() < lines[start].size()) start = i;
    consider(candidate(lines, greedy(lines, crossing, start), by_columns, probes, "greedy"));
    auto rcm = reverse_cuthill_mckee(lines, crossing);
    consider(candidate(lines, rcm, by_columns, probes, "reverse Cuthill–McKee"));
  }
  return best;
}

}  // namespace sfg::ddd
