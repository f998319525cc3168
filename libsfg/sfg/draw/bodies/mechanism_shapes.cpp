// The symbols of mechanisms as textbooks draw them: links with round ends, circles for revolute joints, guides with hatching for
// prismatic ones, triangles and hatching for what is fixed, zigzags for springs, pots for dampers, quartered circles for centres
// of mass.
#include "sfg/draw/bodies/mechanism_shapes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <tuple>

#include "sfg/draw/bodies/mechanism_symbols.hpp"
#include "sfg/draw/curve.hpp"

namespace sfg {

namespace {

using namespace symbols;
using JointKind = Multibody::JointKind;

/// A thing of the picture, found by its name.
SceneGroup thing(const std::string& kind, const std::string& name, std::string title) {
  return {.style = kind, .data = {{kind, name}}, .title = std::move(title)};
}

class MechanismDrawer {
 public:
  MechanismDrawer(const Mechanism& m, const MechanismPose& pose, const MechanismView& view, std::span<const MechanismPose> all)
      : m_(m), pose_(pose), view_(view), all_(all) {}

  MechanismDrawing drawing() {
    for (std::size_t j = 0; j < m_.joints.size(); ++j) grounds(m_.joints[j]);
    for (std::size_t i = 0; i < m_.springs.size(); ++i) spring(m_.springs[i]);
    for (std::size_t i = 1; i <= m_.bodies.size(); ++i) scene_.parts.push_back(body(i, true));
    particles();
    for (const auto& wheel : m_.wheels) wheel_of(wheel);
    for (const auto& joint : m_.joints) joint_of(joint);
    for (std::size_t i = 1; i <= m_.bodies.size(); ++i) centre(i);
    for (const auto& force : m_.forces) force_of(force);
    gravity();
    // joints and loads lie where they lie; a body has room along it
    std::stable_partition(scene_.labels.begin(), scene_.labels.end(),
                          [](const MechanismLabel& name) { return name.style != body_name; });
    return std::move(scene_);
  }

  std::vector<SceneGroup> ghost() {
    std::vector<SceneGroup> parts;
    for (std::size_t i = 1; i <= m_.bodies.size(); ++i) parts.push_back(body(i, false));
    return parts;
  }

 private:
  // --- where things are ----------------------------------------------------------------------------------------------------

  /// A point of a body with its deformation, which is that of the nearest point that states one.
  Mechanism::Point deformed(const Mechanism::Place& place) const {
    Mechanism::Point point = place.at;
    const auto* elastic = place.body == 0 || !m_.bodies[place.body - 1].elastic ? nullptr : &*m_.bodies[place.body - 1].elastic;
    if (elastic == nullptr || elastic->points.empty()) return pose_.at(place);
    std::size_t nearest = 0;
    double least = -1;
    for (std::size_t k = 0; k < elastic->points.size(); ++k) {
      double square = 0;
      for (std::size_t i = 0; i < 3; ++i) square += std::pow(elastic->points[k][i] - point[i], 2);
      if (least < 0 || square < least) least = square, nearest = k;
    }
    double size = 0;
    for (const auto& p : elastic->points)
      for (const double component : p) size = std::max(size, std::abs(component));
    if (least > 1e-12 * size * size) return pose_.at(place);  // clamped there, or not known
    const auto& modal = pose_.frames[place.body].modal;
    for (std::size_t j = 0; j < elastic->shapes[nearest].size() && j < modal.size(); ++j)
      for (std::size_t i = 0; i < 3; ++i) point[i] += elastic->shapes[nearest][j][i] * modal[j];
    return pose_.at(place.body, point);
  }
  Point on_paper(const Mechanism::Place& place) const { return view_(deformed(place)); }

  static bool slides(JointKind kind) { return kind == JointKind::prismatic || kind == JointKind::cylindrical; }

  std::vector<Point> attachments(std::size_t body) const {
    std::vector<Point> points;
    const auto add = [&](const Mechanism::Place& place) {
      if (place.body != body) return;
      const Point p = on_paper(place);
      if (std::ranges::none_of(points, [&](Point q) { return length(p - q) < 1.5; })) points.push_back(p);
    };
    for (const auto& joint : m_.joints) std::ranges::for_each(joint.places, add);
    for (const auto& spring : m_.springs)
      if (!spring.joint) std::ranges::for_each(spring.places, add);
    return points;
  }

  void cover(Point a, Point b) {
    const double whole = length(b - a);
    for (double s = 0; s <= whole; s += 6) scene_.covered.push_back(a + (whole > 0 ? s / whole : 0) * (b - a));
  }
  void cover_ring(Point c, double r) {
    for (int i = 0; i < 8; ++i) scene_.covered.push_back(c + r * Point{std::cos(i * 0.7854), std::sin(i * 0.7854)});
  }
  void cover(const std::vector<Point>& points) {
    for (std::size_t i = 0; i + 1 < points.size(); ++i) cover(points[i], points[i + 1]);
  }
  void label(const std::string& text, Point anchor, double distance, const std::string& style = "") {
    if (!text.empty()) scene_.labels.push_back({text, style, anchor, distance});
  }

  // --- bodies --------------------------------------------------------------------------------------------------------------

  SceneGroup body(std::size_t number, bool labelled) {
    const Mechanism::Body& stated = m_.bodies[number - 1];
    SceneGroup part = thing("body", stated.name, "body " + stated.name);
    const std::string tint = " tint" + std::to_string((number - 1) % 6);
    std::vector<Point> points = attachments(number);
    Point middle{};
    if (stated.elastic) {
      middle = elastic(part, number, points, tint, labelled);
    } else if (const auto slider = block(number)) {
      if (stated.com) points.push_back(view_(pose_.at(number, *stated.com)));
      blocks(part, points, *slider, tint, labelled);
      middle = slider->first;
    } else {
      if (points.size() == 1 && stated.com && length(view_(pose_.at(number, *stated.com)) - points[0]) > 4)
        points.push_back(view_(pose_.at(number, *stated.com)));
      if (points.size() < 2) {
        alone(part, number, points, tint);
        middle = points.empty() ? view_(pose_.at(number, stated.com.value_or(Mechanism::Point{}))) : points[0];
      } else {
        const std::vector<Point> round = points.size() > 2 ? outline(points) : points;
        link(part, round, tint, labelled);
        if (round.size() > 3) part.shapes.push_back(line("area" + tint, round, true));
        for (const Point& p : points) middle = middle + (1.0 / static_cast<double>(points.size())) * p;
      }
    }
    if (labelled) label(stated.name, middle, 18, body_name);
    return part;
  }

  /// A beam or mass points in a row as a bent link, others as a panel with its points. @returns its middle
  Point elastic(SceneGroup& part, std::size_t number, const std::vector<Point>& joints, const std::string& tint, bool covers) {
    const auto& points = m_.bodies[number - 1].elastic->points;
    const std::vector<std::size_t> row = in_a_row(points);
    std::vector<Point> bent, straight;
    for (const std::size_t k : row) {
      bent.push_back(on_paper({number, points[k]}));
      straight.push_back(view_(pose_.at(number, points[k])));
    }
    if (!row.empty()) {
      for (const Point& p : joints)  // the row begins and ends where it is held
        if (length(p - bent.front()) < length(p - bent.back()))
          bent.insert(bent.begin(), p), straight.insert(straight.begin(), p);
        else
          bent.push_back(p), straight.push_back(p);
      part.shapes.push_back(line("undeformed", straight));
      link(part, bent, tint, covers);
      return bent[bent.size() / 2];
    }
    for (const auto& point : points) bent.push_back(on_paper({number, point}));
    const std::size_t own = bent.size();
    bent.insert(bent.end(), joints.begin(), joints.end());
    const std::vector<Point> edge = outline(bent);
    part.shapes.push_back(line("box" + tint, edge, true));
    if (covers) cover(edge);
    Point sum{};
    std::vector<SceneShape> dots;
    for (std::size_t k = 0; k < own; ++k) {
      dots.push_back(circle("solid", bent[k], 2));
      sum = sum + (1.0 / static_cast<double>(own)) * bent[k];
    }
    part.shapes.insert(part.shapes.end(), dots.begin(), dots.end());
    return sum;
  }

  static std::vector<Point> outline(const std::vector<Point>& points) {
    std::vector<Point> round = hull(points);
    if (round.size() > 2) round.push_back(round.front());
    return round;
  }

  void link(SceneGroup& part, const std::vector<Point>& points, const std::string& tint, bool covers) {
    part.shapes.push_back(line("edge", points));
    part.shapes.push_back(line("fill" + tint, points));
    if (covers) cover(points);
  }

  /// Centre and direction of the block that a sliding body is.
  std::optional<std::pair<Point, Point>> block(std::size_t number) const {
    for (const auto& joint : m_.joints)
      if (slides(joint.kind) && joint.places[1].body == number) {
        Point u = view_.direction(pose_.direction(joint.places[0].body, joint.axis));
        if (length(u) == 0) u = {1, 0};
        return std::pair{on_paper(joint.places[1]), u};
      }
    return std::nullopt;
  }

  void blocks(SceneGroup& part, const std::vector<Point>& points, const std::pair<Point, Point>& slider, const std::string& tint,
              bool covers) {
    const auto& [c, u] = slider;
    const Point n = left(u);
    for (const Point& p : points)
      if (length(p - c) > 14) link(part, {c, p}, tint, covers);
    const std::vector<Point> corners{c + 20 * u + 11 * n, c - 20 * u + 11 * n, c - 20 * u - 11 * n, c + 20 * u - 11 * n};
    part.shapes.push_back(line("box" + tint, corners, true));
    if (covers) cover({corners[0], corners[1], corners[2], corners[3], corners[0]});
  }

  /// A body without length: a box, in space with its axes.
  void alone(SceneGroup& part, std::size_t number, const std::vector<Point>& points, const std::string& tint) const {
    const Mechanism::Body& stated = m_.bodies[number - 1];
    const Mechanism::Point origin = pose_.at(number, stated.com.value_or(Mechanism::Point{}));
    const Point c = points.empty() ? view_(origin) : points[0];
    std::array<Point, 3> axes{};
    for (std::size_t k = 0; k < 3; ++k) {
      Mechanism::Point unit{};
      unit[k] = 1;
      axes[k] = view_.direction(pose_.direction(number, unit));
    }
    const Point u = 13.0 * (length(axes[0]) > 0 ? axes[0] : Point{1, 0}),
                v = 13.0 * (length(axes[1]) > 0 ? axes[1] : Point{0, -1});
    part.shapes.push_back(line("box" + tint, {c + u + v, c - u + v, c - u - v, c + u - v}, true));
    if (m_.planar) return;
    constexpr std::array colours{"law", "third", "back"};
    for (std::size_t k = 0; k < 3; ++k) {  // x whole, y dashed, z dash-dotted, for eyes and paper without colours
      part.shapes.push_back(line(std::string("axis ") + colours[k], {c, c + 28.0 * axes[k]}));
      part.shapes.back().dash = k;
    }
  }

  void centre(std::size_t body) {
    const auto& com = m_.bodies[body - 1].com;
    if (!com || (attachments(body).size() == 1 && length(view_(pose_.at(body, *com)) - attachments(body)[0]) < 8)) return;
    const Point c = view_(pose_.at(body, *com));
    constexpr double r = 5.5;
    cover_ring(c, r);
    SceneGroup part = thing("mass", m_.bodies[body - 1].name, "centre of mass of " + m_.bodies[body - 1].name);
    part.shapes.push_back(circle("paper-line", c, r));
    for (const double side : {r, -r}) {
      std::vector<Point> quarter = straight(c, c + Point{0, -side});
      const std::vector<Point> round = arc(c, {0, -side}, {side, 0}, 0, std::numbers::pi / 2), back = straight(round.back(), c);
      quarter.insert(quarter.end(), round.begin() + 1, round.end());
      quarter.insert(quarter.end(), back.begin() + 1, back.end());
      part.shapes.push_back({SceneShape::Kind::curve, "solid", std::move(quarter)});
    }
    scene_.parts.push_back(std::move(part));
  }
  void particles() {
    for (const auto& [a, b] : m_.rods) {
      const Point from = view_(pose_.particles.at(a)), to = view_(pose_.particles.at(b));
      SceneGroup part = thing("rod", m_.particles[a] + " " + m_.particles[b], "constraint");
      part.shapes.push_back(line("rod", {from, to}));
      scene_.parts.push_back(std::move(part));
      cover(from, to);
    }
    for (std::size_t i = 0; i < m_.particles.size(); ++i) {
      const Point c = view_(pose_.particles.at(i));
      SceneGroup part = thing("particle", m_.particles[i], "particle " + m_.particles[i]);
      part.shapes.push_back(circle("solid", c, 7));
      scene_.parts.push_back(std::move(part));
      label(m_.particles[i], c, 15, body_name);
    }
  }

  // --- joints --------------------------------------------------------------------------------------------------------------

  static const char* kind_of(JointKind kind) {
    switch (kind) {
      case JointKind::revolute:
      case JointKind::revolute_between_bodies: return "revolute";
      case JointKind::prismatic: return "prismatic";
      case JointKind::weld: return "weld";
      case JointKind::spherical: return "spherical";
      case JointKind::universal: return "universal";
      case JointKind::cylindrical: return "cylindrical";
      case JointKind::planar: return "planar";
      case JointKind::free: return "free";
    }
    return "";
  }

  /// What holds a joint of the frame: a bearing, or a guide.
  void grounds(const Mechanism::Joint& joint) {
    const std::size_t side = joint.places[0].body == 0 ? 0 : 1;
    if (joint.places[side].body != 0 || joint.kind == JointKind::free || joint.kind == JointKind::planar) return;
    SceneGroup part = thing("ground", joint.name, "fixed side of " + joint.name);
    const Point p = on_paper(joint.places[side]);
    if (slides(joint.kind))
      guide(part, joint, side);
    else if (joint.kind == JointKind::weld)
      plate(part, p + Point{-16, 0}, p + Point{16, 0});
    else {
      const double side_of = hangs(joint, side) ? -1 : 1;
      part.shapes.push_back(line("paper-line", {p, p + Point{-11, 19 * side_of}, p + Point{11, 19 * side_of}}, true));
      const Point a = p + Point{-19, 19 * side_of}, b = p + Point{19, 19 * side_of};
      part.shapes.push_back(line("ground-line", {a, b}));
      part.shapes.push_back(side_of > 0 ? hatching(a, b) : hatching(b, a));
      cover({p + Point{-15, 22 * side_of}, p + Point{15, 22 * side_of}});
    }
    scene_.parts.push_back(std::move(part));
  }

  /// Whether the body on the other side is below the joint, so that the bearing is above it.
  bool hangs(const Mechanism::Joint& joint, std::size_t side) const {
    const std::size_t body = joint.places[1 - side].body;
    if (body == 0) return false;
    double below = 0;
    for (const MechanismPose& pose : all_) {
      const double p = view_(pose.at(joint.places[1 - side])).y;
      if (const auto& com = m_.bodies[body - 1].com) below += view_(pose.at(body, *com)).y - p;
      for (const auto& other : m_.joints)
        for (const auto& place : other.places)
          if (place.body == body) below += view_(pose.at(place)).y - p;
      if (const auto& elastic = m_.bodies[body - 1].elastic; elastic && !elastic->points.empty())
        below += view_(pose.at(body, elastic->points.back())).y - p;
    }
    return below > 1;
  }

  /// A rail along the axis under the block, as long as its stroke in all poses.
  void guide(SceneGroup& part, const Mechanism::Joint& joint, std::size_t side) {
    const Point p = on_paper(joint.places[side]);
    Point u = view_.direction(pose_.direction(joint.places[0].body, joint.axis));
    if (length(u) == 0) u = {1, 0};
    if (u.x < 0 || (u.x == 0 && u.y < 0)) u = -1.0 * u;
    double low = dot(on_paper(joint.places[1 - side]) - p, u), high = low;
    for (const MechanismPose& pose : all_) {
      const double s = dot(view_(pose.at(joint.places[1 - side])) - p, u);
      low = std::min(low, s);
      high = std::max(high, s);
    }
    const Point down = 12.5 * Point{-u.y, u.x};
    const Point a = p + (low - 38) * u + down, b = p + (high + 38) * u + down;
    part.shapes.push_back(line("ground-line", {a, b}));
    part.shapes.push_back(hatching(a, b));
  }

  void joint_of(const Mechanism::Joint& joint) {
    const Point p = on_paper(joint.places[1]), q = on_paper(joint.places[0]);
    SceneGroup part = thing("joint", joint.name, std::string(kind_of(joint.kind)) + " joint " + joint.name);
    switch (joint.kind) {
      case JointKind::revolute:
      case JointKind::revolute_between_bodies: part.shapes.push_back(circle("paper-line", p, 5)); break;
      case JointKind::spherical:
        part.shapes.push_back(circle("paper-line", p, 7));
        part.shapes.push_back(circle("solid", p, 3));
        break;
      case JointKind::universal:
        part.shapes.push_back(circle("paper-line", p, 7));
        part.shapes.push_back(line("thin", {p + Point{-7, 0}, p + Point{7, 0}, pen_up, p + Point{0, -7}, p + Point{0, 7}}));
        break;
      case JointKind::weld:
        part.shapes.push_back(line("solid", {p + Point{-4, -4}, p + Point{4, -4}, p + Point{4, 4}, p + Point{-4, 4}}, true));
        break;
      case JointKind::prismatic:
      case JointKind::cylindrical:
        part.shapes.push_back(line("centre-line", {q, p}));
        if (joint.kind == JointKind::cylindrical) part.shapes.push_back(circle("paper-line", p, 5));
        break;
      case JointKind::planar:
      case JointKind::free: return;
    }
    if (!m_.planar && joint.kind != JointKind::spherical && joint.kind != JointKind::weld) axis_of(part, joint, p);
    scene_.parts.push_back(std::move(part));
    cover_ring(p, 6);
    label(joint.name, p, slides(joint.kind) ? 20 : 13, joint_name);
  }

  /// In space the axis is seen.
  void axis_of(SceneGroup& part, const Mechanism::Joint& joint, Point p) const {
    const Point u = view_.direction(pose_.direction(joint.places[0].body, joint.axis));
    part.shapes.push_back(line("centre-line", {p - 22.0 * u, p + 22.0 * u}));
  }

  void wheel_of(const Mechanism::Wheel& wheel) {
    const Point u = view_.direction(pose_.direction(wheel.on.body, wheel.axis));
    const bool alone = std::ranges::count_if(m_.wheels, [&](const auto& other) {
                         return length(on_paper(other.on) - on_paper(wheel.on)) < 20;
                       }) == 1;
    const Point c = on_paper(wheel.on) + (alone ? 0.0 : 24.0) * u;  // wheels at one place stand side by side
    SceneGroup part = thing("wheel", wheel.name, "wheel " + wheel.name);
    if (length(u) == 0)
      part.shapes.push_back(circle("paper-line", c, 14));
    else
      part.shapes.push_back({SceneShape::Kind::curve, "paper-line", arc(c, 14.0 * left(u), 6.0 * u, 0, 2 * std::numbers::pi)});
    part.shapes.push_back(line("centre-line", {c - 20.0 * u, c + 20.0 * u}));
    scene_.parts.push_back(std::move(part));
    cover_ring(c, 12);
    label(wheel.name, c, 20);
  }

  // --- springs, dampers, forces -------------------------------------------------------------------------------------------

  void spring(const Mechanism::Spring& spring) {
    const char* what = spring.stiff ? (spring.damped ? "spring and damper " : "spring ") : "damper ";
    const bool named = spring.name.find(' ') == std::string::npos;
    SceneGroup part = thing("spring", spring.name, named ? what + spring.name : spring.name);
    Point a = on_paper(spring.places[0]), b = on_paper(spring.places[1]);
    const bool turns = spring.joint && !slides(m_.joints.at(*spring.joint).kind);
    if (turns) {
      spiral(part, b);
      cover_ring(b, 13);
      cover_ring(b, 18);
      scene_.parts.push_back(std::move(part));
      return label(spring.label, b, 24);
    }
    if (spring.joint) {
      std::tie(a, b) = beside_guide(part, m_.joints[*spring.joint]);
    }
    for (const std::size_t end : {0U, 1U})
      if (!spring.joint && spring.places[end].body == 0) wall(part, end == 0 ? a : b, end == 0 ? b : a);
    along(part, a, b, spring.stiff, spring.damped);
    const Point aside = length(b - a) > 0 ? (12 / length(b - a)) * left(b - a) : Point{};
    for (const double side : {-1.0, 0.0, 1.0}) cover(a + side * aside, b + side * aside);
    scene_.parts.push_back(std::move(part));
    label(spring.label, 0.5 * (a + b), 20);
  }

  /// The spring of a sliding coordinate: from a wall beyond all positions, on the side where the body has nothing else.
  std::pair<Point, Point> beside_guide(SceneGroup& part, const Mechanism::Joint& joint) const {
    const Point p = on_paper(joint.places[1]);
    Point u = view_.direction(pose_.direction(joint.places[0].body, joint.axis));
    if (length(u) == 0) u = {1, 0};
    double before = 0;
    for (const auto& other : m_.joints)
      for (const auto& place : other.places) before += dot(on_paper(place) - p, u);
    if (before > 0) u = -1.0 * u;
    double far = 0;
    for (const MechanismPose& pose : all_) far = std::max(far, dot(view_(pose.at(joint.places[1])) - p, u));
    const Point end = p + (far + 105) * u;
    wall(part, end, p);
    return {p + 20.0 * u, end};
  }

  void force_of(const Mechanism::Force& force) {
    const Point p = on_paper(force.on);
    SceneGroup part =
        thing("force", force.name, (force.is_torque ? "torque " : "force ") + (force.label.empty() ? force.name : force.label));
    Point end;
    if (force.is_torque && m_.planar) {
      const double sign = force.direction[2] < 0 ? -1 : 1;
      const Point a = p + Point{-17 * sign, 8};
      part.shapes.push_back(
          {SceneShape::Kind::curve, "load", arc(p, {19 * sign, 0}, {0, -19}, -0.434, std::numbers::pi + 0.434)});
      arrow(part, a, {0.42 * sign, 0.91});
      for (int i = -1; i < 10; ++i) scene_.covered.push_back(p + 19.0 * Point{std::cos(i * 0.35), -std::sin(i * 0.35)});
      end = p + Point{0, -20};
    } else {
      const Point u = view_.direction(pose_.direction(force.axes, force.direction));
      if (length(u) == 0) return;
      constexpr double reach = 52;
      constexpr std::ptrdiff_t much = 2;
      // a force pushes from the other side where it would lie on what is drawn
      const bool pushes =
          !force.is_torque && crowded(scene_.covered, p, p + reach * u) > crowded(scene_.covered, p, p - reach * u) + much;
      const Point tail = pushes ? p - (reach + 8) * u : p, head = tail + reach * u;
      part.shapes.push_back(line("load", {tail, head - 6.0 * u}));
      arrow(part, head, u);
      if (force.is_torque) arrow(part, head - 8.0 * u, u);  // a double head
      cover(tail, head);
      end = pushes ? tail : head;
    }
    scene_.parts.push_back(std::move(part));
    label(force.label, end, 11, "law");
  }

  void gravity() {
    constexpr double half = 17;
    const Point u = view_.direction(m_.gravity);
    if (length(u) == 0) return;
    const Point middle = emptiest_corner(scene_.covered, view_), a = middle - half * u, b = middle + half * u;
    cover(a, b);
    SceneGroup part = thing("gravity", "gravity", "gravity");
    part.shapes.push_back(line("load", {a, b - 6.0 * u}));
    arrow(part, b, u);
    scene_.parts.push_back(std::move(part));
    label("g", middle, 11, "law");
  }

  const Mechanism& m_;
  const MechanismPose& pose_;
  const MechanismView& view_;
  std::span<const MechanismPose> all_;
  MechanismDrawing scene_;
};

}  // namespace

MechanismDrawing mechanism_drawing(const Mechanism& m, const MechanismPose& pose, const MechanismView& view,
                                   std::span<const MechanismPose> all) {
  return MechanismDrawer(m, pose, view, all).drawing();
}

std::vector<SceneGroup> mechanism_ghost(const Mechanism& m, const MechanismPose& pose, const MechanismView& view) {
  return MechanismDrawer(m, pose, view, {}).ghost();
}

}  // namespace sfg
