#include "sfg/draw/bodies/mechanism_picture.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sfg/draw/bodies/mechanism_sheet.hpp"
#include "sfg/draw/curve.hpp"
#include "sfg/draw/paper_size.hpp"
#include "sfg/draw/set_caption.hpp"
#include "sfg/error.hpp"
#include "sfg/expr/names_in_use.hpp"

namespace sfg {

namespace {

constexpr double mechanism_text_size = 15;

struct LabelBox {
  Point centre;
  double half_width, half_height;

  /// Whether a disc is nearer to it than that.
  bool meets(Point p, double near) const {
    return std::abs(p.x - centre.x) < half_width + near && std::abs(p.y - centre.y) < half_height + near;
  }
  /// The part of the way to its centre that lies in it.
  double own_part(Point way) const {
    return std::min({1.0, half_width / std::max(std::abs(way.x), 1e-9), half_height / std::max(std::abs(way.y), 1e-9)});
  }
  /// Whether the way from what has a name to the name leads through it.
  bool between(Point from, Point to) const {
    constexpr int steps = 8;
    for (int i = 1; i < steps; ++i) {
      const double part = static_cast<double>(i) / steps;
      if (std::abs(from.x + part * (to.x - from.x) - centre.x) < half_width &&
          std::abs(from.y + part * (to.y - from.y) - centre.y) < half_height)
        return true;
    }
    return false;
  }
};

/// Names with commas between them. Bodies and joints are called by words: three small letters are no letter with an index.
Caption caption_of(const MechanismLabel& label) {
  const std::string& text = label.text;
  const bool small = std::ranges::all_of(text, [](char c) { return c >= 'a' && c <= 'z'; });
  const bool word = label.style == body_name || label.style == joint_name;
  if (word && small && text.size() == 3 && greek_by_name(text).empty()) return text;
  Caption made;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(", ", begin), text.size());
    if (begin > 0) made += ", ";
    made += Caption::name(text.substr(begin, end - begin));
    begin = end + 2;
  }
  return made;
}

double name_width(const MechanismLabel& label) { return width_of(caption_of(label), mechanism_text_size); }

LabelBox label_box(const MechanismLabel& label, Point offset) {
  return {{label.anchor.x + offset.x, label.anchor.y + offset.y}, name_width(label) / 2 + 1, 8};
}

/// A point of a line, and half its width.
struct MechanismInk {
  Point at;
  double half;
};

/// Points of all lines that are drawn.
void add_ink(const SceneGroup& group, std::vector<MechanismInk>& ink) {
  constexpr double step = 4, half_of_link = 5.5, half_of_line = 1;
  for (const SceneShape& shape : group.shapes) {
    if (shape.style.starts_with("fill") || shape.style.starts_with("area")) continue;  // within lines that are there
    const double half = shape.style == "edge" ? half_of_link : half_of_line;
    std::vector<Point> way = shape.points;
    switch (shape.kind) {
      case SceneShape::Kind::curve: way = sampled(way, step); break;
      case SceneShape::Kind::circle:
        way = sampled(arc(way[0], {shape.radius, 0}, {0, shape.radius}, 0, 2 * std::numbers::pi), step);
        break;
      case SceneShape::Kind::box: way = {way[0], {way[1].x, way[0].y}, way[1], {way[0].x, way[1].y}, way[0]}; break;
      case SceneShape::Kind::polygon: way.push_back(way.front()); break;
      case SceneShape::Kind::polyline: break;
    }
    for (std::size_t i = 0; i + 1 < way.size(); ++i) {
      if (is_pen_up(way[i]) || is_pen_up(way[i + 1])) continue;
      const double whole = distance(way[i], way[i + 1]);
      for (double s = 0; s <= whole; s += step) {
        const double part = whole > 0 ? s / whole : 0;
        ink.push_back({{way[i].x + part * (way[i + 1].x - way[i].x), way[i].y + part * (way[i + 1].y - way[i].y)}, half});
      }
    }
  }
  for (const SceneGroup& inner : group.groups) add_ink(inner, ink);
}

}  // namespace

std::vector<Point> label_offsets(const MechanismDrawing& scene, const MechanismView& view) {
  constexpr int most_rings = 14;
  std::vector<Point> offsets;
  std::vector<LabelBox> placed;
  std::vector<MechanismInk> ink;
  for (const SceneGroup& part : scene.parts) add_ink(part, ink);
  const auto faults = [&](const LabelBox& box, Point anchor) {
    double sum = 0;
    constexpr double room = 5, on_a_line = 3, beside_a_line = 0.7, on_a_name = 400, outside = 100;
    for (const MechanismInk& p : ink)
      if (box.meets(p.at, p.half + room)) sum += box.meets(p.at, p.half) ? on_a_line : beside_a_line;
    for (const LabelBox& other : placed)
      if (std::abs(other.centre.x - box.centre.x) < other.half_width + box.half_width + 8 &&
          std::abs(other.centre.y - box.centre.y) < other.half_height + box.half_height + 1)
        sum += on_a_name;
      else if (other.between(anchor, box.centre))
        sum += 8;
    if (box.centre.x < box.half_width + 4 || box.centre.x > view.width() - box.half_width - 4 ||
        box.centre.y < box.half_height + 4 || box.centre.y > view.height() - box.half_height - 4)
      sum += outside;
    return sum;
  };
  for (const MechanismLabel& label : scene.labels) {
    const LabelBox own = label_box(label, {});
    Point best{};
    double least = -1;
    for (int ring = 0; ring < most_rings; ++ring)
      for (int i = 0; i < 16; ++i) {
        const double angle = (i * 22.5 + 45) * 0.017453292519943295, d = label.distance + 8 * ring;
        const Point offset{(d + own.half_width * std::abs(std::cos(angle))) * std::cos(angle), -(d - 2) * std::sin(angle)};
        const LabelBox box{{label.anchor.x + offset.x, label.anchor.y + offset.y}, own.half_width, own.half_height};
        const double cost = faults(box, label.anchor) + 0.9 * ring + 0.01 * i;
        if (least < 0 || cost < least) least = cost, best = offset;
      }
    offsets.push_back(best);
    placed.push_back({{label.anchor.x + best.x, label.anchor.y + best.y}, own.half_width, own.half_height});
  }
  return offsets;
}

Scene mechanism_scene(const Mechanism& m, const MechanismView& view, MechanismDrawing drawing,
                      const std::vector<Point>& offsets) {
  constexpr double below = 5, far_away = 34;  // the middle of letters: their baseline; of a name
  Scene scene{.title = m.title.empty() ? "Mechanism" : m.title,
              .width = view.width(),
              .height = view.height(),
              .text_size = mechanism_text_size,
              .groups = std::move(drawing.parts),
              .kind = "mechanism"};
  std::string& said = scene.description;
  for (const auto& joint : m.joints) {
    const auto name = [&](std::size_t body) { return body == 0 ? std::string("frame") : m.bodies[body - 1].name; };
    said += (said.empty() ? "" : "; ") + ("joint " + joint.name) + " of " + name(joint.places[0].body) + " and " +
            name(joint.places[1].body);
  }
  for (const std::string& particle : m.particles) said += (said.empty() ? "particle " : "; particle ") + particle;
  SceneGroup names{.style = "names"};
  for (std::size_t i = 0; i < drawing.labels.size(); ++i) {
    const MechanismLabel& label = drawing.labels[i];
    const auto along = [&](double part) {
      return Point{label.anchor.x + part * offsets[i].x, label.anchor.y + part * offsets[i].y};
    };
    const double way = std::hypot(offsets[i].x, offsets[i].y), free = 1 - label_box(label, offsets[i]).own_part(offsets[i]);
    if (free * way > far_away)  // a line leads from what has the name to it
      names.shapes.push_back({SceneShape::Kind::polyline, "leader", {along(8 / way), along(free - 3 / way)}});
    names.words.push_back({{label.anchor.x + offsets[i].x, label.anchor.y + offsets[i].y + below},
                           label.style == "law" ? "middle halo law" : "middle halo",
                           caption_of(label)});
  }
  scene.groups.push_back(std::move(names));
  return scene;
}

void check_size(const Mechanism& m) {
  constexpr std::size_t most = 400;
  if (m.bodies.size() + m.particles.size() > most)
    throw LimitReached("a picture of " + std::to_string(m.bodies.size() + m.particles.size()) + " bodies would show nothing",
                       "draw a part of the model");
}

namespace {

/// What a picture holds, without the room that was kept for what might have been.
struct DrawnExtent {
  Point low{1e300, 1e300}, high{-1e300, -1e300};

  void reach(Point p, double across, double up) {
    low = {std::min(low.x, p.x - across), std::min(low.y, p.y - up)};
    high = {std::max(high.x, p.x + across), std::max(high.y, p.y + up)};
  }
  void reach(const SceneGroup& group) {
    for (const SceneShape& shape : group.shapes)
      for (const Point p : shape.points)
        if (!is_pen_up(p)) reach(p, shape.radius, shape.radius);
    for (const SceneWords& words : group.words)
      reach({words.at.x, words.at.y - 5}, width_of(words.text, mechanism_text_size) / 2, 8);
    for (const SceneGroup& inner : group.groups) reach(inner);
  }
};

Scene cropped(Scene scene) {
  constexpr double around = 20;
  DrawnExtent all;
  for (const SceneGroup& group : scene.groups) all.reach(group);
  if (all.low.x > all.high.x) return scene;  // nothing is drawn
  for (SceneGroup& group : scene.groups) shift(group, {around - all.low.x, around - all.low.y});
  scene.width = all.high.x - all.low.x + 2 * around;
  scene.height = all.high.y - all.low.y + 2 * around;
  return scene;
}

}  // namespace

namespace {

/// @param all  the poses, the shown one last
Scene drawn_as_wide(const Mechanism& m, std::span<const MechanismPose> all, double width) {
  const std::span<const MechanismPose> ghosts = all.first(all.size() - 1);
  const MechanismPose& pose = all.back();
  const MechanismView view(m, all, width);
  MechanismDrawing drawing = mechanism_drawing(m, pose, view, all);
  const std::vector<Point> offsets = label_offsets(drawing, view);
  std::vector<SceneGroup> behind;
  for (const MechanismPose& ghost : ghosts) behind.push_back({.style = "ghost", .groups = mechanism_ghost(m, ghost, view)});
  drawing.parts.insert(drawing.parts.begin(), behind.begin(), behind.end());
  return cropped(mechanism_scene(m, view, std::move(drawing), offsets));
}

}  // namespace

Scene mechanism_picture(const Mechanism& m, const MechanismPose& pose, std::span<const MechanismPose> ghosts,
                        const PictureOptions& options) {
  check_size(m);
  std::vector<MechanismPose> all(ghosts.begin(), ghosts.end());
  all.push_back(pose);
  constexpr double narrowest = 120;  // of the bodies: symbols have their size
  constexpr int tries = 6;
  double bodies = MechanismView::widest;
  Scene best = drawn_as_wide(m, all, bodies);
  const double wanted = options.width / natural_size(mechanism_text_size, options);
  for (int i = 0; wanted > 0 && best.width > wanted && bodies > narrowest && i < tries; ++i) {
    bodies = std::max(narrowest, 0.97 * bodies * wanted / best.width);
    if (Scene smaller = drawn_as_wide(m, all, bodies); smaller.width < best.width) best = std::move(smaller);
  }
  return best;
}

}  // namespace sfg
