#include "sfg/ddd/size_estimate.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace sfg::ddd {
namespace {

// A matching of taken lines to each other along entries that have been swept.
class TakenMatching {
 public:
  explicit TakenMatching(const LineGraph& graph)
      : graph_(graph), swept_(graph.size()), taken_(graph.size()), partner_(graph.size(), none), visited_(graph.size()) {}

  void sweep(std::uint32_t line) { swept_[line] = true; }
  void take(std::uint32_t line) { taken_[line] = true; }
  void untake(std::uint32_t line) {
    taken_[line] = false;
    if (partner_[line] == none) return;
    partner_[partner_[line]] = none;
    partner_[line] = none;
  }
  /// Matches all taken lines, if that is possible. Rows are matched one by one; there are as many columns.
  bool complete() {
    const auto rows = static_cast<std::uint32_t>(graph_.size() / 2);
    for (std::uint32_t row = 0; row < rows; ++row) {
      if (!taken_[row] || partner_[row] != none) continue;
      ++round_;
      if (!augment(row)) return false;
    }
    return true;
  }

 private:
  // The way back is kept in `from_`: no recursion.
  bool augment(std::uint32_t root) {
    queue_.assign(1, root);
    from_.resize(graph_.size());
    for (std::size_t head = 0; head < queue_.size(); ++head) {
      const std::uint32_t row = queue_[head];
      for (const auto& link : graph_[row]) {
        std::uint32_t column = link.line;
        if (!taken_[column] || visited_[column] == round_ || !(swept_[row] || swept_[column])) continue;
        visited_[column] = round_;
        from_[column] = row;
        if (partner_[column] != none) {
          queue_.push_back(partner_[column]);
          continue;
        }
        for (std::uint32_t at = row; column != none; at = column == none ? none : from_[column]) {
          const std::uint32_t before = partner_[at];
          partner_[at] = column;
          partner_[column] = at;
          column = before;
        }
        return true;
      }
    }
    return false;
  }

  const LineGraph& graph_;
  std::vector<bool> swept_, taken_;
  std::vector<std::uint32_t> partner_, visited_, queue_, from_;
  std::uint32_t round_ = 0;
};

}  // namespace

Prediction sampled_prediction(const Pattern& pattern, const LineGraph& graph, std::span<const std::uint32_t> lines,
                              std::uint64_t seed) {
  constexpr double work = 3e6;  // links looked at, about; a fraction of a second
  Predictor predictor(pattern, graph);
  Prediction prediction = predictor(lines);
  const std::vector<double> bound(predictor.level_logs().begin(), predictor.level_logs().end());
  const double important = *std::max_element(bound.begin(), bound.end()) - std::log(100.0);
  const auto levels = std::count_if(bound.begin(), bound.end(), [&](double level) { return level > important; });
  const double links = static_cast<double>(pattern.entries().size() + pattern.size());
  const double affordable = work / links;
  const int samples = static_cast<int>(std::clamp(affordable / static_cast<double>(levels), 8.0, 200.0));
  // Of a great many levels only every so-manyth is looked at; those between have the share of the last one.
  const auto stride = static_cast<std::size_t>(std::ceil(std::max(1.0, static_cast<double>(levels) * samples / affordable)));

  std::mt19937_64 random(seed);
  TakenMatching matching(graph);
  std::vector<std::uint32_t> left(graph.size()), active;
  std::vector<bool> gone(graph.size()), is_active(graph.size());
  for (std::uint32_t line = 0; line < graph.size(); ++line) left[line] = static_cast<std::uint32_t>(graph.degree(line));
  std::int64_t rows_ahead = 0;
  const auto retire = [&](std::uint32_t line) {
    gone[line] = true;
    rows_ahead += graph.is_row(line) ? 1 : -1;
    if (is_active[line]) std::erase(active, line);
    matching.take(line);
  };
  const double bounded_states = prediction.states;
  std::size_t step = 0, important_steps = 0;
  double share = 1;
  prediction.states = 1;
  for (const std::uint32_t line : lines) {
    if (gone[line]) continue;
    retire(line);
    matching.sweep(line);
    for (const auto& link : graph[line]) {
      if (gone[link.line]) continue;
      if (!is_active[link.line]) active.push_back(link.line);
      is_active[link.line] = true;
      if (--left[link.line] == 0) retire(link.line);
    }
    ++step;
    if (bound[step] > important && important_steps++ % stride == 0) {
      std::int64_t rows = 0;
      for (const std::uint32_t l : active) rows += graph.is_row(l) ? 1 : 0;
      const auto chosen = static_cast<std::size_t>(rows + rows_ahead);
      int hits = 0;
      for (int sample = 0; sample < samples; ++sample) {
        // Of the chosen lines the columns are taken, of the others the rows: as many rows as columns in all.
        for (std::size_t k = 0; k < active.size(); ++k) {
          std::swap(active[k], active[k + random() % (active.size() - k)]);
          if (graph.is_row(active[k]) != (k < chosen)) matching.take(active[k]);
        }
        hits += matching.complete() ? 1 : 0;
        for (const std::uint32_t l : active) matching.untake(l);
      }
      share = std::max<double>(hits, 0.5) / samples;
    }
    prediction.states += std::exp(bound[step]) * (bound[step] > important ? share : 1);
  }
  prediction.edges *= prediction.states / bounded_states;
  prediction.bytes *= prediction.states / bounded_states;
  prediction.sampled = true;
  return prediction;
}

}  // namespace sfg::ddd
