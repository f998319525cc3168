#include "sfg/multibody/aggregate.hpp"

#include <algorithm>
#include <stdexcept>

#include "sfg/multibody/elimination.hpp"
#include "sfg/remedy.hpp"

namespace sfg {

std::size_t Aggregate::add(std::string name, std::shared_ptr<const Part> part) {
  if (!part) throw std::invalid_argument("Aggregate::add: no part");
  const Part::Size size = part->size();
  trees_.push_back(parts_.size());
  parts_.push_back({std::move(name), std::move(part), total_.states, total_.speeds, total_.inputs});
  total_.states += size.states;
  total_.speeds += size.speeds;
  total_.inputs += size.inputs;
  total_.places += size.places;
  return parts_.size() - 1;
}

std::size_t Aggregate::tree_of(std::size_t part) const {
  while (trees_[part] != part) part = trees_[part] = trees_[trees_[part]];
  return part;
}

std::size_t Aggregate::connect(std::string name, End first, End second, const Freedom& free, SourceSpan where) {
  for (const End& end : {first, second})
    if (end.part >= parts_.size() || end.place >= parts_[end.part].part->size().places)
      throw std::out_of_range("Aggregate::connect: no such part or place");
  if (free[3] + free[4] + free[5] == 2)
    throw std::invalid_argument("Aggregate::connect: two free rotations are two connections with a part between");
  const std::size_t one = tree_of(first.part), other = tree_of(second.part);
  if (one == other)
    throw Error(where,
                "connection '" + name + "' of '" + parts_[first.part].name + "' and '" + parts_[second.part].name +
                    "' closes a loop: they are connected already",
                {"an aggregate is a forest; a loop needs a constraint (cut = true)"});
  trees_[other] = one;
  connections_.push_back({std::move(name), first, second, free, std::move(where)});
  return connections_.size() - 1;
}

std::size_t Aggregate::unknowns() const noexcept {
  std::size_t count = total_.speeds;
  for (const Connection& connection : connections_)
    count += std::size_t(std::count(connection.free.begin(), connection.free.end(), false));
  return count;
}

std::span<const double> Aggregate::state_of(std::size_t part, std::span<const double> state) const {
  return state.subspan(parts_.at(part).state, parts_[part].part->size().states);
}

std::span<double> Aggregate::state_of(std::size_t part, std::span<double> state) const {
  return state.subspan(parts_.at(part).state, parts_[part].part->size().states);
}

MovingPlace Aggregate::motion_of(const End& end, std::span<const double> state) const {
  MovingPlace motion;
  part(end.part).place(end.place, state_of(end.part, state), motion, {}, {});
  return motion;
}

std::vector<Aggregate::Visit> Aggregate::outwards() const {
  std::vector<std::vector<std::size_t>> leaving(parts_.size());
  for (std::size_t k = 0; k < connections_.size(); ++k) {
    leaving[connections_[k].first.part].push_back(k);
    leaving[connections_[k].second.part].push_back(k);
  }
  std::vector<std::size_t> roots(parts_.size());
  for (std::size_t part = 0; part < roots.size(); ++part) roots[part] = part;
  std::stable_partition(roots.begin(), roots.end(), [&](std::size_t part) { return parts_[part].part->size().speeds == 0; });
  std::vector<Visit> order;
  std::vector<bool> seen(parts_.size(), false);
  for (const std::size_t root : roots) {
    if (seen[root]) continue;
    seen[root] = true;
    order.push_back({root});
    for (std::size_t next = order.size() - 1; next < order.size(); ++next) {
      const std::size_t part = order[next].part;
      for (const std::size_t k : leaving[part]) {
        const std::size_t other = connections_[k].first.part == part ? connections_[k].second.part : connections_[k].first.part;
        if (seen[other]) continue;
        seen[other] = true;
        order.push_back({other, k, part});
      }
    }
  }
  return order;
}

Aggregate::Motion Aggregate::motion(double t, std::span<const double> state, const Loads& loads) const {
  Elimination elimination(*this);
  elimination.evaluate(t, state, loads);
  elimination.solve();
  return elimination.motion();
}

std::vector<double> Aggregate::rate(double t, std::span<const double> state, const Loads& loads) const {
  const std::vector<double> accelerations = motion(t, state, loads).accelerations;
  std::vector<double> result(total_.states);
  for (const Member& member : parts_) {
    const Part::Size size = member.part->size();
    member.part->rate(t, state.subspan(member.state, size.states), std::span(accelerations).subspan(member.speed, size.speeds),
                      std::span(result).subspan(member.state, size.states));
  }
  return result;
}

double Aggregate::kinetic_energy(double t, std::span<const double> state) const {
  double sum = 0;
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    const Part& what = *parts_[part].part;
    const std::size_t n = what.size().speeds;
    const std::vector<double> inputs(what.size().inputs, 0.0);
    std::vector<double> M(n * n), force(n), v(n);
    what.equations(t, state_of(part, state), inputs, {}, M, force);
    what.speeds(state_of(part, state), v);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) sum += v[i] * M[i * n + j] * v[j] / 2;
  }
  return sum;
}

double Aggregate::potential_energy(std::span<const double> state) const {
  double sum = 0;
  for (std::size_t part = 0; part < parts_.size(); ++part) sum += parts_[part].part->potential(state_of(part, state));
  return sum;
}

std::array<double, 4> Aggregate::mass(std::span<const double> state) const {
  std::array<double, 4> sum{};
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    const auto own = parts_[part].part->mass(state_of(part, state));
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += own[k];
  }
  return sum;
}

std::array<double, 6> Aggregate::momentum(std::span<const double> state) const {
  std::array<double, 6> sum{};
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    const auto own = parts_[part].part->momentum(state_of(part, state));
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += own[k];
  }
  return sum;
}

}  // namespace sfg
