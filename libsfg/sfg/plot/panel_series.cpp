#include "sfg/plot/panel_series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "sfg/draw/set_caption.hpp"
#include "sfg/plot/figures.hpp"
#include "sfg/plot/inks.hpp"

namespace sfg {

bool has_marks(Series::Style style) {
  using Style = Series::Style;
  return style == Style::crosses || style == Style::circles || style == Style::dots || style == Style::diamonds;
}

namespace {

using Style = Series::Style;

constexpr double swatch = 34, line_height = 18, inset = 6, column_gap = 14;
constexpr double other_face = 1.15;  // a program that knows no textLength may set words wider: they stay in their box

bool is_filled(Style style) { return style == Style::area || style == Style::bars; }

/// Bars of one panel are told apart by how much ink they have, not by its colour.
const char* filling(const Series& s) {
  if (s.style == Style::area) return "area";
  const std::size_t pattern = s.pattern.value_or(0);
  return pattern == 0 ? "bars" : pattern == 1 ? "bars pale" : "bars open";
}

SceneShape mark(Point at, Style style, double size) {
  const double r = style == Style::dots ? 2.6 * size : 4.8 * size, arm = 4.5 * size;
  if (style == Style::crosses)
    return {SceneShape::Kind::polyline,
            "line cross",
            {{at.x - arm, at.y - arm}, {at.x + arm, at.y + arm}, pen_up, {at.x + arm, at.y - arm}, {at.x - arm, at.y + arm}}};
  if (style == Style::diamonds) {
    const double corner = 5.5 * size;
    return {SceneShape::Kind::polyline,
            "line",
            {{at.x - corner, at.y}, {at.x, at.y - corner}, {at.x + corner, at.y}, {at.x, at.y + corner}, {at.x - corner, at.y}}};
  }
  return {SceneShape::Kind::circle, style == Style::dots ? "full" : "line", {at}, r};
}

std::string weight_of(Style style) {
  return style == Style::guide ? "line guide" : style == Style::thin || style == Style::whiskers ? "line thin" : "line";
}

SceneShape line_of(const Series& s, const std::vector<Stroke>& strokes) {
  return {.kind = SceneShape::Kind::polyline, .style = weight_of(s.style), .points = joined(strokes), .dash = pattern_of(s).dash};
}

double length_of(const std::vector<Stroke>& strokes) {
  double sum = 0;
  for (const Stroke& stroke : strokes)
    for (std::size_t i = 1; i < stroke.size(); ++i)
      sum += std::hypot(stroke[i].x - stroke[i - 1].x, stroke[i].y - stroke[i - 1].y);
  return sum;
}

/// Marks that tell a curve from others of its dash, at even distances; curves that coincide have them at different places.
SceneShape marks_along(const std::vector<Stroke>& strokes, const Series& s) {
  constexpr double apart = 120, golden = 0.618;
  const std::size_t kind = pattern_of(s).mark;
  const double length = length_of(strokes);
  if (kind == 0 || length == 0) return {};
  const double spacing = length / std::clamp(std::round(length / apart), 2.0, 9.0);
  double next = spacing * (0.15 + 0.7 * std::fmod(golden * static_cast<double>(*s.pattern), 1.0)), passed = 0;
  std::vector<Point> places;
  for (const Stroke& stroke : strokes)
    for (std::size_t i = 1; i < stroke.size(); ++i) {
      const Point a = stroke[i - 1], b = stroke[i];
      const double piece = std::hypot(b.x - a.x, b.y - a.y);
      for (; piece > 0 && next <= passed + piece; next += spacing) {
        const double part = (next - passed) / piece;
        places.push_back({a.x + part * (b.x - a.x), a.y + part * (b.y - a.y)});
      }
      passed += piece;
    }
  return marks_of(kind, places);
}

/// Heads of arrows in the direction in which the points follow each other.
SceneShape heads(const Series& s, const PanelFrame& frame) {
  constexpr double seen = 2, back = 9, half = 3.4;
  const std::size_t count = std::min(s.x.size(), s.y.size());
  std::vector<Stroke> outlines;
  for (const std::size_t i : s.arrows) {
    if (i >= count || !frame.drawable(s.x[i], s.y[i])) continue;
    const Point tip = frame.at(s.x[i], s.y[i]);
    if (tip.x < frame.box().left || tip.x > frame.box().right || tip.y < frame.box().top || tip.y > frame.box().bottom) continue;
    std::optional<Point> from, to;
    for (std::size_t k = i; k-- > 0 && !from && frame.drawable(s.x[k], s.y[k]);)
      if (const Point p = frame.at(s.x[k], s.y[k]); std::hypot(tip.x - p.x, tip.y - p.y) > seen) from = p;
    for (std::size_t k = i + 1; k < count && !from && !to && frame.drawable(s.x[k], s.y[k]); ++k)
      if (const Point p = frame.at(s.x[k], s.y[k]); std::hypot(tip.x - p.x, tip.y - p.y) > seen) to = p;
    if (!from && !to) continue;
    double dx = from ? tip.x - from->x : to->x - tip.x, dy = from ? tip.y - from->y : to->y - tip.y;
    const double length = std::hypot(dx, dy);
    dx /= length, dy /= length;
    const auto corner = [&](double backwards, double sideways) {
      return Point{tip.x - backwards * dx - sideways * dy, tip.y - backwards * dy + sideways * dx};
    };
    outlines.push_back({tip, corner(back, -half), corner(0.75 * back, 0), corner(back, half)});
  }
  return {SceneShape::Kind::polygon, "full", joined(outlines)};
}

/// A point for every few pixels, and all of them where the curve is bent.
std::vector<Stroke> with_points(std::vector<Stroke> strokes) {
  constexpr double unseen = 0.05, apart = 12;
  for (Stroke& stroke : strokes) {
    Stroke made;
    const Stroke bent = simplified(stroke, unseen);
    std::size_t next = 0;
    for (const Point p : stroke) {
      const bool kept = next < bent.size() && p.x == bent[next].x && p.y == bent[next].y;
      if (kept) ++next;
      if (kept || std::abs(p.x - made.back().x) >= apart) made.push_back(p);
    }
    stroke = std::move(made);
  }
  return strokes;
}

/// The grey twin, and over it the curve, which say what they show from one abscissa to another.
std::vector<SceneShape> moving_lines(const Series& s, const PanelFrame& frame, Room& room) {
  const std::vector<Stroke> strokes = with_points(frame.strokes(s, true));
  double low = 0, high = 0;
  bool any = false;
  for (std::size_t i = 0; i < std::min(s.x.size(), s.y.size()); ++i) {
    if (!frame.drawable(s.x[i], s.y[i])) continue;
    if (!any) low = s.x[i];
    high = s.x[i];
    any = true;
  }
  if (strokes.empty() || !any) return {};
  room.add(strokes);
  SceneShape curve = line_of(s, strokes);
  curve.data = {{"curve", s.kind}, {"transfer", s.transfer}, {"range", fmt::format("{} {}", low, high)}};
  SceneShape twin = curve;
  twin.style = "line muted original";
  return {std::move(twin), std::move(curve), marks_along(strokes, s)};
}

std::vector<SceneShape> lines(const Series& s, const PanelFrame& frame, Room& room) {
  const std::vector<Stroke> strokes = frame.strokes(s);
  if (strokes.empty()) return {};
  room.add(strokes);
  if (length_of(strokes) == 0) return {mark(strokes.front().front(), Style::dots, 1)};  // one sample alone
  return {line_of(s, strokes), marks_along(strokes, s), heads(s, frame)};
}

std::vector<SceneShape> series_marks(const Series& s, const PanelFrame& frame, Room& room) {
  constexpr double radius = 5, over = 1;
  const Box& box = frame.box();
  std::vector<SceneShape> made;
  for (std::size_t i = 0; i < std::min(s.x.size(), s.y.size()); ++i) {
    if (!frame.drawable(s.x[i], s.y[i])) continue;
    const Point at = frame.at(s.x[i], s.y[i]);
    if (at.x < box.left - over || at.x > box.right + over || at.y < box.top - over || at.y > box.bottom + over) continue;
    room.add(at, radius * s.size);
    made.push_back(mark(at, s.style, s.size));
  }
  return made;
}

std::vector<SceneShape> fill(const Series& s, const PanelFrame& frame, Room& room) {
  std::vector<Stroke> outlines = frame.outlines(s);
  if (outlines.empty()) return {};
  SceneShape shape{SceneShape::Kind::polygon, filling(s), joined(outlines)};
  for (Stroke& outline : outlines) outline.push_back(outline.front());
  if (s.style == Style::bars) room.add(outlines);
  return {std::move(shape)};
}

std::string style_name(const Series& s) {
  if (!s.label.empty()) return s.label.plain();
  return s.set.empty() ? s.transfer : s.set;
}

}  // namespace

SceneGroup series_group(const Series& s, const PanelFrame& frame, const std::string& ink, Room& room, bool moving) {
  const bool data = s.kind == measured_points;
  const char* what = data ? "data " : s.style == Series::Style::guide ? "" : "curve ";
  SceneGroup group{.style = what + ink, .data = {}, .title = style_name(s)};
  const std::string none;
  for (const auto& [name, value] : {std::pair("curve", data ? &none : &s.kind), std::pair("transfer", &s.transfer),
                                    std::pair("signal", &s.signal), std::pair("set", &s.set)})
    if (!value->empty()) group.data.emplace_back(name, *value);
  const bool line = !has_marks(s.style) && !is_filled(s.style);
  if (line && moving && !s.kind.empty() && !s.transfer.empty())
    group.shapes = moving_lines(s, frame, room);
  else
    group.shapes = has_marks(s.style)   ? series_marks(s, frame, room)
                   : is_filled(s.style) ? fill(s, frame, room)
                                        : lines(s, frame, room);
  std::erase_if(group.shapes, [](const SceneShape& shape) { return shape.points.empty(); });
  return group;
}

Legend::Legend(const Panel& panel, std::vector<std::string> inks) {
  for (std::size_t i = 0; i < panel.series.size(); ++i)
    if (const Series& s = panel.series[i]; s.in_legend()) entries_.push_back({&s, std::move(inks[i])});
}

double Legend::column_width(double most) const {
  double widest = 0;
  for (const Entry& entry : entries_) widest = std::max(widest, width_of(entry.series->label, text_size));
  return std::min(most, swatch + 8 + other_face * widest);
}

std::pair<double, double> Legend::extent(std::size_t columns, double most) const {
  if (entries_.empty()) return {};
  const auto n = static_cast<double>(columns);
  const double lines = std::ceil(static_cast<double>(entries_.size()) / n);
  const double column = column_width((most - 2 * inset - (n - 1) * column_gap) / n);
  return {2 * inset + n * column + (n - 1) * column_gap, 2 * inset - 2 + line_height * lines};
}

std::size_t Legend::columns_in(double width) const {
  const double column = column_width(width);
  return static_cast<std::size_t>(std::clamp(std::floor((width - 2 * inset + column_gap) / (column + column_gap)), 1.0,
                                             static_cast<double>(std::max<std::size_t>(entries_.size(), 1))));
}

SceneGroup Legend::at(const Box& box, std::size_t columns) const {
  SceneGroup group{.style = "legend"};
  if (entries_.empty()) return group;
  group.shapes.push_back({SceneShape::Kind::box, "key", {{box.left, box.top}, {box.right, box.bottom}}});
  const std::size_t lines = (entries_.size() + columns - 1) / columns;
  const auto n = static_cast<double>(columns);
  const double column = (box.width() - 2 * inset - (n - 1) * column_gap) / n;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const Series& s = *entries_[i].series;
    const double x = box.left + inset + static_cast<double>(i / lines) * (column + column_gap);
    const double y = box.top + inset - 1 + line_height * (static_cast<double>(i % lines) + 0.5);
    SceneGroup sample{.style = entries_[i].ink};
    if (has_marks(s.style))
      sample.shapes.push_back(mark({x + swatch / 2, y}, s.style, std::min(s.size, 1.3)));
    else if (is_filled(s.style))
      sample.shapes.push_back({SceneShape::Kind::box, filling(s), {{x, y - 5}, {x + swatch, y + 5}}});
    else
      sample.shapes.push_back(line_of(s, {{{x, y}, {x + swatch, y}}}));
    if (const std::size_t kind = pattern_of(s).mark; kind != 0) sample.shapes.push_back(marks_of(kind, {{x + swatch / 2, y}}));
    group.groups.push_back(std::move(sample));
    group.words.push_back({{x + swatch + 8, y + 4.5}, "entry", shortened(s.label, text_size, column - swatch - 8 + 0.5)});
  }
  return group;
}

void Room::add(const std::vector<Stroke>& strokes) {
  for (const Stroke& stroke : strokes)
    for (std::size_t i = 1; i < stroke.size(); ++i) pieces_.push_back({stroke[i - 1], stroke[i]});
}

void Room::add(Point mark, double radius) {
  pieces_.push_back({{mark.x - radius, mark.y - radius}, {mark.x + radius, mark.y + radius}});
  pieces_.push_back({{mark.x - radius, mark.y + radius}, {mark.x + radius, mark.y - radius}});
}

/// The length of curves inside a box, in pixels.
double Room::covered(const Box& box) const {
  double sum = 0;
  for (const Piece& piece : pieces_) {
    Point a = piece.from, b = piece.to;
    if (std::max(a.x, b.x) < box.left || std::min(a.x, b.x) > box.right || std::max(a.y, b.y) < box.top ||
        std::min(a.y, b.y) > box.bottom)
      continue;
    if (clip(a, b, box)) sum += std::max(1.0, std::hypot(b.x - a.x, b.y - a.y));
  }
  return sum;
}

bool Room::taken(const Box& box) const {
  return std::ranges::any_of(taken_, [&](const Box& other) { return other.overlap(box) > 0; });
}

std::optional<Box> Room::free_place(double width, double height) const {
  constexpr double inset = 8, clear = 4;
  const double across = frame_.width() - 2 * inset - width, down = frame_.height() - 2 * inset - height;
  if (across < 0 || down < 0) return {};
  constexpr int steps = 12;
  std::vector<std::pair<double, double>> order{{1, 0}, {0, 0}, {1, 1}, {0, 1}};
  for (int k = 1; k < steps; ++k)
    for (const double edge : {0.0, 1.0}) order.emplace_back(static_cast<double>(k) / steps, edge);
  for (int k = 1; k < steps; ++k)
    for (const double edge : {1.0, 0.0}) order.emplace_back(edge, static_cast<double>(k) / steps);
  for (int i = 1; i < steps; ++i)
    for (int k = 1; k < steps; ++k) order.emplace_back(static_cast<double>(i) / steps, static_cast<double>(k) / steps);
  for (const auto& [x, y] : order) {
    const double left = frame_.left + inset + x * across, top = frame_.top + inset + y * down;
    const Box box{left, top, left + width, top + height};
    if (covered(box.grown(clear)) == 0 && !taken(box)) return box;
  }
  return {};
}

Box Room::least_covered(double width, double height) const {
  constexpr int steps = 12;
  const double across = frame_.width() - width, down = frame_.height() - height, inset = std::min({8.0, across / 2, down / 2});
  Box best;
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i <= steps; ++i)
    for (int k = 0; k <= steps; ++k) {
      const double left = frame_.left + inset + (across - 2 * inset) * (1 - static_cast<double>(i) / steps),
                   top = frame_.top + inset + (down - 2 * inset) * k / steps;
      const Box box{left, top, left + width, top + height};
      const double cost = covered(box) + (taken(box) ? width + height : 0);
      if (cost < least) best = box, least = cost;
    }
  return best;
}

std::optional<Box> Room::place_beside(Point at, double width, double height, bool close) const {
  struct Way {
    double x, y;  // −1, 0, 1: the text lies on that side
  };
  static constexpr std::array<Way, 8> ways{{{1, -1}, {-1, -1}, {1, 1}, {-1, 1}, {0, -1}, {0, 1}, {1, 0}, {-1, 0}}};
  const Box inside = frame_.grown(-2);
  constexpr double apart = 5, most_struck = 1.6;  // values of contours: from one another; of their width, by curves
  std::optional<Box> best;
  double least = std::numeric_limits<double>::infinity();
  for (const double away : close ? std::vector<double>{2, 6} : std::vector<double>{4, 9, 15, 24, 36, 55, 80, 120, 180, 260}) {
    for (const Way& way : ways) {
      const double x = at.x + way.x * (away + width / 2), y = at.y + way.y * (away + height / 2);
      const Box box{x - width / 2, y - height / 2, x + width / 2, y + height / 2};
      if (!inside.holds(box) || taken(close ? box.grown(apart) : box)) continue;
      const double cost = 2 * away + covered(box.grown(1));
      if (close && cost > most_struck * width) continue;
      if (cost >= least) continue;
      best = box;
      least = cost;
    }
    if (best && least < 3 * away) break;  // further away is worse
  }
  return best;
}

}  // namespace sfg
