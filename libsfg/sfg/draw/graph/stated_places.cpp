#include "sfg/draw/graph/stated_places.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <numbers>
#include <string>
#include <string_view>
#include <utility>

#include "sfg/draw/graph/wishes.hpp"
#include "sfg/error.hpp"

namespace sfg {
namespace {

constexpr double room_of_gain = 56;   // of a branch beside its gain: nodes, arrow head
constexpr double usual_length = 120;  // of a branch in pixels
constexpr double longest_usual = 300;
constexpr double least_distance = 60;  // of a node that the layout places
constexpr double loop_height = 44;
constexpr std::size_t most_shaped = 250;  // branches that a search draws round each other in time
constexpr std::size_t most_detours = 60;  // of those, where long ways round are tried as well
constexpr double pixels_a_point = 4.0 / 3;

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

/// "x,y x,y …": a curve; none for what Graphviz writes of arrows ("e,x,y …") or for anything else than 3k + 1 points.
std::vector<Point> course(std::string_view text) {
  std::vector<Point> points;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const auto at = place(text.substr(0, end));
    if (!at) return {};
    points.push_back(*at);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return points.size() > 3 && points.size() % 3 == 1 ? points : std::vector<Point>{};
}

/// Whether a course still joins its nodes, none of which was moved.
bool joins(const GivenPlaces& given, const Branch& branch, const std::vector<Point>& curve) {
  const auto &from = given.nodes[branch.from.index], &to = given.nodes[branch.to.index];
  return from && to && within(curve.front(), *from, 0.6) && within(curve.back(), *to, 0.6);
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

bool GivenPlaces::all() const {
  return !nodes.empty() && std::ranges::all_of(nodes, [](const auto& place) { return place.has_value(); });
}

GivenPlaces stated_picture(const SignalFlowGraph& graph) {
  GivenPlaces given{stated_places(graph), std::vector<std::vector<Point>>(graph.branches().size())};
  if (given.nodes.empty()) return given;
  for (const BranchId id : graph.branch_ids())
    for (const auto& [name, value] : graph[id].attributes) {
      if (name != "pos") continue;
      std::vector<Point> curve = course(value);
      if (curve.empty() || !joins(given, graph[id], curve)) continue;
      given.courses[id.index] = std::move(curve);
      given.in_pixels = true;
    }
  if (!given.in_pixels) return given;
  const auto to_pixels = [](Point& p) { p = {pixels_a_point * p.x, pixels_a_point * p.y}; };
  for (auto& place : given.nodes)
    if (place) to_pixels(*place);
  for (auto& curve : given.courses) std::ranges::for_each(curve, to_pixels);
  return given;
}

Places places_of(const SignalFlowGraph& graph) {
  const GivenPlaces given = stated_picture(graph);
  const double scale = given.in_pixels ? 1 : pixels_a_point;
  Places places;
  for (const NodeId id : graph.node_ids())
    if (!given.nodes.empty() && given.nodes[id.index])
      places.nodes[graph[id].name] = {scale * given.nodes[id.index]->x, scale * given.nodes[id.index]->y};
  for (const BranchId id : graph.branch_ids()) {
    places.courses.push_back({graph[graph[id].from].name, graph[graph[id].to].name, {}});
    for (const Point p : given.courses[id.index]) places.courses.back().curve.push_back({p.x, p.y});
  }
  return places;
}

GivenPlaces common_places(const SignalFlowGraph& graph, const Places& places) {
  GivenPlaces given{std::vector<std::optional<Point>>(graph.nodes().size()),
                    std::vector<std::vector<Point>>(graph.branches().size()), true};
  std::size_t count = 0;
  for (const NodeId id : graph.node_ids())
    if (const auto found = places.nodes.find(graph[id].name); found != places.nodes.end()) {
      given.nodes[id.index] = Point{found->second.x, found->second.y};
      ++count;
    }
  if (count < 2) return {};
  std::map<std::pair<std::string, std::string>, std::vector<const Places::Course*>> courses;
  for (const Places::Course& old : places.courses) courses[{old.from, old.to}].push_back(&old);
  for (const BranchId id : graph.branch_ids()) {
    auto& left = courses[{graph[graph[id].from].name, graph[graph[id].to].name}];
    if (left.empty()) continue;
    std::vector<Point> curve;
    for (const Places::At& p : left.front()->curve) curve.push_back({p.x, p.y});
    left.erase(left.begin());  // parallel branches in their order
    if (!curve.empty() && joins(given, graph[id], curve)) given.courses[id.index] = std::move(curve);
  }
  return given;
}

namespace {

/// Where a new node of a picture that stays finds room beside its neighbours.
class Room {
 public:
  Room(const Sketch& sketch, const GivenPlaces& given) : s_(sketch), placed_(given.nodes) {
    for (const auto& curve : given.courses) courses_.push_back(curve.empty() ? std::vector<Point>{} : sampled(curve, 12));
  }

  Point of(NodeId node) {
    Point centre{0, 0};
    double count = 0;
    for (const auto& [other, leads_here] : neighbours(node)) centre.x += other.x, centre.y += other.y, ++count;
    centre = count == 0 ? s_.nodes[node.index] : Point{centre.x / count, centre.y / count};
    Point best = centre;
    double least = 1e18;
    for (int ring = 0; ring <= rings; ++ring)
      for (int k = 0; k < (ring == 0 ? 1 : directions); ++k) {
        const double angle = 2 * std::numbers::pi * k / directions, r = 36.0 * ring;
        const Point at{centre.x + r * std::cos(angle), centre.y + r * std::sin(angle)};
        if (const double now = cost(node, at) + 0.2 * r; now < least - 1e-9) least = now, best = at;
      }
    placed_[node.index] = best;
    return best;
  }

 private:
  static constexpr int rings = 14, directions = 16;

  /// Placed nodes that a branch joins with it, and whether that leads to it.
  std::vector<std::pair<Point, bool>> neighbours(NodeId node) const {
    std::vector<std::pair<Point, bool>> found;
    const auto add = [&](NodeId other, bool leads_here) {
      if (const auto& at = placed_[other.index]; at && other != node) found.emplace_back(*at, leads_here);
    };
    for (const BranchId b : s_.graph.entering(node)) add(s_.graph[b].from, true);
    for (const BranchId b : s_.graph.leaving(node)) add(s_.graph[b].to, false);
    return found;
  }

  double cost(NodeId node, Point at) const {
    constexpr double near_node = 62, near_course = 26;
    double sum = 0;
    for (const auto& other : placed_)
      if (other) sum += 8 * std::max(0.0, near_node - distance(*other, at));
    for (const std::vector<Point>& course : courses_) {
      double gap = near_course;
      for (const Point p : course) gap = std::min(gap, distance(p, at));
      sum += 8 * (near_course - gap);
    }
    for (const auto& [other, leads_here] : neighbours(node)) {
      const std::vector<Point> line{other, at};
      for (const std::vector<Point>& course : courses_) sum += 25 * static_cast<double>(crossing_points(line, course).size());
      if ((leads_here ? at.x - other.x : other.x - at.x) < 30) sum += 30;
      for (const auto& third : placed_)
        if (third && !within(*third, other, 1)) sum += between(*third, other, at) ? 60 : 0;
    }
    return sum;
  }

  static bool between(Point p, Point a, Point b) {
    const double length = std::max(distance(a, b), 1.0);
    const double along = ((p.x - a.x) * (b.x - a.x) + (p.y - a.y) * (b.y - a.y)) / length;
    const double off = ((p.x - a.x) * (b.y - a.y) - (p.y - a.y) * (b.x - a.x)) / length;
    return along > 0 && along < length && std::abs(off) < 16;
  }

  const Sketch& s_;
  std::vector<std::optional<Point>> placed_;
  std::vector<std::vector<Point>> courses_;
};

/// Every branch a line between rows of its own, which may be bowed: no track leads it.
void without_tracks(Sketch& sketch) {
  const std::size_t nodes = sketch.nodes.size(), branches = sketch.graph.branches().size();
  Arrangement& a = sketch.arrangement;
  a.column.assign(nodes, 0);
  a.row.resize(nodes);
  for (std::size_t i = 0; i < nodes; ++i) a.row[i] = static_cast<int>(i);
  a.track.assign(branches, 0);
  a.straight.assign(branches, true);
  sketch.track_heights.assign(branches, 0);
}

/// What kind of course a kept curve is: it tells where its gain stands.
Sketch::Course kept_course(std::vector<Point> curve, bool loop) {
  Sketch::Course course{Sketch::Shape::free, loop_height, std::move(curve), {}, true};
  const std::vector<Point> points = sampled(course.curve);
  const Point a = points.front(), middle = points[points.size() / 2];
  const double bow = a.y - middle.y;
  if (loop)
    course.shape = Sketch::Shape::self_loop, course.height = bow;
  else if (std::abs(a.y - points.back().y) < 0.5)
    course.shape = std::abs(bow) < 1 ? Sketch::Shape::line : Sketch::Shape::arc, course.height = bow;
  return course;
}

/// Courses for branches that are not kept.
void draw_others(Sketch& sketch) {
  std::size_t open = 0;
  for (const Sketch::Course& course : sketch.courses) open += course.kept ? 0 : 1;
  sketch.detours = open <= most_detours;
  if (open <= most_shaped) return shape_courses(sketch);
  for (const BranchId id : sketch.graph.branch_ids()) {
    const Point from = sketch.nodes[sketch.graph[id].from.index], to = sketch.nodes[sketch.graph[id].to.index];
    if (!sketch.courses[id.index].kept)
      sketch.set_curve(id, sketch.graph[id].from == sketch.graph[id].to ? self_loop(from, loop_height) : straight(from, to));
    else
      sketch.set_curve(id, sketch.courses[id.index].curve);
  }
}

LabelFaults drawn_at(Sketch& sketch, const std::vector<std::optional<Point>>& places, const GivenPlaces& given, double scale) {
  const auto scaled = [&](Point p) { return Point{scale * p.x, scale * p.y}; };
  sketch.nodes.clear();
  for (const auto& place : places) sketch.nodes.push_back(scaled(*place));
  without_tracks(sketch);
  sketch.courses.assign(given.courses.size(), {Sketch::Shape::free, loop_height, {}, {}});
  for (const BranchId id : sketch.graph.branch_ids()) {
    std::vector<Point> curve = given.courses[id.index];
    if (curve.empty()) continue;
    std::ranges::transform(curve, curve.begin(), scaled);
    curve.front() = sketch.nodes[sketch.graph[id].from.index], curve.back() = sketch.nodes[sketch.graph[id].to.index];
    sketch.courses[id.index] = kept_course(std::move(curve), sketch.graph[id].from == sketch.graph[id].to);
  }
  sketch.arrows.clear();
  draw_others(sketch);
  return place_labels(sketch);
}

}  // namespace

Sketch place_as_stated(Sketch sketch, const GivenPlaces& given) {
  std::vector<std::optional<Point>> all = given.nodes;
  if (!given.all()) {
    const double first = given.in_pixels ? 1 : scale_of(sketch, given.nodes);
    place_others(sketch, given.nodes, first);
    Room room(sketch, given);
    for (const NodeId id : sketch.graph.node_ids())
      if (auto& place = all[id.index]; !place && given.in_pixels)
        place = room.of(id);
      else if (!place)
        place = Point{sketch.nodes[id.index].x / first, sketch.nodes[id.index].y / first};
  }
  if (!given.in_pixels) {
    drawn_at(sketch, all, given, scale_of(sketch, all));
    return sketch;
  }
  std::optional<Sketch> best;
  std::size_t least = 0;
  for (const double scale : {1.0, 1.12, 1.3, 1.5}) {  // gains may have grown
    Sketch now = sketch;
    const LabelFaults faults = drawn_at(now, all, given, scale);
    const std::size_t count = 3 * (faults.on_labels + faults.on_nodes + faults.on_courses) + faults.doubtful;
    if (!best || count + 1 < least) {
      best.emplace(std::move(now));
      least = count;
    }
    if (least < 3) break;
  }
  return *std::move(best);
}

void turn_to_sides(Sketch& sketch) {
  const std::vector<int> sides = stated_sides(sketch.graph);
  bool any = false;
  std::vector<bool> open(sides.size());
  for (const BranchId id : sketch.graph.branch_ids()) {
    const std::vector<Point>& points = sketch.courses[id.index].samples;
    const Point a = points.front(), b = points.back(), middle = points[points.size() / 2];
    const double t = std::abs(b.x - a.x) < 1 ? 0.5 : (middle.x - a.x) / (b.x - a.x);
    open[id.index] = sides[id.index] * (middle.y - a.y - t * (b.y - a.y)) < (sides[id.index] == 0 ? 0 : 8);
    any = any || open[id.index];
  }
  if (!any) return;
  without_tracks(sketch);
  for (std::size_t i = 0; i < sides.size(); ++i) sketch.courses[i].kept = !open[i];
  draw_others(sketch);
  place_labels(sketch);
}

void mirror(Sketch& sketch) {
  const auto turn = [](std::vector<Point>& points) {
    for (Point& p : points) p.x = -p.x;
  };
  turn(sketch.nodes);
  for (Sketch::Course& course : sketch.courses) turn(course.curve), turn(course.samples);
}

namespace {

/// Attributes with this value of `pos`, where it stands or at the end.
Attributes with_pos(Attributes attributes, const std::string& value) {
  const auto found = std::ranges::find(attributes, "pos", &std::pair<std::string, std::string>::first);
  if (found != attributes.end())
    found->second = value;
  else
    attributes.emplace_back("pos", value);
  return attributes;
}

std::string in_points(double pixels) {
  std::array<char, 32> text{};
  const double rounded = std::round(pixels / pixels_a_point * 100) / 100;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), rounded == 0 ? 0 : rounded).ptr;
  return {text.data(), end};
}

}  // namespace

SignalFlowGraph with_positions(const SignalFlowGraph& graph, const Drawing& drawing) {
  const auto text = [&](Point p) { return in_points(p.x) + ',' + in_points(drawing.height - p.y); };
  std::vector<std::string> nodes(graph.nodes().size()), branches(graph.branches().size());
  for (const DrawnNode& node : drawing.nodes) nodes[node.id.index] = text(node.at);
  for (const DrawnBranch& branch : drawing.branches)
    for (const Point p : branch.curve) branches[branch.id.index] += (branches[branch.id.index].empty() ? "" : " ") + text(p);
  SignalFlowGraph made = SignalFlowGraph::like(graph);
  for (const NodeId id : graph.node_ids()) {
    Node node = graph[id];
    if (!nodes[id.index].empty()) node.attributes = with_pos(std::move(node.attributes), nodes[id.index]);
    made.add_node(std::move(node));
  }
  for (const BranchId id : graph.branch_ids()) {
    Branch branch = graph[id];
    if (!branches[id.index].empty()) branch.attributes = with_pos(std::move(branch.attributes), branches[id.index]);
    made.add_branch(std::move(branch));
  }
  made.inputs = graph.inputs;
  made.outputs = graph.outputs;
  return made;
}

}  // namespace sfg
