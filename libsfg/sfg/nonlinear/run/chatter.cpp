#include "sfg/nonlinear/run/chatter.hpp"

#include <algorithm>
#include <cmath>

#include "sfg/error.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/nonlinear/run/packed_vectors.hpp"

namespace sfg {

Chatter::Chatter(SlidingModes& modes, double until) : modes_(modes), until_(until) {}

void Chatter::note(double t, std::span<const Eigen::Index> changed) {
  constexpr double negligible = 1e-8;
  constexpr int most_at_once = 50;
  constexpr std::size_t most = 1'000'000;
  for (const Eigen::Index k : changed) {
    Jump& jump = jumps_[k];
    const double since = jump.last < 0 ? until_ : t - jump.last;
    jump.last = t;
    ++jump.met;
    jump.at_once = since <= 1e-11 * until_ ? jump.at_once + 1 : 0;
    if (jump.at_once > most_at_once || jump.met > most)
      throw NoAnswer("the laws jump again and again up to t = " + print(t) +
                         (jump.met > most ? ": more than a million times" : ": infinitely often in a finite time (Zeno)"),
                     "ask for times before that, or let the law be continuous there");
    if (!modes_.of_second_order(k) || modes_.slides(k)) continue;
    const double amplitude = std::abs(modes_.rate(k)) * since;
    jump.reach = std::max(jump.reach, jump.met > 1 ? amplitude : 0);
    if (jump.met < 4 || amplitude > negligible * jump.reach) continue;
    modes_.hold(k);
    notes_.push_back("a law jumps ever faster: from t = " + print(t) +
                     " on it is followed along its jump, about which it oscillates by less than 1e-8 of what it has reached");
  }
}

void Chatter::pack(Packer& packer) const {
  packer.add(static_cast<std::uint64_t>(jumps_.size()));
  for (const auto& [k, jump] : jumps_) {
    packer.add(static_cast<std::int64_t>(k));
    packer.add(jump.last);
    packer.add(jump.reach);
    packer.add(jump.at_once);
    packer.add(static_cast<std::uint64_t>(jump.met));
  }
  pack_each(packer, notes_, [&](const std::string& note) { packer.add(std::string_view(note)); });
}

void Chatter::unpack(Unpacker& from) {
  jumps_.clear();
  for (auto left = from.take<std::uint64_t>(); left > 0; --left) {
    Jump& jump = jumps_[static_cast<Eigen::Index>(from.take<std::int64_t>())];
    jump.last = from.take<double>();
    jump.reach = from.take<double>();
    jump.at_once = from.take<int>();
    jump.met = from.take<std::uint64_t>();
  }
  notes_ = unpacked_each<std::string>(from, [&] { return from.text(); });
}

}  // namespace sfg
