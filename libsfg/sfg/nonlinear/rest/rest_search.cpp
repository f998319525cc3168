// Idea: branch and prune. A box is emptied by bounds of the equations, proven to hold one state, recognised as straight and then
// solved as a polytope, or cut in two.
#include "sfg/nonlinear/rest/rest_search.hpp"
#include "sfg/numeric/dense.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <utility>

namespace sfg {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using ring::Bounds;
using Defined = Enclosure::Defined;

class Search {
 public:
  Search(const RestSystem& system, const CompiledLaws& compiled, const Budget& budget)
      : system_(system), compiled_(compiled), budget_(budget) {}

  RestFound operator()(RestBox box, std::size_t most_boxes) {
    open_.push_back(box);
    for (; !open_.empty(); ++found_.boxes) {
      budget_.check("the search for states of rest");
      if (found_.boxes > most_boxes) {
        found_.whole = false;
        search_from_many_starts(box);
        break;
      }
      RestBox next = std::move(open_.back());
      open_.pop_back();
      examine(std::move(next));
    }
    return std::move(found_);
  }

 private:
  enum class Verdict { none, one, unknown };

  void examine(RestBox box) {
    for (;;) {
      const double before = size(box);
      switch (contract(box)) {
        case Verdict::none: return;
        case Verdict::one: return add(std::move(box));
        case Verdict::unknown: break;
      }
      if (!(size(box) <= 0.7 * before) || before == 0) break;
    }
    if (is_straight(box)) return;
    if (is_point(box)) return is_proven_near_by(box) ? void() : undecided(std::move(box));
    auto [low, high] = halves(box);
    open_.push_back(std::move(high));
    open_.push_back(std::move(low));
  }

  /// Adds the states of a box where the laws are straight; false where they are not.
  bool is_straight(RestBox box) {
    give_inside(box);
    RestPieces straight = rest_pieces(system_, compiled_, box, system_.at(box));
    if (straight.piece) found_.pieces.push_back(std::move(*straight.piece));
    return straight.straight;
  }

  /// Wide intervals are cut by their order of magnitude, others in the middle; never at 0, where solutions lie.
  static double cut_of(const Bounds& side) {
    if (side.low < 0 && side.high > 0) {
      const double reach = std::max(-side.low, side.high);
      if (reach > 1e-6 && std::min(-side.low, side.high) > 0.01 * reach) return reach * 1e-3 * 0.7654321;
    }
    if (side.low > 0 && side.high > 100 * side.low) return std::sqrt(side.low * side.high);
    if (side.high < 0 && side.low < 100 * side.high) return -std::sqrt(side.low * side.high);
    return side.low + (side.high - side.low) * 0.4876543;
  }

  static double size(const RestBox& box) {
    double sum = 0;
    for (const Bounds& side : box) sum += side.width();
    return sum;
  }
  static std::size_t widest_side(const RestBox& box) {
    const auto relative = [](const Bounds& side) {
      return side.width() / std::max(1e-3, std::min(std::abs(side.low), std::abs(side.high)));
    };
    return static_cast<std::size_t>(std::ranges::max_element(box, {}, relative) - box.begin());
  }

  Verdict contract(RestBox& box) const {
    if (box.empty()) return Verdict::one;  // nothing depends on anything
    const RestSystem::Values values = system_.at(box);
    if (!may_hold(values) || !may_hold_beside_poles(box, values)) return Verdict::none;
    if (!system_.narrow(box, values.laws.values)) return Verdict::none;
    // Where a law has no value somewhere, a mean value says nothing.
    if (values.laws.defined != Defined::everywhere) return Verdict::unknown;
    return krawczyk(box, give_inside(box) ? system_.at(box).jacobian : values.jacobian);
  }

  static bool may_hold(const RestSystem::Values& values) {
    return values.laws.defined != Defined::nowhere &&
           std::ranges::all_of(values.residual, [](const Bounds& residual) { return residual.contains(0); });
  }

  /// On each side of the poles apart a law is large, and of one sign.
  bool may_hold_beside_poles(const RestBox& box, const RestSystem::Values& values) const {
    constexpr std::size_t most = 4;
    if (values.laws.poles == 0 || values.laws.poles > most) return true;
    for (std::size_t choice = 0; choice < (std::size_t{1} << values.laws.poles); ++choice) {
      std::vector<int> sides;
      for (std::size_t k = 0; k < values.laws.poles; ++k) sides.push_back((choice >> k) % 2 == 1 ? 1 : -1);
      if (may_hold(system_.at(box, sides))) return true;
    }
    return false;
  }

  /// Krawczyk's test needs an interior, and a side may be a number at once: a rate is 0. True where a side was widened.
  static bool give_inside(RestBox& box) {
    constexpr double least = 1e-20;
    bool widened = false;
    for (Bounds& side : box) {
      const double at = middle(side), reach = 1e-15 * std::abs(at) + least;
      if (side.width() >= reach) continue;
      side = {at - reach, at + reach};
      widened = true;
    }
    return widened;
  }

  /// K = m − Y G(m) + (1 − Y J)(X − m): solutions in X lie in K; one is in it when K is inside of X.
  Verdict krawczyk(RestBox& box, const std::vector<RestBox>& jacobian) const {
    const auto n = static_cast<Index>(box.size());
    MatrixXd about(n, n);
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j) {
        const Bounds& entry = jacobian[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
        about(i, j) = middle(entry);
        if (!std::isfinite(about(i, j))) return Verdict::unknown;
      }
    const MatrixXd inverse = about.fullPivLu().inverse();
    if (!inverse.allFinite()) return Verdict::unknown;
    RestBox at;
    for (const Bounds& side : box) at.push_back(Bounds::exactly(middle(side)));
    const RestBox residual = system_.residual_at_middle(box);
    RestBox next(box.size());
    bool inside = true;
    for (Index i = 0; i < n; ++i) {
      Bounds sum = at[static_cast<std::size_t>(i)];
      for (Index k = 0; k < n; ++k) sum = sum - Bounds::exactly(inverse(i, k)) * residual[static_cast<std::size_t>(k)];
      for (Index j = 0; j < n; ++j) {
        Bounds entry = Bounds::exactly(i == j ? 1 : 0);
        for (Index k = 0; k < n; ++k)
          entry = entry - Bounds::exactly(inverse(i, k)) * jacobian[static_cast<std::size_t>(k)][static_cast<std::size_t>(j)];
        sum = sum + entry * (box[static_cast<std::size_t>(j)] - at[static_cast<std::size_t>(j)]);
      }
      const Bounds& side = box[static_cast<std::size_t>(i)];
      inside = inside && side.low < sum.low && sum.high < side.high;
      next[static_cast<std::size_t>(i)] = intersection(side, sum);
      if (empty(next[static_cast<std::size_t>(i)])) return Verdict::none;
    }
    box = std::move(next);
    return inside ? Verdict::one : Verdict::unknown;
  }

  /// It stays the only one while the box closes in on it: by contraction, by halves where that is slow, from a point that
  /// Newton's method finds within, or part by part.
  void add(RestBox box) {
    constexpr double slow = 0.9;
    for (int i = 0; i < 2000 && !box.empty(); ++i) {
      const double before = size(box);
      if (contract(box) == Verdict::none) break;
      if (size(box) < slow * before) continue;
      const auto [low, high] = halves(box);
      RestBox first = low, second = high;
      const bool in_low = contract(first) != Verdict::none, in_high = contract(second) != Verdict::none;
      if (in_low && in_high)
        for (std::size_t side = 0; side < box.size(); ++side)
          box[side] = intersection(box[side], hull(first[side], second[side]));
      else if (in_low || in_high)
        box = in_low ? std::move(first) : std::move(second);
      if (!(size(box) < slow * before)) break;  // as narrow as doubles tell
    }
    if (!is_narrow(box)) {
      const std::optional<RestBox> narrow = narrow_part(box);
      if (!narrow) return undecided(std::move(box));
      box = *narrow;
    }
    if (!at_jump(box)) found_.states.push_back(std::move(box));
  }

  static bool is_narrow(const RestBox& box) {
    return std::ranges::all_of(box,
                               [](const Bounds& side) { return side.width() <= 1e-10 * std::max(1.0, std::abs(middle(side))); });
  }

  static std::pair<RestBox, RestBox> halves(const RestBox& box) {
    const std::size_t widest = widest_side(box);
    std::pair<RestBox, RestBox> both{box, box};
    both.first[widest].high = both.second[widest].low = cut_of(box[widest]);
    return both;
  }

  /// Of a box with one state a narrow one with it.
  std::optional<RestBox> narrow_part(const RestBox& box) const {
    std::vector<double> at;
    for (const Bounds& side : box) at.push_back(middle(side));
    if (system_.newton(at))
      if (std::optional<RestBox> near_by = around(at, box); near_by && contract(*near_by) == Verdict::one) return near_by;
    constexpr int most_parts = 20'000;
    std::vector<RestBox> open{box};
    for (int part = 0; part < most_parts && !open.empty(); ++part) {
      RestBox next = std::move(open.back());
      open.pop_back();
      if (contract(next) == Verdict::none) continue;
      if (is_narrow(next)) return next;
      auto [low, high] = halves(next);
      open.push_back(std::move(low));
      open.push_back(std::move(high));
    }
    return {};
  }

  /// A narrow box within another.
  static std::optional<RestBox> around(const std::vector<double>& at, const RestBox& box) {
    RestBox near_by;
    for (std::size_t i = 0; i < at.size(); ++i) {
      const double reach = 1e-9 * std::max(1e-3, std::abs(at[i]));
      if (at[i] < box[i].low || at[i] > box[i].high) return {};
      near_by.push_back({at[i] - reach, at[i] + reach});
    }
    return near_by;
  }

  /// The arguments are proven, but a law that jumps there may take several values: then its states are a piece.
  bool at_jump(RestBox box) {
    give_inside(box);
    const RestSystem::Values values = system_.at(box);
    return std::ranges::find(values.laws.jumps, true) != values.laws.jumps.end() && is_straight(box);
  }

  /// A point of a few last digits leaves Krawczyk's operator no room: a wider box may prove that there is one state.
  bool is_proven_near_by(const RestBox& box) {
    constexpr double room = 1e-11;
    RestBox wide;
    for (const Bounds& side : box) {
      const double by = room * std::max(std::abs(middle(side)), 1e-6);
      wide.push_back({side.low - by, side.high + by});
    }
    const RestSystem::Values values = system_.at(wide);
    if (values.laws.defined != Defined::everywhere || std::ranges::find(values.laws.jumps, true) != values.laws.jumps.end())
      return false;
    if (krawczyk(wide, values.jacobian) != Verdict::one) return false;
    if (std::ranges::none_of(found_.states, [&](const RestBox& state) { return near(state, box); })) found_.states.push_back(box);
    return true;
  }

  void undecided(RestBox box) {
    const auto point = [&](auto&& of) {
      std::vector<double> at;
      for (const Bounds& side : box) at.push_back(of(side));
      return at;
    };
    const double steep = steepest(box);
    const auto holds = [&](const std::vector<double>& at) { return system_.residual(at, steep) < 1e-6; };
    const bool state = holds(point([](const Bounds& side) { return side.contains(0) ? 0 : middle(side); })) ||
                       holds(point([](const Bounds& side) { return side.low; })) ||
                       holds(point([](const Bounds& side) { return side.high; }));
    const auto same = [&](const RestFound::Doubt& other) { return other.holds == state && near(other.box, box); };
    if (std::ranges::none_of(found_.doubts, same)) found_.doubts.push_back({std::move(box), state});
  }

  /// By how much the equations change when arguments move by a thousandth of their size.
  double steepest(const RestBox& box) const {
    double steepest = 0;
    for (const RestBox& row : system_.at(box).jacobian)
      for (std::size_t j = 0; j < row.size(); ++j)
        if (std::isfinite(row[j].low) && std::isfinite(row[j].high))
          steepest = std::max(steepest, abs(row[j]).high * 1e-3 * std::max(1.0, std::abs(middle(box[j]))));
    return steepest;
  }

  /// Starts of every size; a state counts that is proven to be alone near by.
  void search_from_many_starts(const RestBox& box) {
    constexpr int starts = 400;
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> unit(0, 1);
    for (int k = 0; k < starts; ++k) {
      budget_.check("the search for states of rest");
      std::vector<double> at;
      for (const Bounds& side : box) {
        const double reach = std::max(std::abs(side.low), std::abs(side.high)), size = reach * std::pow(10, -9 * unit(random));
        at.push_back(k == 0 ? 0 : std::clamp(unit(random) < 0.5 ? size : -size, side.low, side.high));
      }
      if (!system_.newton(at)) continue;
      std::optional<RestBox> near_by = around(at, box);
      if (near_by && contract(*near_by) == Verdict::one &&
          std::ranges::none_of(found_.states, [&](const RestBox& state) { return near(state, *near_by); }))
        add(std::move(*near_by));
    }
  }

  const RestSystem& system_;
  const CompiledLaws& compiled_;
  const Budget& budget_;
  std::vector<RestBox> open_;
  RestFound found_;
};

}  // namespace

bool near(const RestBox& a, const RestBox& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (std::abs(middle(a[i]) - middle(b[i])) > 1e-6 * std::max(1.0, std::abs(middle(b[i])))) return false;
  return true;
}

RestFound search_rest(const RestSystem& system, const CompiledLaws& compiled, RestBox box, std::size_t most_boxes,
                      const Budget& budget) {
  return Search(system, compiled, budget)(std::move(box), most_boxes);
}

}  // namespace sfg
