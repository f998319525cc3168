// The costs follow what readers stumble over, in the order in which they mind it: a label that a foreign branch runs through,
// one on a node or an arrow head, one that is nearer to another branch than to its own, one far off. Distances are of the ink.
#include "sfg/draw/graph/surroundings.hpp"

#include <algorithm>
#include <cmath>

namespace sfg {
namespace {

constexpr double reach = 20;     // what lies further off says nothing about a label
constexpr double touch = 0.4;    // of the ink, where a line is on it
constexpr double halo = 2.5;     // around letters, in the colour of the paper
constexpr double node_disc = 5;  // of a node with its line
constexpr double room_of_node = 9;
constexpr double good_gap = 5;  // between a gain and its branch
constexpr double far_gap = 14.5;
constexpr double unlike = 12, wrong = 120;

Box around_sketch(const Sketch& sketch) {
  Box area{0, 0, 1, 1};
  if (!sketch.nodes.empty()) area = Box::around(sketch.nodes.front(), 1, 1);
  for (const Point p : sketch.nodes) area.include(p);
  for (const Sketch::Course& course : sketch.courses)
    for (const Point p : course.samples) area.include(p);
  return area.grown(60);
}

Box box_of(Point a, Point b) { return {std::min(a.x, b.x), std::min(a.y, b.y), std::max(a.x, b.x), std::max(a.y, b.y)}; }

/// The last of at most eight samples that lie on one line with the first.
std::size_t end_of_straight(const std::vector<Point>& s, std::size_t from) {
  constexpr std::size_t most = 8;
  std::size_t to = from + 1;
  const Point d{s[to].x - s[from].x, s[to].y - s[from].y};
  while (to + 1 < s.size() && to < from + most) {
    const Point e{s[to + 1].x - s[to].x, s[to + 1].y - s[to].y};
    if (std::abs(d.x * e.y - d.y * e.x) > 1e-4 * (std::abs(d.x) + std::abs(d.y)) * (std::abs(e.x) + std::abs(e.y))) break;
    ++to;
  }
  return to;
}

double overlap_depth(const Box& a, const Box& b) {
  return std::min(std::min(a.right, b.right) - std::max(a.left, b.left), std::min(a.bottom, b.bottom) - std::max(a.top, b.top));
}

}  // namespace

std::array<Point, 3> arrow_head(const Sketch::Course& course, std::size_t sample) {
  const std::vector<Point>& s = course.samples;
  const Point before = s[sample - 1], after = s[sample + 1];
  const double length = std::max(distance(before, after), 1e-9);
  const Point d{(after.x - before.x) / length, (after.y - before.y) / length};
  const auto corner = [&](double along, double across) {
    return Point{s[sample].x + along * d.x - across * d.y, s[sample].y + along * d.y + across * d.x};
  };
  return {corner(6, 0), corner(-5, -4.2), corner(-5, 4.2)};
}

Box arrow_box(const Sketch::Course& course, std::size_t sample) {
  const auto [tip, left, right] = arrow_head(course, sample);
  Box box = box_of(left, right);
  box.include(tip);
  return box;
}

Surroundings::Surroundings(const Sketch& sketch)
    : sketch_(sketch), area_(around_sketch(sketch)), course_grid_(area_), node_grid_(area_), head_grid_(area_) {
  for (std::size_t b = 0; b < sketch.courses.size(); ++b) {
    const Sketch::Course& course = sketch.courses[b];
    for (std::size_t from = 0, to = 0; from + 1 < course.samples.size(); from = to) {
      to = end_of_straight(course.samples, from);
      segments_.push_back({course.samples[from], course.samples[to], b});
      course_grid_.insert(segments_.size() - 1, box_of(course.samples[from], course.samples[to]));
    }
    heads_.push_back(arrow_box(course, sketch.arrows[b]));
    head_grid_.insert(b, heads_.back());
    const BranchId id{static_cast<std::uint32_t>(b)};
    look_.push_back(!sketch.graph[id].linear() ? 2 : sketch.feedback(id) ? 1 : 0);
  }
  for (std::size_t n = 0; n < sketch.nodes.size(); ++n) node_grid_.insert(n, Box::around(sketch.nodes[n], 2, 2));
  gap_.assign(sketch.courses.size(), reach);
}

void Surroundings::measure(const std::vector<Box>& ink, const Box& all) {
  for (const std::size_t b : near_) gap_[b] = reach;
  near_.clear();
  course_grid_.visit(all.grown(reach), [&](std::size_t s) {
    const Segment& segment = segments_[s];
    double& gap = gap_[segment.branch];
    const Box around = box_of(segment.a, segment.b);
    if (distance(all, around) >= gap) return;
    const bool first = gap == reach;
    for (const Box& part : ink)
      if (distance(part, around) < gap) gap = std::min(gap, distance(part, segment.a, segment.b));
    if (first && gap < reach) near_.push_back(segment.branch);
  });
}

void Surroundings::add_nodes(Finding& found, const std::vector<Box>& ink, const Box& all, std::size_t own) {
  double own_gap = own == none ? 0 : distance(all, sketch_.nodes[own]);
  node_grid_.visit(all.grown(std::max(own_gap, room_of_node)), [&](std::size_t n) {
    double gap = 1e9;
    for (const Box& part : ink) gap = std::min(gap, distance(part, sketch_.nodes[n]));
    if (gap < node_disc + touch) {
      found.cost += wrong + 60;
      found.on_node = true;
    } else if (n != own && gap < room_of_node) {
      found.cost += 3 * (room_of_node - gap);
    }
    if (own == none || n == own) return;
    const double doubt = own_gap + 2 - distance(all, sketch_.nodes[n]);  // it would be taken for that one's name
    if (doubt > 0) found.cost += 3 * doubt;
    if (doubt > 1.2) {
      found.cost += 50;
      found.doubtful = true;
    }
  });
}

void Surroundings::add_heads(Finding& found, const std::vector<Box>& ink, const Box& all, std::size_t own) {
  head_grid_.visit(all.grown(4), [&](std::size_t b) {
    double depth = -4;
    for (const Box& part : ink) depth = std::max(depth, overlap_depth(part, heads_[b]));
    if (depth > 0.6) {
      found.cost += b == own ? wrong / 2 : wrong;
      (b == own ? found.doubtful : found.on_course) = true;
    } else if (const double room = b == own ? 1.2 : 2.5; depth > -room) {
      found.cost += 2 * (depth + room);
    }
  });
}

/// A foreign branch: through the label, under the halo of its letters, or close by.
void Surroundings::add_other(Finding& found, std::size_t, double gap) const {
  if (gap < touch) {
    found.cost += wrong;
    found.on_course = true;
  } else if (gap < halo) {
    found.cost += wrong / 2;
    found.doubtful = true;
  } else if (gap < good_gap) {
    found.cost += 3 * (good_gap - gap);
  }
}

void Surroundings::add_own(Finding& found, double gap) const {
  if (gap < touch) {
    found.cost += 75;
    found.doubtful = true;
  } else if (gap < halo) {
    found.cost += 25;
  } else if (gap < good_gap) {
    found.cost += good_gap - gap;
  } else {
    found.cost += 0.8 * (gap - good_gap);
  }
  if (gap > far_gap) {
    found.cost += 45 + 5 * (gap - far_gap);
    found.doubtful = true;
  }
}

/// Whether it would be taken for the gain of the other branch.
void Surroundings::add_doubt(Finding& found, std::size_t own, std::size_t other, double own_gap, double gap) const {
  const Branch &a = sketch_.graph[BranchId{static_cast<std::uint32_t>(own)}],
               &b = sketch_.graph[BranchId{static_cast<std::uint32_t>(other)}];
  const bool same_ends = (a.from == b.from && a.to == b.to) || (a.from == b.to && a.to == b.from);
  const bool alike = look_[own] == look_[other];
  const double doubt = own_gap + 4 - gap;
  if (doubt > 0) found.cost += (alike ? 2 : 1) * doubt;
  if (doubt <= 3.2) return;  // the other one is as near, or nearer
  found.cost += alike ? (same_ends ? 30 : 55) : unlike;
  found.doubtful = found.doubtful || (alike && !same_ends);
}

Surroundings::Finding Surroundings::gain(const std::vector<Box>& ink, std::size_t branch) {
  const Box all = bounds(ink);
  Finding found;
  measure(ink, all);
  const double own_gap = gap_[branch];
  add_own(found, own_gap);
  for (const std::size_t other : near_) {
    if (other == branch) continue;
    add_other(found, other, gap_[other]);
    add_doubt(found, branch, other, own_gap, gap_[other]);
  }
  add_nodes(found, ink, all, none);
  add_heads(found, ink, all, branch);
  return found;
}

Surroundings::Finding Surroundings::name(const std::vector<Box>& ink, std::size_t node) {
  const Box all = bounds(ink);
  Finding found;
  measure(ink, all);
  for (const std::size_t other : near_) add_other(found, other, gap_[other]);
  add_nodes(found, ink, all, node);
  add_heads(found, ink, all, none);
  return found;
}

}  // namespace sfg
