#include "sfg/nonlinear/run/taylor_expansion.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace sfg {

namespace {

using Eigen::Index;
using numeric::TaylorTape;

Index row_of_state(std::size_t i) { return static_cast<Index>(i); }

/// Signals of laws: any; the time behind them is of degree 1.
std::vector<std::size_t> degrees_of_laws(std::size_t arguments) {
  std::vector<std::size_t> degrees(arguments, TaylorTape::no_polynomial);
  degrees.push_back(1);
  return degrees;
}

}  // namespace

CompressedRows::CompressedRows(Index first, Index count, std::initializer_list<const Dynamics::Matrix*> parts) {
  for (Index row = first; row < first + count; ++row) {
    Index before = 0;
    for (const Dynamics::Matrix* part : parts) {
      for (Dynamics::Matrix::InnerIterator entry(*part, row); entry; ++entry) {
        if (entry.value() == 0) continue;
        column_.push_back(static_cast<std::uint32_t>(before + entry.col()));
        value_.push_back(entry.value());
      }
      before += part->cols();
    }
    begin_.push_back(static_cast<std::uint32_t>(column_.size()));
  }
}

bool TaylorExpansion::applies(CoupledSystem& system) {
  const Dynamics& linear = system.linear();
  if (system.size() == 0 || system.modes().size() > 0 || system.laws().switches() > 0 || !system.laws().memories().empty() ||
      !linear.delays.empty() || linear.D.size() > 1 || !through(system.form(), linear).isZero(0))
    return false;
  return TaylorTape::expands(system.laws().tape()) && std::ranges::all_of(system.drives().signals(), [](const auto& signal) {
           return signal.points || TaylorTape::expands(signal.rates.front());
         });
}

TaylorExpansion::TaylorExpansion(CoupledSystem& system, const Accuracy& accuracy)
    : accuracy_(accuracy),
      states_(static_cast<std::size_t>(system.size())),
      drives_(system.form().sources.size()),
      laws_(system.form().laws.size()),
      rate_rows_(0, system.size(), {&system.linear().A, &system.linear().B}),
      argument_rows_(0, row_of_state(system.form().arguments.size()), {&system.linear().C, &system.linear().D[0]}),
      output_rows_(row_of_state(system.form().arguments.size()),
                   system.linear().C.rows() - row_of_state(system.form().arguments.size()),
                   {&system.linear().C, &system.linear().D[0]}),
      law_series_(system.laws().tape(), accuracy.orders, degrees_of_laws(system.form().arguments.size())) {
  constexpr std::array<std::size_t, 1> time{1};
  for (const Drives::Signal& signal : system.drives().signals()) {
    signals_.push_back({signal.place, &signal, drive_series_.size()});
    if (!signal.points) drive_series_.emplace_back(signal.rates.front(), accuracy.orders, time);
  }
  find_reach(system.linear().B);
  term_.resize(states_ + drives_ + laws_);
  next_.resize(term_.size());
  slope_.resize(states_);
  output_terms_.resize(outputs() * (accuracy.orders + 1));
}

/// Into which rows what stands in a column comes within a term: a range, so that what has not been reached is not calculated.
void TaylorExpansion::find_reach(const Dynamics::Matrix& B) {
  lowest_.resize(states_);
  for (std::size_t i = 0; i < states_; ++i) lowest_[i] = i;
  highest_ = lowest_;
  sources_.assign(static_cast<std::size_t>(B.cols()), {states_, 0});
  for (std::size_t row = 0; row < states_; ++row)
    for (const std::uint32_t column : rate_rows_.columns(row)) {
      std::size_t& low = column < states_ ? lowest_[column] : sources_[column - states_].low;
      std::size_t& high = column < states_ ? highest_[column] : sources_[column - states_].high;
      low = std::min(low, row);
      high = std::max(high, column < states_ ? row : row + 1);
    }
  for (std::size_t i = 1; i < states_; ++i) highest_[i] = std::max(highest_[i], highest_[i - 1]);
  for (std::size_t i = states_; i-- > 1;) lowest_[i - 1] = std::min(lowest_[i - 1], lowest_[i]);
}

void TaylorExpansion::start(const Eigen::VectorXd& x, std::vector<double> peaks) {
  x_.assign(x.begin(), x.end());
  active_ = {0, states_};
  peak_ = std::move(peaks);
  if (peak_.empty()) peak_.assign(states_, 0);
  note_peaks();
}

void TaylorExpansion::note_peaks() {
  per_allowed_.resize(states_, 1 / accuracy_.atol);
  for (std::size_t i = active_.first; i < active_.last; ++i) {
    peak_[i] = std::max(peak_[i], std::abs(x_[i]));
    per_allowed_[i] = 1 / (accuracy_.atol + accuracy_.rtol * peak_[i]);
  }
  constexpr double part = 1e-12;  // of what an error may be: so much less is nothing
  const auto nothing = [&](std::size_t i) { return std::abs(x_[i]) * per_allowed_[i] < part; };
  while (active_.first < active_.last && nothing(active_.last - 1)) x_[--active_.last] = 0;
  while (active_.first < active_.last && nothing(active_.first)) x_[active_.first++] = 0;
}

/// What steps and the like are from here on is as they are in the middle.
void TaylorExpansion::set_sides() {
  const double middle = t_ + step_ / 2;
  for (TaylorTape& series : drive_series_) series.sides(std::span(&middle, 1));
}

/// Drives, arguments and outputs of the laws, by the terms of the states.
void TaylorExpansion::signals(std::size_t order, double t) {
  const double time = order == 0 ? t : order == 1 ? step_ : 0;
  double* sources = term_.data() + states_;
  std::fill_n(sources, drives_ + laws_, 0);
  for (const Signal& each : signals_) {
    if (each.signal->points) {
      const double middle = t_ + step_ / 2, slope = each.signal->value(middle, 1);
      sources[each.place] += order == 0 ? each.signal->value(middle, 0) + slope * (t - middle) : slope * time;
      continue;
    }
    TaylorTape& series = drive_series_[each.series];
    series.input(0, order) = time;
    series.run(order);
    sources[each.place] += series.output(0, order);
  }
  const std::size_t arguments = argument_rows_.rows();
  for (std::size_t i = 0; i < arguments; ++i) law_series_.input(i, order) = argument_rows_.product(i, term_.data());
  law_series_.input(arguments, order) = time;
  law_series_.run(order);
  for (std::size_t i = 0; i < laws_; ++i) sources[drives_ + i] = law_series_.output(i, order);
}

TaylorExpansion::Range TaylorExpansion::reached() const {
  Range range = range_;
  if (range_.first < range_.last)
    range = {std::min(range.first, lowest_[range_.first]), std::max(range.last, highest_[range_.last - 1] + 1)};
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    if (term_[states_ + i] == 0 || sources_[i].low >= sources_[i].high) continue;
    range = range.first < range.last ? Range{std::min(range.first, sources_[i].low), std::max(range.last, sources_[i].high)}
                                     : Range{sources_[i].low, sources_[i].high};
  }
  return range;
}

/// The terms of that order by those of the one before, and what they do to the end of the step.
void TaylorExpansion::next_term(std::size_t order) {
  range_ = reached();
  const double of_slope = static_cast<double>(order), factor = step_ / of_slope;
  double largest = 0;
  for (std::size_t i = range_.first; i < range_.last; ++i) {
    const double term = factor * rate_rows_.product(i, term_.data());
    next_[i] = term;
    end_[i] += term;
    slope_[i] += of_slope * term;
    largest = std::max(largest, std::abs(term) * per_allowed_[i]);
  }
  size_of_term_ = largest;
  largest_term_ = std::max(largest_term_, largest);
  term_.swap(next_);
}

std::optional<std::size_t> TaylorExpansion::expand(double t, double step) {
  constexpr std::size_t least = 10;  // the first terms of a power of the time may all vanish
  constexpr double small = 0.1;
  t_ = t;
  step_ = step;
  set_sides();
  std::ranges::copy(x_, term_.begin());
  std::ranges::fill(next_, 0);
  std::ranges::fill(slope_, 0);
  end_ = x_;
  range_ = active_;
  largest_term_ = 0;
  double before = HUGE_VAL;
  for (std::size_t order = 0;; ++order) {
    signals(order, t);
    for (std::size_t i = 0; i < outputs(); ++i)
      output_terms_[i * (accuracy_.orders + 1) + order] = output_rows_.product(i, term_.data());
    count_ = order;
    if (order >= least && size_of_term_ <= small && before <= 1) break;
    if (order == accuracy_.orders) return {};
    before = order == 0 ? HUGE_VAL : size_of_term_;
    next_term(order + 1);
  }
  const bool finite = std::all_of(end_.begin() + row_of_state(range_.first), end_.begin() + row_of_state(range_.last),
                                  [](double value) { return std::isfinite(value); });
  return finite ? std::optional(count_) : std::nullopt;
}

bool TaylorExpansion::holds_at_the_end() {
  std::ranges::copy(end_, term_.begin());
  signals(0, t_ + step_);
  range_ = reached();
  double largest = 0;
  for (std::size_t i = range_.first; i < range_.last; ++i) {
    const double off = std::abs(step_ * rate_rows_.product(i, term_.data()) - slope_[i]) * per_allowed_[i];
    if (!(off <= largest)) largest = off;
  }
  // Terms that are left out have slopes of so many times themselves; sums of terms are rounded.
  constexpr double part = 100, rounding = 1e-14;
  return largest <= static_cast<double>(count_) * (part + rounding * largest_term_);
}

double TaylorExpansion::output(std::size_t i, double theta) const {
  const double* terms = &output_terms_[i * (accuracy_.orders + 1)];
  double value = 0;
  for (std::size_t k = count_ + 1; k-- > 0;) value = value * theta + terms[k];
  return value;
}

void TaylorExpansion::accept() {
  x_.swap(end_);
  active_ = range_;
  note_peaks();
}

}  // namespace sfg
