#include <algorithm>
#include <cmath>
#include <limits>

#include "sfg/draw/bodies/mechanism_shapes.hpp"

namespace sfg {

namespace {

constexpr double highest = 460, margin = 66;

/// Every point that must be on paper.
std::vector<Mechanism::Point> points_of(const Mechanism& m, const MechanismPose& pose) {
  std::vector<Mechanism::Point> result(pose.particles.begin(), pose.particles.end());
  const auto add = [&](const Mechanism::Place& place) { result.push_back(pose.at(place)); };
  for (const auto& joint : m.joints) std::ranges::for_each(joint.places, add);
  for (const auto& spring : m.springs) std::ranges::for_each(spring.places, add);
  for (const auto& force : m.forces) add(force.on);
  for (const auto& wheel : m.wheels) add(wheel.on);
  for (std::size_t i = 0; i < m.bodies.size(); ++i) {
    if (m.bodies[i].com) result.push_back(pose.at(i + 1, *m.bodies[i].com));
    if (m.bodies[i].elastic)
      for (const auto& point : m.bodies[i].elastic->points) result.push_back(pose.at(i + 1, point));
    result.push_back(pose.frames.at(i + 1).position);
  }
  return result;
}

}  // namespace

Point MechanismView::flat(const Mechanism::Point& p) const {
  if (planar_) return {p[0], -p[1]};
  constexpr double c = 0.8660254037844386;  // cos 30°: the horizontal axes go down to both sides
  const std::size_t first = (up_ + 1) % 3, second = (up_ + 2) % 3;
  if (hangs_) return {c * (p[first] - p[second]), 0.5 * (p[first] + p[second]) + p[up_]};
  return {c * (p[second] - p[first]), 0.5 * (p[first] + p[second]) - p[up_]};
}

MechanismView::MechanismView(const Mechanism& m, std::span<const MechanismPose> poses, double width) : planar_(m.planar) {
  const auto largest = std::ranges::max_element(m.gravity, {}, [](double g) { return std::abs(g); });
  up_ = *largest == 0 ? 2 : static_cast<std::size_t>(largest - m.gravity.begin());
  hangs_ = *largest > 0;
  constexpr double far = std::numeric_limits<double>::infinity();
  Point low{far, far}, high{-far, -far};
  for (const MechanismPose& pose : poses)
    for (const auto& point : points_of(m, pose)) {
      const Point p = flat(point);
      if (!std::isfinite(p.x) || !std::isfinite(p.y)) continue;
      low = {std::min(low.x, p.x), std::min(low.y, p.y)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
  if (low.x > high.x) low = high = {0, 0};
  const double w = high.x - low.x, h = high.y - low.y;
  const bool wall = std::ranges::any_of(m.springs, [&](const auto& spring) {
    return spring.joint && m.joints.at(*spring.joint).kind == Multibody::JointKind::prismatic;
  });
  const double around = wall ? margin + 70 : margin;  // walls of springs stand beyond what they hold
  scale_ = w <= 0 && h <= 0 ? 1 : std::min(w > 0 ? width / w : far, h > 0 ? highest / h : far);
  width_ = std::max(220.0, w * scale_ + 2 * around);
  height_ = std::max(180.0, h * scale_ + 2 * (h < w && wall ? margin : around));
  origin_ = {width_ / 2 - (low.x + high.x) / 2 * scale_, height_ / 2 - (low.y + high.y) / 2 * scale_};
}

Point MechanismView::operator()(const Mechanism::Point& point) const {
  const Point p = flat(point);
  return {origin_.x + p.x * scale_, origin_.y + p.y * scale_};
}

Point MechanismView::direction(const Mechanism::Point& vector) const {
  const Point p = flat(vector);
  const double length = std::hypot(p.x, p.y);
  return length < 1e-12 ? Point{0, 0} : Point{p.x / length, p.y / length};
}

}  // namespace sfg
