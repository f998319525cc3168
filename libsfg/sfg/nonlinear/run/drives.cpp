#include "sfg/nonlinear/run/drives.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "sfg/error.hpp"
#include "sfg/expr/compile.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/response/switching_times.hpp"

namespace sfg {

namespace {

/// Value or slope of a signal that is straight between its points, within a piece around t.
double value_at(const SampledSignal& signal, double t, std::size_t order) {
  const auto after = std::upper_bound(signal.time.begin(), signal.time.end(), t);
  if (after == signal.time.begin() || order > 1) return 0;
  const auto i = static_cast<std::size_t>(after - signal.time.begin());
  if (i == signal.time.size()) return order == 0 ? signal.value.back() : 0;
  const double slope = (signal.value[i] - signal.value[i - 1]) / (signal.time[i] - signal.time[i - 1]);
  return order == 0 ? signal.value[i - 1] + slope * (t - signal.time[i - 1]) : slope;
}

}  // namespace

Drives::Drives(const SimulationQuestion& question, const Operator& op, std::size_t orders) : time_(question.time) {
  std::map<NodeId, std::size_t> places;
  for (const Drive& drive : question.drives) {
    Signal signal{places.emplace(drive.node, places.size()).first->second, {}, {}, {}};
    if (const auto* points = std::get_if<SampledSignal>(&drive.signal)) {
      signal.points = *points;
    } else {
      signal.expression = std::get<GiNaC::ex>(drive.signal);
      GiNaC::ex rate = signal.expression;
      for (std::size_t order = 0; order <= (op.discrete() ? 0 : orders); ++order) {
        signal.rates.push_back(compile(std::span(&rate, 1), std::span(&time_, 1)));
        rate = rate.diff(GiNaC::ex_to<GiNaC::symbol>(time_));
      }
    }
    signals_.push_back(std::move(signal));
  }
  places_ = places.size();
}

std::vector<double> Drives::corners(double until, const Budget& budget) const {
  std::vector<double> found;
  for (const Signal& signal : signals_) {
    const std::vector<double> own =
        signal.points ? signal.points->time : switching_times(signal.expression, time_, until, budget).times;
    for (const double t : own)
      if (t > 0 && t < until) found.push_back(t);
  }
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

void Drives::piece(double from, double to) {
  // A step at the end belongs to what follows, one at the beginning has been taken: sign(sin(t)) is 1 from 0 on, not 0 there.
  begin_ = from_ = from;
  to_ = to;
  if (!(to > from)) return;
  from_ += std::max(4e-16 * std::abs(from), 1e-100);
  to_ = std::max(from_, to - std::max(4e-16 * to, std::min(4e-16, 1e-9 * (to - from))));
}

double Drives::within(double t) const { return std::clamp(t, from_, to_); }

double Drives::Signal::value(double t, std::size_t order) const {
  return points ? value_at(*points, t, order) : rates[order].values(std::span<const double>(&t, 1)).front();
}

void Drives::values(double t, std::size_t order, Eigen::VectorXd& into) const {
  const double at = within(t);
  into.head(static_cast<Eigen::Index>(places_)).setZero();
  for (const Signal& signal : signals_) {
    double value = signal.value(at, order);
    // What is infinite at the beginning is not to be taken for the large number that it is a moment later.
    if (at == from_)
      if (const double first = signal.value(begin_, order); !std::isfinite(first)) value = first;
    if (order == 0 && !std::isfinite(value))
      throw NoAnswer("the input has no finite real value at t = " + print(at), "state an input that is finite");
    into[static_cast<Eigen::Index>(signal.place)] += value;
  }
}

}  // namespace sfg
