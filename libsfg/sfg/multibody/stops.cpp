#include "sfg/multibody/stops.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace sfg {

namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double touching = 1e-8;  ///< of a distance
constexpr double resting = 1e-12;  ///< of a speed

}  // namespace

Stops::Stops(MovingMechanism& mechanism, std::vector<double> restitution, double shortest)
    : mechanism_(mechanism), restitution_(std::move(restitution)), shortest_(shortest) {}

bool Stops::holds(std::size_t stop) const {
  return mechanism_.holds[static_cast<std::size_t>(mechanism_.motion().constraints()) + stop];
}
void Stops::hold(std::size_t stop, bool holds) {
  mechanism_.holds[static_cast<std::size_t>(mechanism_.motion().constraints()) + stop] = holds;
}

void Stops::switching(double t, const MovingMechanism::State& state, double* g) const {
  if (restitution_.empty()) return;
  const Constrained solved = mechanism_.solved(t, state);
  const auto stops = mechanism_.stops(t, state, {});
  for (std::size_t k = 0; k < stops.size(); ++k)
    g[k] = holds(k) ? solved.lambda[mechanism_.motion().constraints() + static_cast<Index>(k)] : stops[k].distance;
}

bool Stops::passed(double t, const MovingMechanism::State& state) const {
  const auto stops = mechanism_.stops(t, state, {});
  for (std::size_t k = 0; k < stops.size(); ++k)
    if (!holds(k) && stops[k].distance > touching && stops[k].rate > 0) return true;
  return false;
}

StopChanges Stops::meet(double t, MovingMechanism::State& state) {
  StopChanges changes;
  if (restitution_.empty()) return changes;
  let_go(t, state, changes);
  rebound(t, state, changes);
  hold_pressed(t, state, changes);
  let_go(t, state, changes);
  return changes;
}

/// Impulses push: a stop whose impulse would pull takes no part.
void Stops::rebound(double t, MovingMechanism::State& state, StopChanges& changes) {
  const auto stops = mechanism_.stops(t, state, {});
  std::vector<std::optional<double>> after(stops.size());
  bool any = false;
  for (std::size_t k = 0; k < stops.size(); ++k) {
    if (holds(k)) after[k] = 0;
    if (holds(k) || stops[k].distance < -touching || stops[k].rate <= resting) continue;
    after[k] = -restitution_[k] * stops[k].rate;
    changes.hits.push_back({k, stops[k].rate});
    any = true;
  }
  if (!any) return;
  for (std::size_t tries = 0; tries <= stops.size(); ++tries) {
    const Constrained impact = mechanism_.impact(t, state, after);
    const VectorXd impulses = impact.lambda.tail(static_cast<Index>(stops.size()));
    Index worst = 0;
    if (impulses.maxCoeff(&worst) <= 1e-12 * (1 + impulses.cwiseAbs().maxCoeff())) {
      state.v += impact.a;
      return;
    }
    after[static_cast<std::size_t>(worst)].reset();
    if (holds(static_cast<std::size_t>(worst))) {
      hold(static_cast<std::size_t>(worst), false);
      changes.opened.push_back(static_cast<std::size_t>(worst));
    }
  }
}

void Stops::hold_pressed(double t, MovingMechanism::State& state, StopChanges& changes) {
  const Constrained free = mechanism_.solved(t, state);
  const auto stops = mechanism_.stops(t, state, free.a);
  bool any = false;
  for (std::size_t k = 0; k < stops.size(); ++k) {
    const auto& stop = stops[k];
    const bool pressed = stop.acceleration > 0 && std::abs(stop.rate) * 2 <= shortest_ * stop.acceleration;
    if (holds(k) || stop.distance < -touching || !pressed) continue;
    hold(k, true);
    changes.closed.push_back(k);
    any = true;
  }
  if (any) mechanism_.correct(t, state);
}

/// One by one: without the one that pulls most the others may push again.
void Stops::let_go(double t, const MovingMechanism::State& state, StopChanges& changes) {
  for (std::size_t tries = 0; tries < restitution_.size(); ++tries) {
    const Constrained solved = mechanism_.solved(t, state);
    const VectorXd forces = solved.lambda.tail(static_cast<Index>(restitution_.size()));
    Index worst = 0;
    if (!(forces.maxCoeff(&worst) >= -1e-14 * (1 + forces.cwiseAbs().maxCoeff()))) return;
    std::optional<std::size_t> pulls;
    for (std::size_t k = 0; k < restitution_.size(); ++k)
      if (holds(k) && forces[static_cast<Index>(k)] >= -1e-12 * (1 + forces.cwiseAbs().maxCoeff()) &&
          (!pulls || forces[static_cast<Index>(k)] > forces[static_cast<Index>(*pulls)]))
        pulls = k;
    if (!pulls) return;
    hold(*pulls, false);
    std::erase(changes.closed, *pulls);
    changes.opened.push_back(*pulls);
  }
}

}  // namespace sfg
