#include <algorithm>
#include <cmath>

#include "sfg/draw/blocks/box_grid.hpp"
#include "sfg/draw/graph/head_room.hpp"
#include "sfg/draw/graph/sketch.hpp"
#include "sfg/draw/graph/surroundings.hpp"

namespace sfg {
namespace {

/// Arrow heads stand midway (or where the layout wants them), or beside the middle where a branch, a node or another head is in
/// their way.
class Arrows {
 public:
  explicit Arrows(Sketch& sketch) : s_(sketch), courses_(area(sketch)), heads_(area(sketch)), nodes_(area(sketch)) {
    for (std::size_t b = 0; b < s_.courses.size(); ++b)
      for (std::size_t i = 1; i < s_.courses[b].samples.size(); ++i) {
        segments_.push_back({b, i});
        courses_.insert(segments_.size() - 1, box(b, i));
      }
    for (std::size_t n = 0; n < s_.nodes.size(); ++n) nodes_.insert(n, Box::around(s_.nodes[n], 10, 10));
    boxes_.resize(s_.courses.size());
  }

  void run() {
    wanted_ = s_.arrows;
    wanted_.resize(s_.courses.size(), 0);
    s_.arrows.assign(s_.courses.size(), 0);
    for (int round = 0; round < 2; ++round)
      for (std::size_t b = 0; b < s_.courses.size(); ++b) {
        if (round > 0) heads_.erase(b, boxes_[b]);
        s_.arrows[b] = best(b);
        boxes_[b] = arrow_box(s_.courses[b], s_.arrows[b]);
        heads_.insert(b, boxes_[b]);
      }
  }

 private:
  struct Piece {
    std::size_t branch, end;  ///< from sample end − 1 to sample end
  };

  static Box area(const Sketch& sketch) {
    Box all{0, 0, 1, 1};
    for (const Point p : sketch.nodes) all.include(p);
    return all.grown(60);
  }
  Box box(std::size_t b, std::size_t i) const {
    Box made = Box::around(s_.courses[b].samples[i - 1], 0, 0);
    made.include(s_.courses[b].samples[i]);
    return made;
  }

  std::size_t best(std::size_t b) {
    const Sketch::Course& course = s_.courses[b];
    const std::size_t last = course.samples.size() - 1;
    const double step = distance(course.samples[0], course.samples[1]), length = step * static_cast<double>(last);
    const bool between_rows = course.shape == Sketch::Shape::free, loop = course.shape == Sketch::Shape::self_loop;
    const std::size_t midway = loop ? (7 * last + 5) / 10 : last / 2;  // of a loop its flank
    std::size_t chosen = wanted_[b] == 0 ? midway : std::clamp<std::size_t>(wanted_[b], 1, last - 1);
    const double wanted = wanted_[b] == 0 && !loop ? length / 2 : step * static_cast<double>(chosen);
    double least = 1e9;
    for (int k = 0; std::abs(offset(k)) < length; ++k) {
      const double off = offset(k), at = wanted + off;
      const bool beside = std::abs(off) > 0.32 * length;
      if (beside && loop) break;
      if (std::min(at, length - at) < std::min(22.0, 0.4 * length)) continue;
      const auto i = std::clamp<std::size_t>(static_cast<std::size_t>(std::lround(at / step)), 1, last - 1);
      const double aside = (between_rows ? 0.15 : 0.3) * std::abs(off) + (beside ? 20 : 0);
      if (aside >= least) break;
      const double bent = loop ? 0 : bend(course.samples, i);
      const double cost = in_the_way(b, i) + aside + (bent > straight_enough ? 150 + 4 * (bent - straight_enough) : 0);
      if (cost < least - 1e-9) least = cost, chosen = i;
    }
    return chosen;
  }
  static double offset(int k) { return (k % 2 == 0 ? 1 : -1) * 5.0 * ((k + 1) / 2); }  // NOLINT(bugprone-integer-division)

  /// What a head there lies on.
  double in_the_way(std::size_t b, std::size_t i) {
    const Box head = arrow_box(s_.courses[b], i);
    double cost = 0;
    std::size_t touched = 0, close = 0;
    courses_.visit(head.grown(6), [&](std::size_t k) {
      const auto [other, end] = segments_[k];
      if (other == b) return;
      const auto& samples = s_.courses[other].samples;
      const double gap = distance(head, samples[end - 1], samples[end]);
      touched += gap < 0.5 ? 1 : 0;
      close += gap < 5 ? 1 : 0;
    });
    cost += (touched > 0 ? 40 : 0) + 2 * static_cast<double>(std::min<std::size_t>(close, 4));
    heads_.visit(head.grown(10), [&](std::size_t other) {
      if (other == b) return;
      const double gap = distance(head, boxes_[other]);
      cost += gap < 1 ? 80 : gap < 8 ? 2 * (8 - gap) : 0;
    });
    nodes_.visit(head.grown(4), [&](std::size_t n) { cost += distance(head, s_.nodes[n]) < 8 ? 100 : 0; });
    return cost;
  }

  Sketch& s_;
  BoxGrid courses_, heads_, nodes_;
  std::vector<Piece> segments_;
  std::vector<Box> boxes_;
  std::vector<std::size_t> wanted_;  ///< by branch: the sample about which to look; 0: the middle
};

}  // namespace

void place_arrows(Sketch& sketch) { Arrows(sketch).run(); }

}  // namespace sfg
