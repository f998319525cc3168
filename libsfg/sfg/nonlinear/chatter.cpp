#include "sfg/nonlinear/chatter.hpp"

#include <algorithm>
#include <cmath>

#include "sfg/error.hpp"
#include "sfg/expr/print.hpp"

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

}  // namespace sfg
