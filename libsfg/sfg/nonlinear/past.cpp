#include "sfg/nonlinear/past.hpp"

#include <algorithm>

namespace sfg {

void Past::add(double t, const std::vector<double>& values) {
  times_.push_back(t);
  collected_.push_back(values);
  if (times_.size() < nodes.size()) return;
  Step step{times_.front(), times_.back(), std::vector<std::array<double, 8>>(values.size())};
  for (std::size_t signal = 0; signal < values.size(); ++signal)
    for (std::size_t i = 0; i < nodes.size(); ++i) step.values[signal][i] = collected_[i][signal];
  if (step.to > step.from) steps_.push_back(std::move(step));
  times_.clear();
  collected_.clear();
}

double Past::value(std::size_t signal, double t) const {
  if (steps_.empty() || t < steps_.front().from) return 0;
  const auto after =
      std::upper_bound(steps_.begin(), steps_.end(), t, [](double time, const Step& step) { return time < step.to; });
  const Step& step = after == steps_.end() ? steps_.back() : *after;
  // Barycentric interpolation (Berrut and Trefethen 2004); the weights of Chebyshev's extrema alternate, halved at the ends.
  const double at = (t - step.from) / (step.to - step.from);
  double above = 0, below = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const double distance = at - nodes[i];
    if (distance == 0) return step.values[signal][i];
    const double weight = (i % 2 == 0 ? 1.0 : -1.0) * (i == 0 || i + 1 == nodes.size() ? 0.5 : 1.0) / distance;
    above += weight * step.values[signal][i];
    below += weight;
  }
  return above / below;
}

}  // namespace sfg
