#include "sfg/ddd/order_search.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace sfg::ddd {
namespace {

// Sum of the level sizes of an order from positions alone. A line is active from its first crossing line to the last or
// to itself, whichever is earlier, and is then gone.
class LevelSum {
 public:
  explicit LevelSum(const LineGraph& graph)
      : graph_(graph),
        position_(graph.size()),
        active_(graph.size() + 2),
        active_rows_(graph.size() + 2),
        ahead_(graph.size() + 2),
        idle_(graph.size() + 1),
        log_factorial_(graph.size() + 1),
        size_(graph.size() + 1) {
    for (std::size_t i = 1; i < log_factorial_.size(); ++i)
      log_factorial_[i] = log_factorial_[i - 1] + std::log(static_cast<double>(i));
    const std::size_t tabulated = std::min<std::size_t>(graph.size(), 80);
    for (std::size_t n = 0; n <= tabulated; ++n) {
      table_.emplace_back(n + 1);
      for (std::size_t k = 0; k <= n; ++k) table_[n][k] = k == 0 || k == n ? 1 : table_[n - 1][k - 1] + table_[n - 1][k];
    }
  }

  double operator()(const std::vector<std::uint32_t>& lines) {
    const std::size_t steps = lines.size();
    for (std::uint32_t k = 0; k < steps; ++k) position_[lines[k]] = k;
    std::fill(active_.begin(), active_.end(), 0);
    std::fill(active_rows_.begin(), active_rows_.end(), 0);
    std::fill(ahead_.begin(), ahead_.end(), 0);
    for (std::uint32_t line = 0; line < graph_.size(); ++line) count(line);
    double sum = 0;
    std::int64_t active = 0, rows = 0, ahead = 0;
    for (std::size_t k = 0; k <= steps; ++k) {
      active += active_[k];
      rows += active_rows_[k];
      ahead += ahead_[k];
      size_[k] = 0;
      if (k > 0 && idle_[k - 1] != 0) continue;
      const std::int64_t taken = rows + ahead;
      if (taken < 0 || taken > active) continue;
      size_[k] = binomial(static_cast<std::size_t>(active), static_cast<std::size_t>(taken));
      sum += size_[k];
    }
    return sum;
  }
  /// Of the order last summed, after so many lines.
  double size(std::size_t k) const { return size_[k]; }

 private:
  void count(std::uint32_t line) {
    const std::uint32_t own = position_[line];
    std::uint32_t first = none, last = 0;
    for (const auto& link : graph_[line]) {
      first = std::min(first, position_[link.line]);
      last = std::max(last, position_[link.line]);
    }
    idle_[own] = last < own ? 1 : 0;
    const std::uint32_t end = std::min(own, last);  // gone after this position
    const int row = graph_.is_row(line) ? 1 : 0;
    ahead_[end + 1] += 2 * row - 1;
    if (first >= end) return;
    ++active_[first + 1];
    --active_[end + 1];
    active_rows_[first + 1] += row;
    active_rows_[end + 1] -= row;
  }
  double binomial(std::size_t n, std::size_t k) const {
    return n < table_.size() ? table_[n][k] : std::exp(log_factorial_[n] - log_factorial_[k] - log_factorial_[n - k]);
  }

  const LineGraph& graph_;
  std::vector<std::uint32_t> position_;
  std::vector<int> active_, active_rows_, ahead_;  // changes after so many lines
  std::vector<std::uint8_t> idle_;
  std::vector<double> log_factorial_;
  std::vector<std::vector<double>> table_;
  std::vector<double> size_;
};

// The largest of three levels.
std::size_t large_level(const LevelSum& sum, std::size_t steps, std::mt19937_64& random) {
  std::size_t best = random() % steps;
  for (int draw = 0; draw < 2; ++draw) {
    const std::size_t other = random() % steps;
    if (sum.size(other) > sum.size(best)) best = other;
  }
  return best;
}

void move(std::vector<std::uint32_t>& lines, std::size_t from, std::size_t to) {
  const auto at = [&](std::size_t k) { return lines.begin() + static_cast<std::ptrdiff_t>(k); };
  if (from < to)
    std::rotate(at(from), at(from + 1), at(to + 1));
  else
    std::rotate(at(to), at(from), at(from + 1));
}

}  // namespace

std::vector<std::uint32_t> completed(const LineGraph& graph, std::span<const std::uint32_t> lines) {
  std::vector<std::uint32_t> left(graph.size()), result;
  std::vector<bool> gone(graph.size());
  for (std::uint32_t line = 0; line < graph.size(); ++line) left[line] = static_cast<std::uint32_t>(graph.degree(line));
  for (const std::uint32_t line : lines) {
    if (gone[line]) continue;
    gone[line] = true;
    result.push_back(line);
    for (const auto& link : graph[line]) {
      if (gone[link.line] || --left[link.line] > 0) continue;
      gone[link.line] = true;
      result.push_back(link.line);
    }
  }
  for (std::uint32_t line = 0; line < graph.size(); ++line)
    if (!gone[line]) result.push_back(line);
  return result;
}

std::vector<std::uint32_t> searched(const LineGraph& graph, std::vector<std::uint32_t> lines, double seconds, std::uint64_t seed,
                                    const std::function<void(std::uint64_t)>& checkpoint) {
  constexpr double work_per_second = 2.4e9;  // links and levels looked at, on an ordinary core
  constexpr double hot = 0.3, cold = 0.02;   // temperatures, for the logarithm of the sum
  double links = static_cast<double>(graph.size());
  for (std::uint32_t line = 0; line < graph.size(); ++line) links += static_cast<double>(graph.degree(line));
  const auto moves = static_cast<std::uint64_t>(seconds * work_per_second / (3 * links));

  std::mt19937_64 random(seed);
  LevelSum sum(graph);
  double cost = std::log(sum(lines)), best_cost = cost;
  std::vector<std::uint32_t> best = lines;
  const std::size_t steps = lines.size();
  for (std::uint64_t m = 0; m < moves; ++m) {
    if ((m & 0xFF) == 0xFF && checkpoint) checkpoint(0);  // the clock itself has no say: the order is the same on every machine
    // A line near a large level, to another place not too far away.
    const std::size_t reach = 1 + static_cast<std::size_t>(random() % (1 + steps / (std::size_t{1} << (random() % 6))));
    std::size_t from = large_level(sum, steps, random) + random() % 9;
    from = std::min(steps - 1, from < 4 ? 0 : from - 4);
    const std::size_t low = from > reach ? from - reach : 0, high = std::min(steps - 1, from + reach);
    const std::size_t to = low + random() % (high - low + 1);
    if (to == from) continue;
    move(lines, from, to);
    const double moved = std::log(sum(lines));
    const double temperature = hot * std::pow(cold / hot, static_cast<double>(m) / static_cast<double>(moves));
    const double chance = std::exp((cost - moved) / temperature);
    if (static_cast<double>(random() >> 11) * 0x1p-53 < chance) {
      cost = moved;
      if (cost < best_cost) {
        best_cost = cost;
        best = lines;
      }
    } else {
      move(lines, to, from);
    }
  }
  return best;
}

}  // namespace sfg::ddd
