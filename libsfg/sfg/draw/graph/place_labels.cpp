// Every label has a list of places, best first, with what is wrong there by itself (draw/graph/surroundings). Labels take them
// one by one, those with few good places first; then each looks again, knowing the others; then those that still lie badly push
// others aside where that helps all of them together (ejection chains of length one).
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

#include "sfg/draw/graph/surroundings.hpp"

namespace sfg {
namespace {

constexpr double beside_course = 6;  // between a label and what it belongs to
constexpr double node_half = 6;
constexpr double bad = 25;  // the cost from which a reader minds
constexpr double on_another = 150;
constexpr double most_room = 14;  // that two labels want between them

struct Place {
  Point centre;
  double cost = 0;
};

struct LabelPlace {
  Point centre;
  Surroundings::Finding finding;
};

/// How far the ink reaches in a direction.
double support(const std::vector<Box>& ink, Point d) {
  double most = 0;
  for (const Box& part : ink)
    most = std::max(most, (d.x > 0 ? part.right : part.left) * d.x + (d.y > 0 ? part.bottom : part.top) * d.y);
  return most;
}

std::vector<Box> boxes_at(const std::vector<Box>& ink, Point centre) {
  std::vector<Box> placed;
  placed.reserve(ink.size());
  for (const Box& part : ink) placed.push_back(moved(part, centre));
  return placed;
}

std::vector<Box> ink_of(const Size& size) {
  if (!size.ink.empty()) return size.ink;
  return {Box::around({0, 0}, size.width, size.height)};
}

class Labelling {
 public:
  explicit Labelling(Sketch& sketch) : s_(sketch), around_(sketch), taken_(around_.area()) {
    branches_ = s_.courses.size();
    const std::size_t count = branches_ + s_.nodes.size();
    for (std::size_t b = 0; b < branches_; ++b) ink_.push_back(ink_of(s_.gains[b]));
    for (const Size& name : s_.names) ink_.push_back(ink_of(name));
    choose_sides();
    for (std::size_t label = 0; label < count; ++label) candidates_.push_back(candidates(label));
    chosen_.assign(count, 0);
    placed_.resize(count);
    all_.assign(count, {});
    is_placed_.assign(count, false);
  }

  LabelFaults run() {
    std::vector<std::size_t> order = by_freedom();
    for (const std::size_t label : order) settle(label);
    for (int round = 0; round < 3; ++round) {
      bool changed = false;
      for (const std::size_t label : order) changed = settle(label) || changed;
      if (!changed) break;
    }
    for (int round = 0; round < 3 && push_aside(order); ++round) {
    }
    s_.gain_centres.resize(branches_);
    s_.name_centres.resize(s_.nodes.size());
    for (std::size_t label = 0; label < candidates_.size(); ++label)
      (label < branches_ ? s_.gain_centres[label] : s_.name_centres[label - branches_]) = chosen(label).centre;
    return faults();
  }

 private:
  const LabelPlace& chosen(std::size_t label) const { return candidates_[label][chosen_[label]]; }

  /// Places in the order of what speaks against them, with what is wrong there; enough of them where many are good.
  std::vector<LabelPlace> candidates(std::size_t label) {
    constexpr std::size_t enough_good = 10, most = 60;
    std::vector<Place> places = label < branches_ ? gain_places(label) : name_places(label - branches_);
    std::ranges::stable_sort(places, {}, &Place::cost);
    std::vector<LabelPlace> made;
    std::size_t good = 0;
    for (const Place& place : places) {
      const std::vector<Box> ink = boxes_at(ink_[label], place.centre);
      LabelPlace c{place.centre, label < branches_ ? around_.gain(ink, label) : around_.name(ink, label - branches_)};
      good += c.finding.cost < 6 ? 1 : 0;
      c.finding.cost += place.cost;
      made.push_back(c);
      if (good >= enough_good) break;
    }
    std::ranges::stable_sort(made, {}, [](const LabelPlace& c) { return c.finding.cost; });
    if (made.size() > most) made.resize(most);
    return made;
  }

  /// Names of a row stand on one side of it: where more of them are free.
  void choose_sides() {
    constexpr double in_line = 1, free = 6;
    constexpr int least = 3;
    sides_.assign(s_.nodes.size(), 0);
    for (std::size_t n = 0; n < s_.nodes.size(); ++n) {
      if (sides_[n] != 0) continue;
      std::vector<std::size_t> row;
      int below = 0;
      for (std::size_t k = n; k < s_.nodes.size(); ++k) {
        if (std::abs(s_.nodes[k].y - s_.nodes[n].y) > in_line) continue;
        row.push_back(k);
        const double away = s_.names[k].height / 2 + node_half + 3;
        for (const int side : {1, -1}) {
          const Point at{s_.nodes[k].x, s_.nodes[k].y + side * away};
          below += around_.name(boxes_at(ink_[branches_ + k], at), k).cost < free ? side : 0;
        }
      }
      for (const std::size_t k : row) sides_[k] = std::ssize(row) < least ? 0 : below < 0 ? -1 : 1;
    }
  }

  std::vector<Place> name_places(std::size_t n) const {
    const Point at = s_.nodes[n];
    const Size& size = s_.names[n];
    const std::vector<Box>& ink = ink_[branches_ + n];
    const double dx = size.width / 2 + node_half + 4, dy = size.height / 2 + node_half + 3;
    const NodeId id{static_cast<std::uint32_t>(n)};
    const double left = s_.graph.entering(id).empty() ? 0.4 : 1.6, right = s_.graph.leaving(id).empty() ? 0.4 : 1.6;
    constexpr double other_side = 3;
    const double below = sides_[n] < 0 ? other_side : 0, above = sides_[n] > 0 ? other_side : sides_[n] < 0 ? 0 : 0.2;
    std::vector<Place> places{
        {{at.x, at.y + dy}, below}, {{at.x, at.y - dy}, above}, {{at.x - dx, at.y}, left}, {{at.x + dx, at.y}, right}};
    constexpr int directions = 24;
    for (int k = 0; k < directions; ++k) {
      const double angle = 2 * std::numbers::pi * k / directions;
      const Point d{std::cos(angle), std::sin(angle)};
      for (const double away : {0.0, 5.0, 11.0, 18.0}) {
        // the corner that looks at the node stays away, whatever the direction
        const double by = support(ink, {-d.x, -d.y}) + node_half + 2.5 + away;
        places.push_back({{at.x + by * d.x, at.y + by * d.y}, 2.2 + 0.5 * away + (d.y < 0 ? above : below)});
      }
    }
    return places;
  }

  std::vector<Place> gain_places(std::size_t b) const {
    const Sketch::Course& course = s_.courses[b];
    const std::vector<Point>& samples = course.samples;
    const std::size_t last = samples.size() - 1, arrow = s_.arrows[b];
    const auto step = std::max<std::size_t>(1, last / 48);
    const std::size_t margin = std::max<std::size_t>(1, last / 12);
    static constexpr std::array<double, 3> further{0.0, 3.5, 7.5};
    std::vector<Place> places;
    for (std::size_t i = arrow % step; i <= last - margin; i += step) {
      if (i < margin) continue;
      const Point p = samples[i], q = samples[i + 1], o = samples[i - 1];
      const double length = std::max(distance(o, q), 1e-9);
      const double off = std::abs(static_cast<double>(i) - static_cast<double>(arrow)) / static_cast<double>(last);
      const double away = (course.shape == Sketch::Shape::self_loop ? 30 : 11) * off;
      for (const double side : {1, -1}) {
        const Point normal{side * (q.y - o.y) / length, side * (o.x - q.x) / length};
        const double by = support(ink_[b], {-normal.x, -normal.y}) + beside_course;
        for (const double more : further)
          places.push_back({{p.x + (by + more) * normal.x, p.y + (by + more) * normal.y},
                            away + 0.3 * std::abs(more) + side_cost(course, normal.y)});
      }
      if (course.shape == Sketch::Shape::free) places.push_back({p, away + 6});
    }
    return places;
  }

  /// Gains stand over lines, and outside of arcs.
  static double side_cost(const Sketch::Course& course, double towards_bottom) {
    const double wrong = towards_bottom > 0 ? 1.5 : 0;
    if (course.shape == Sketch::Shape::line) return 2 * wrong;
    if (course.shape == Sketch::Shape::arc || course.shape == Sketch::Shape::self_loop)
      return (course.height > 0) == (towards_bottom > 0) ? 6 : 0;
    return wrong;
  }

  std::vector<std::size_t> by_freedom() const {
    std::vector<std::size_t> order(candidates_.size()), good(candidates_.size());
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t label = 0; label < candidates_.size(); ++label)
      good[label] = static_cast<std::size_t>(
          std::ranges::count_if(candidates_[label], [](const LabelPlace& c) { return c.finding.cost < bad; }));
    std::ranges::stable_sort(order, {}, [&](std::size_t label) { return good[label]; });
    return order;
  }

  /// What two labels cost each other. Side by side they need more room, where they would read as one product or one word.
  double between(const std::vector<Box>& a, const Box& all_a, std::size_t label, std::size_t other) const {
    const bool gains = label < branches_ && other < branches_;
    const Box& all_b = all_[other];
    const bool in_line = std::min(all_a.bottom, all_b.bottom) - std::max(all_a.top, all_b.top) > 4;
    const double room = in_line ? (gains ? most_room : 8) : gains ? 8 : 5;
    if (distance(all_a, all_b) >= room) return 0;
    double gap = room;
    for (const Box& part : a)
      for (const Box& part_of_other : placed_[other]) gap = std::min(gap, distance(part, part_of_other));
    return gap < 1 ? on_another : 1.2 * (room - gap);
  }

  /// What a label would cost at a place, among those that stand.
  double cost(std::size_t label, const LabelPlace& c, double limit, std::vector<std::size_t>* pressed = nullptr) {
    double sum = c.finding.cost;
    if (sum >= limit) return sum;
    const std::vector<Box> ink = boxes_at(ink_[label], c.centre);
    const Box all = bounds(ink);
    taken_.visit(all.grown(most_room), [&](std::size_t other) {
      if (other == label) return;
      const double more = between(ink, all, label, other);
      sum += more;
      if (pressed != nullptr && more > 0) pressed->push_back(other);
    });
    return sum;
  }
  double cost(std::size_t label) { return cost(label, chosen(label), 1e18); }

  void lift(std::size_t label) {
    if (is_placed_[label]) taken_.erase(label, all_[label]);
    is_placed_[label] = false;
  }
  void put(std::size_t label, std::size_t choice) {
    lift(label);
    chosen_[label] = choice;
    placed_[label] = boxes_at(ink_[label], chosen(label).centre);
    all_[label] = bounds(placed_[label]);
    taken_.insert(label, all_[label]);
    is_placed_[label] = true;
  }

  /// Puts the label at its best place among the others; whether that is another one.
  bool settle(std::size_t label) {
    const std::size_t before = is_placed_[label] ? chosen_[label] : candidates_[label].size();
    std::size_t best = 0;
    double least = 1e18;
    for (std::size_t c = 0; c < candidates_[label].size(); ++c) {
      if (candidates_[label][c].finding.cost >= least) break;
      const double sum = cost(label, candidates_[label][c], least);
      if (sum < least - 1e-9) least = sum, best = c;
    }
    if (best != before) put(label, best);
    return best != before;
  }

  /// Moves labels that lie badly to where others stand, if those find better places; whether anything got better.
  bool push_aside(const std::vector<std::size_t>& order) {
    bool better = false;
    for (const std::size_t label : order)
      if (cost(label) >= bad) better = push_aside(label) || better;
    return better;
  }

  bool push_aside(std::size_t label) {
    constexpr std::size_t most_pressed = 4;
    const double own_before = cost(label);
    const std::size_t start = chosen_[label];
    for (std::size_t c = 0; c < candidates_[label].size(); ++c) {
      if (c == start || candidates_[label][c].finding.cost >= own_before) continue;
      std::vector<std::size_t> pressed;
      cost(label, candidates_[label][c], 1e18, &pressed);
      if (pressed.empty() || pressed.size() > most_pressed) continue;
      double before = own_before, after = 0;
      std::vector<std::pair<std::size_t, std::size_t>> old{{label, start}};
      for (const std::size_t other : pressed) {
        before += cost(other);
        old.emplace_back(other, chosen_[other]);
      }
      put(label, c);
      for (const std::size_t other : pressed) settle(other);
      for (const auto& [moved, choice] : old) after += cost(moved);
      if (after < before - 1e-6) return true;
      for (const auto& [moved, choice] : old) put(moved, choice);
    }
    return false;
  }

  LabelFaults faults() {
    LabelFaults found;
    for (std::size_t label = 0; label < candidates_.size(); ++label) {
      const Surroundings::Finding& f = chosen(label).finding;
      found.on_nodes += f.on_node ? 1 : 0;
      found.on_courses += f.on_course ? 1 : 0;
      found.doubtful += f.doubtful ? 1 : 0;
      taken_.visit(all_[label].grown(1), [&](std::size_t other) {
        if (other < label && between(placed_[label], all_[label], label, other) >= on_another) ++found.on_labels;
      });
    }
    return found;
  }

  Sketch& s_;
  Surroundings around_;
  BoxGrid taken_;           ///< by the labels that stand
  std::vector<int> sides_;  ///< by node: where the names of its row stand, 1 below
  std::size_t branches_ = 0;
  std::vector<std::vector<Box>> ink_, placed_;  ///< by label: gains, then names; about the centre, and in place
  std::vector<Box> all_;                        ///< the bounds of what is placed
  std::vector<bool> is_placed_;
  std::vector<std::vector<LabelPlace>> candidates_;
  std::vector<std::size_t> chosen_;
};

}  // namespace

LabelFaults place_labels(Sketch& sketch) {
  place_arrows(sketch);
  return Labelling(sketch).run();
}

}  // namespace sfg
