#include "sfg/nonlinear/run/past.hpp"

#include <algorithm>

#include "sfg/nonlinear/run/packed_vectors.hpp"

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
  const double at = (std::min(t, step.to) - step.from) / (step.to - step.from);  // beyond what is known: its end
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

void Past::pack(Packer& packer) const {
  packer.add(static_cast<std::uint64_t>(steps_.size()));
  for (const Step& step : steps_) {
    packer.add(step.from);
    packer.add(step.to);
    pack_each(packer, step.values, [&](const auto& values) { packer.add(values); });
  }
  packer.add(times_);
  pack_each(packer, collected_, [&](const auto& values) { packer.add(values); });
}

void Past::unpack(Unpacker& from) {
  steps_.clear();
  for (auto left = from.take<std::uint64_t>(); left > 0; --left) {
    Step step{from.take<double>(), from.take<double>(), {}};
    step.values = unpacked_each<std::array<double, 8>>(from, [&] { return from.array<double, 8>(); });
    steps_.push_back(std::move(step));
  }
  times_ = from.list<double>();
  collected_ = unpacked_each<std::vector<double>>(from, [&] { return from.list<double>(); });
}

}  // namespace sfg
