#include "sfg/plot/plane.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sfg {

void add_unit_circle(Panel& panel) {
  Series circle{"", {}, {}, Series::Style::guide, 5};
  for (int i = 0; i <= 180; ++i) {
    circle.x.push_back(std::cos(i * 2 * std::numbers::pi / 180));
    circle.y.push_back(std::sin(i * 2 * std::numbers::pi / 180));
  }
  panel.series.push_back(std::move(circle));
}

double reach_of(const Panel& panel) {
  double reach = 0;
  for (const Series& s : panel.series)
    for (std::size_t i = 0; i < s.x.size(); ++i)
      if (std::isfinite(s.x[i]) && std::isfinite(s.y[i])) reach = std::max(reach, std::hypot(s.x[i], s.y[i]));
  return reach > 0 ? reach : 1.0;
}

void make_discrete(Panel& panel) {
  panel.x.label = "real part";
  panel.y.label = "imaginary part";
  add_unit_circle(panel);
}

Panel plane(bool hertz) {
  Panel panel;
  panel.equal_scales = true;
  panel.x.label = hertz ? "real part/2π, Hz" : "real part, 1/s";
  panel.y.label = hertz ? "imaginary part/2π, Hz" : "imaginary part, rad/s";
  panel.rules = {{true, 0}, {false, 0}};
  return panel;
}

namespace {

constexpr double aspect = 1.32;  // of a panel: about as wide by as high

Series guide() { return {"", {}, {}, Series::Style::guide, 5}; }

}  // namespace

double PlaneFrame::reach() const { return std::hypot(std::max(std::abs(left), std::abs(right)), top); }

PlaneFrame frame_about(const std::vector<std::complex<double>>& points, bool unit_circle) {
  PlaneFrame frame{0, 0, 0};
  for (const auto& z : points) {
    if (!std::isfinite(z.real()) || !std::isfinite(z.imag())) continue;
    frame.left = std::min(frame.left, z.real()), frame.right = std::max(frame.right, z.real());
    frame.top = std::max(frame.top, std::abs(z.imag()));
  }
  if (unit_circle) frame = {std::min(frame.left, -1.0), std::max(frame.right, 1.0), std::max(frame.top, 1.0)};
  const double size = std::max({-frame.left, frame.right, frame.top});
  if (size == 0) return {-aspect, aspect, 1};
  const double margin = 0.15 * std::max(size, 0.6 * (frame.right - frame.left));
  frame.left -= margin, frame.right += margin, frame.top += margin;
  const double width = frame.right - frame.left;
  if (width < 2 * frame.top * aspect) {  // wider, mostly into the left half plane
    const double more = 2 * frame.top * aspect - width, part = unit_circle ? 0.5 : 0.65;
    frame.left -= part * more, frame.right += (1 - part) * more;
  } else {
    frame.top = width / aspect / 2;
  }
  return frame;
}

void set_frame(Panel& panel, const PlaneFrame& frame) {
  panel.x.range = {frame.left, frame.right};
  panel.y.range = {-frame.top, frame.top};
}

void add_s_grid(Panel& panel, const PlaneFrame& frame) {
  if (frame.left >= 0) return;
  const double far = 2 * frame.reach();
  for (const double zeta : {0.1, 0.3, 0.5, 0.7, 0.9}) {
    const double x = -zeta, y = std::sqrt(1 - zeta * zeta);
    Series ray = guide();
    ray.x = {x * far, 0, x * far}, ray.y = {y * far, 0, -y * far};
    panel.series.push_back(std::move(ray));
    panel.notes.push_back({x * far, y * far, fmt::format("ζ = {:g}", zeta), true, Note::Side::edge});
  }
  for (const double w : ticks(0, std::max(-frame.left, frame.top), 4)) {
    if (w <= 0) continue;
    Series circle = guide();
    constexpr int points = 60;
    for (int i = 0; i <= points; ++i) {
      const double angle = std::numbers::pi * (0.5 + static_cast<double>(i) / points);
      circle.x.push_back(w * std::cos(angle)), circle.y.push_back(w * std::sin(angle));
    }
    panel.series.push_back(std::move(circle));
  }
}

namespace {

/// The image of p = ω_n·(−ζ + j√(1 − ζ²)) and its mirror image, with ω_n h from 0 to π.
std::complex<double> image(double zeta, double angle) {
  return std::exp(angle * std::complex<double>(-zeta, std::sqrt(1 - zeta * zeta)));
}

void add_with_mirror(Panel& panel, Series curve) {
  Series below = curve;
  for (double& y : below.y) y = -y;
  panel.series.push_back(std::move(curve));
  panel.series.push_back(std::move(below));
}

}  // namespace

void add_z_grid(Panel& panel) {
  constexpr double legible = 2;  // beyond it the values would hide the lines
  const bool labelled = panel.y.range && panel.y.range->second < legible;
  add_unit_circle(panel);
  constexpr int points = 60;
  for (const double zeta : {0.1, 0.3, 0.5, 0.7, 0.9}) {
    Series spiral = guide();
    const double last = std::numbers::pi / std::sqrt(1 - zeta * zeta);  // where it meets the negative real axis
    for (int i = 0; i <= points; ++i) {
      const auto z = image(zeta, last * i / points);
      spiral.x.push_back(z.real()), spiral.y.push_back(z.imag());
    }
    const auto at = image(zeta, 0.42 * last);
    if (labelled) panel.notes.push_back({at.real(), at.imag(), fmt::format("ζ = {:g}", zeta), true});
    add_with_mirror(panel, std::move(spiral));
  }
  for (int part = 1; part <= 9; part += 2) {
    Series line = guide();
    for (int i = 0; i <= points; ++i) {
      const auto z = image(static_cast<double>(i) / points, part * std::numbers::pi / 10);
      line.x.push_back(z.real()), line.y.push_back(z.imag());
    }
    if (labelled)
      panel.notes.push_back({line.x.front() * 1.02, line.y.front() * 1.02, fmt::format("ω_n = 0.{} π/h", part), true});
    add_with_mirror(panel, std::move(line));
  }
}

void add_grid(Panel& panel, const PlaneFrame& frame, bool discrete) {
  if (discrete) {
    panel.x.label = "real part", panel.y.label = "imaginary part";
    add_z_grid(panel);
  } else {
    add_s_grid(panel, frame);
  }
}

void show_plane(Panel& panel, const std::vector<std::complex<double>>& points, bool discrete) {
  const PlaneFrame frame = frame_about(points, discrete);
  set_frame(panel, frame);
  add_grid(panel, frame, discrete);
}

}  // namespace sfg
