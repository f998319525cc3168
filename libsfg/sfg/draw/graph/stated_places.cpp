#include "sfg/draw/graph/stated_places.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include "sfg/error.hpp"

namespace sfg {
namespace {

constexpr double room_of_gain = 56;   // of a branch beside its gain: nodes, arrow head
constexpr double usual_length = 120;  // of a branch in pixels
constexpr double longest_usual = 300;
constexpr double least_distance = 60;  // of a node that the layout places
constexpr double loop_height = 44;
constexpr std::size_t most_shaped = 250;  // branches that a search draws round each other in time

bool read_number(std::string_view& text, double& value) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '+')) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || !std::isfinite(value)) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  return true;
}

/// "12,-3.5!": also with a third coordinate, which a picture has no place for.
std::optional<Point> place(std::string_view text) {
  double x = 0, y = 0, z = 0;
  if (!read_number(text, x) || !text.starts_with(',')) return {};
  text.remove_prefix(1);
  if (!read_number(text, y)) return {};
  if (text.starts_with(',')) {
    text.remove_prefix(1);
    if (!read_number(text, z)) return {};
  }
  if (text.starts_with('!')) text.remove_prefix(1);
  if (!text.empty()) return {};
  return Point{x, -y};
}

void check_apart(const SignalFlowGraph& graph, const std::vector<std::optional<Point>>& places) {
  std::vector<NodeId> placed;
  for (const NodeId id : graph.node_ids())
    if (places[id.index]) placed.push_back(id);
  const auto key = [&](NodeId id) { return std::pair(places[id.index]->x, places[id.index]->y); };
  std::ranges::stable_sort(placed, {}, key);
  for (std::size_t i = 1; i < placed.size(); ++i)
    if (key(placed[i - 1]) == key(placed[i]))
      throw Error(graph[placed[i]].where,
                  "the nodes '" + graph[placed[i - 1]].name + "' and '" + graph[placed[i]].name + "' have one pos",
                  "move one of them, or leave its pos out");
}

/// Pixels per point, so that gains fit between nodes that a branch joins.
double scale_of(const Sketch& sketch, const std::vector<std::optional<Point>>& places) {
  std::vector<double> lengths;
  double needed = 0;
  for (const BranchId id : sketch.graph.branch_ids()) {
    const Branch& branch = sketch.graph[id];
    const auto &from = places[branch.from.index], &to = places[branch.to.index];
    if (branch.from == branch.to || !from || !to) continue;
    lengths.push_back(distance(*from, *to));
    needed = std::max(needed, (sketch.gains[id.index].width + room_of_gain) / lengths.back());
  }
  if (lengths.empty()) {  // no branch between them: by the nearest two nodes
    double nearest = 1e18;
    for (std::size_t i = 0; i < places.size(); ++i)
      for (std::size_t k = 0; k < i; ++k)
        if (places[i] && places[k]) nearest = std::min(nearest, distance(*places[i], *places[k]));
    return usual_length / nearest;
  }
  std::ranges::sort(lengths);
  const double usual = lengths[lengths.size() / 2];
  return std::clamp(needed, usual_length / usual, std::max(longest_usual, usual_length) / usual);
}

/// The others where the layout has them, by the same shift and stretch that brings the placed ones about where they are stated.
void place_others(Sketch& sketch, const std::vector<std::optional<Point>>& places, double scale) {
  struct Axis {
    double from = 0, to = 0, factor = 1;
  };
  const auto fitted = [&](auto coordinate) {
    double n = 0, from = 0, to = 0, products = 0, squares = 0;
    for (std::size_t i = 0; i < places.size(); ++i)
      if (places[i]) n += 1, from += coordinate(sketch.nodes[i]), to += scale * coordinate(*places[i]);
    from /= n, to /= n;
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (!places[i]) continue;
      const double d = coordinate(sketch.nodes[i]) - from;
      products += d * (scale * coordinate(*places[i]) - to);
      squares += d * d;
    }
    return Axis{from, to, squares > 1 && products > 0 ? products / squares : 1};
  };
  const Axis x = fitted([](Point p) { return p.x; }), y = fitted([](Point p) { return p.y; });
  std::vector<Point> taken;
  for (const auto& place : places)
    if (place) taken.push_back({scale * place->x, scale * place->y});
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i]) continue;
    Point at{x.to + x.factor * (sketch.nodes[i].x - x.from), y.to + y.factor * (sketch.nodes[i].y - y.from)};
    while (std::ranges::any_of(taken, [&](Point p) { return within(p, at, least_distance); })) at.y += least_distance / 2;
    taken.push_back(at);
    sketch.nodes[i] = at;
  }
}

}  // namespace

std::vector<std::optional<Point>> stated_places(const SignalFlowGraph& graph) {
  std::vector<std::optional<Point>> places(graph.nodes().size());
  std::size_t count = 0;
  for (const NodeId id : graph.node_ids())
    for (const auto& [name, value] : graph[id].attributes) {
      if (name != "pos" || value.empty()) continue;
      places[id.index] = place(value);
      if (!places[id.index])
        throw Error(graph[id].where, "pos \"" + value + "\" of node '" + graph[id].name + "' is no place",
                    "write pos=\"x,y\" in points, or leave it out");
      ++count;
    }
  if (count < 2) return {};
  check_apart(graph, places);
  return places;
}

void place_as_stated(Sketch& sketch, const std::vector<std::optional<Point>>& places) {
  const std::size_t nodes = places.size(), branches = sketch.graph.branches().size();
  std::vector<std::optional<Point>> all = places;
  if (std::ranges::any_of(places, [](const auto& place) { return !place; })) {
    const double first = scale_of(sketch, places);
    place_others(sketch, places, first);
    for (std::size_t i = 0; i < nodes; ++i)
      if (!places[i]) all[i] = Point{sketch.nodes[i].x / first, sketch.nodes[i].y / first};
  }
  const double scale = scale_of(sketch, all);
  sketch.nodes.clear();
  for (const auto& place : all) sketch.nodes.push_back({scale * place->x, scale * place->y});
  Arrangement& a = sketch.arrangement;  // everything is a straight line between rows of its own, and may be bowed
  a.column.assign(nodes, 0);
  a.row.resize(nodes);
  for (std::size_t i = 0; i < nodes; ++i) a.row[i] = static_cast<int>(i);
  a.track.assign(branches, 0);
  a.straight.assign(branches, true);
  sketch.track_heights.assign(branches, 0);
  sketch.courses.assign(branches, {Sketch::Shape::free, loop_height, {}, {}});
  if (branches <= most_shaped) {
    shape_courses(sketch);
  } else {
    for (const BranchId id : sketch.graph.branch_ids()) {
      const Point from = sketch.nodes[sketch.graph[id].from.index], to = sketch.nodes[sketch.graph[id].to.index];
      sketch.set_curve(id, sketch.graph[id].from == sketch.graph[id].to ? self_loop(from, loop_height) : straight(from, to));
    }
  }
  place_labels(sketch);
}

}  // namespace sfg
