#include "sfg/ddd/sweep.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace sfg::ddd {

LineGraph::LineGraph(const Pattern& pattern) : begin_(2 * pattern.size() + 1) {
  const auto entries = pattern.entries();
  const auto n = static_cast<std::uint32_t>(pattern.size());
  links_.resize(2 * entries.size());
  for (const Entry& entry : entries) {
    ++begin_[entry.row + 1];
    ++begin_[n + entry.column + 1];
  }
  for (std::size_t i = 0; i + 1 < begin_.size(); ++i) begin_[i + 1] += begin_[i];
  std::vector<std::uint32_t> at(begin_.begin(), begin_.end());
  for (std::uint32_t e = 0; e < entries.size(); ++e) {
    const Entry& entry = entries[e];
    links_[at[entry.row]++] = {e, n + entry.column};
    links_[at[n + entry.column]++] = {e, entry.row};
  }
}

SweepWalk::SweepWalk(const Pattern& pattern, const LineGraph& graph, const Order& order)
    : pattern_(pattern),
      graph_(graph),
      lines_(order.lines),
      slots_(pattern.has_probes() ? 1 : 0),
      slot_(graph.size(), none),
      left_(graph.size()),
      gone_(graph.size()),
      gone_rows_(pattern.size()),
      gone_columns_(pattern.size()) {
  for (std::uint32_t line = 0; line < graph.size(); ++line) left_[line] = static_cast<std::uint32_t>(graph.degree(line));
}

void SweepWalk::retire(std::uint32_t line) {
  gone_[line] = true;
  if (graph_.is_row(line))
    gone_rows_.mark(line);
  else
    gone_columns_.mark(line - pattern_.size());
  if (slot_[line] == none) return;
  free_.push_back(slot_[line]);
  active_.erase(std::find(active_.begin(), active_.end(), line));
}

bool SweepWalk::next(SweepStep& step) {
  while (at_ < lines_.size() && gone_[lines_[at_]]) ++at_;
  if (at_ == lines_.size()) return false;
  const std::uint32_t line = lines_[at_++];
  step.line_slot = slot_[line];
  step.choices.clear();
  step.lower.clear();
  step.dying.clear();
  retire(line);
  if (slot_[line] != none) free_.pop_back();  // its bit is still read at this step: not for a line that becomes active now
  for (const auto& link : graph_[line]) {
    if (gone_[link.line] || slot_[link.line] != none) continue;
    if (free_.empty()) free_.push_back(static_cast<std::uint32_t>(slots_++));
    slot_[link.line] = free_.back();
    free_.pop_back();
    active_.push_back(link.line);
  }
  if (slot_[line] != none) free_.push_back(slot_[line]);

  const auto n = static_cast<std::uint32_t>(pattern_.size());
  for (const auto& link : graph_[line]) {
    if (gone_[link.line]) continue;
    // Laplace: the sign is the parity of the remaining rows above plus the remaining columns to the left.
    const Entry entry = pattern_.entries()[link.entry];
    const bool gone_odd = gone_rows_.odd_below(entry.row) != gone_columns_.odd_below(entry.column);
    for (const std::uint32_t other : active_)
      if (other < n ? other < entry.row : other - n < entry.column) step.lower.push_back(slot_[other]);
    const bool odd = (((entry.row + entry.column) & 1U) != 0) != gone_odd;
    step.choices.push_back({link.entry, slot_[link.line], odd, static_cast<std::uint32_t>(step.lower.size())});
  }
  for (const auto& link : graph_[line]) {
    if (gone_[link.line] || --left_[link.line] > 0) continue;
    step.dying.push_back(slot_[link.line]);
    retire(link.line);
  }
  return true;
}

Predictor::Predictor(const Pattern& pattern, const LineGraph& graph)
    : graph_(graph), probes_(pattern.has_probes()), log_factorial_(graph.size() + 1), left_(graph.size()), state_(graph.size()) {
  for (std::size_t i = 1; i < log_factorial_.size(); ++i)
    log_factorial_[i] = log_factorial_[i - 1] + std::log(static_cast<double>(i));
}

// A state has taken as many rows as columns, and all that are gone. With r active rows, c active columns and d more rows than
// columns gone, it is one of C(r + c, r + d) choices. Nor can a level have more states than its neighbours lead to.
void Predictor::levels(std::span<const std::uint32_t> lines) {
  constexpr double impossible = -std::numeric_limits<double>::infinity();
  enum : std::uint8_t { untouched, active, gone };
  for (std::uint32_t line = 0; line < graph_.size(); ++line) left_[line] = static_cast<std::uint32_t>(graph_.degree(line));
  std::fill(state_.begin(), state_.end(), std::uint8_t{untouched});
  level_.assign(1, 0.0);
  choices_.clear();
  width_ = slots_ = 0;
  std::int64_t active_count = 0, active_rows = 0, rows_ahead = 0;
  const auto count = [&](std::uint32_t line, std::int64_t by) {
    active_count += by;
    if (graph_.is_row(line)) active_rows += by;
  };
  for (const std::uint32_t line : lines) {
    if (state_[line] == gone) continue;
    std::uint32_t choices = 0;
    std::int64_t dying = 0;
    const bool was_active = state_[line] == active;
    if (was_active) count(line, -1);
    state_[line] = gone;
    rows_ahead += graph_.is_row(line) ? 1 : -1;
    for (const auto& link : graph_[line]) {
      if (state_[link.line] == gone) continue;
      ++choices;
      if (state_[link.line] == untouched) {
        state_[link.line] = active;
        count(link.line, 1);
      }
      if (--left_[link.line] > 0) continue;
      ++dying;
      state_[link.line] = gone;
      count(link.line, -1);
      rows_ahead += graph_.is_row(link.line) ? 1 : -1;
    }
    slots_ = std::max(slots_, static_cast<std::size_t>(active_count + dying) + (probes_ ? 2 : 1));
    width_ = std::max(width_, static_cast<std::size_t>(active_count));
    const std::int64_t taken = active_rows + rows_ahead;
    const double subsets = taken < 0 || taken > active_count
                               ? impossible
                               : log_binomial(static_cast<std::size_t>(active_count), static_cast<std::size_t>(taken));
    const double reached = level_.back() + log_factorial_[choices] - (choices > 1 ? log_factorial_[choices - 1] : 0);
    level_.push_back(std::min(reached, subsets + (probes_ ? std::log(2.0) : 0.0)));
    choices_.push_back(choices + (was_active ? 1 : 0));
  }
  for (std::size_t k = choices_.size(); k-- > 0;)
    level_[k] = std::min(level_[k], level_[k + 1] + std::log(static_cast<double>(choices_[k])));
}

double Predictor::log_states(std::span<const std::uint32_t> lines) {
  levels(lines);
  double sum = 0;
  for (const double level : level_) sum += std::exp(level);
  return sum > 0 ? std::log(sum) : std::numeric_limits<double>::infinity();
}

Prediction Predictor::operator()(std::span<const std::uint32_t> lines) {
  levels(lines);
  Prediction prediction;
  prediction.width = width_;
  for (std::size_t k = 0; k < level_.size(); ++k) {
    const double states = std::exp(level_[k]);
    prediction.states += states;
    if (k < choices_.size()) prediction.edges += states * choices_[k];
  }
  prediction.bytes = 12 * prediction.edges + 8 * prediction.states;
  return prediction;
}

void check_lines(const Pattern& pattern, std::span<const std::uint32_t> lines) {
  std::vector<bool> swept(2 * pattern.size());
  for (const std::uint32_t line : lines) {
    if (line >= swept.size() || swept[line]) throw std::invalid_argument("Order: a line is not of the pattern, or comes twice");
    swept[line] = true;
  }
  for (const Entry& entry : pattern.entries())
    if (!swept[entry.row] && !swept[pattern.size() + entry.column])
      throw std::invalid_argument("Order: an entry is on none of the lines");
}

bool odd_permutation(std::span<const std::uint32_t> permutation) {
  std::vector<bool> seen(permutation.size());
  bool odd = false;
  for (std::size_t i = 0; i < permutation.size(); ++i) {
    for (std::size_t k = i, length = 0; !seen[k]; k = permutation[k], ++length) {
      seen[k] = true;
      if (length > 0) odd = !odd;
    }
  }
  return odd;
}

}  // namespace sfg::ddd
