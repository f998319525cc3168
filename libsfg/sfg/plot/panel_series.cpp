#include "sfg/plot/panel_series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sfg/draw/set_caption.hpp"
#include "sfg/plot/inks.hpp"

namespace sfg {

namespace {

using Style = Series::Style;

constexpr double swatch = 34, line_height = 18, inset = 6, column_gap = 14;

bool has_marks(Style style) { return style == Style::crosses || style == Style::circles || style == Style::dots; }
bool is_filled(Style style) { return style == Style::area || style == Style::bars; }

PlotPart mark(Pixel at, Style style, double size) {
  const double r = style == Style::dots ? 2.6 * size : 4.8 * size, arm = 4.5 * size;
  if (style == Style::crosses)
    return {PlotPath{"line", fmt::format("M{},{}l{},{}m0,-{}l-{},{}", px(at.x - arm), px(at.y - arm), px(2 * arm), px(2 * arm),
                                         px(2 * arm), px(2 * arm), px(2 * arm))}};
  return {PlotDisc{style == Style::dots ? "full" : "line", at, r}};
}

std::string weight_of(Style style) {
  return style == Style::guide ? "line guide" : style == Style::thin || style == Style::whiskers ? "line thin" : "line";
}

double length_of(const std::vector<Stroke>& strokes) {
  double sum = 0;
  for (const Stroke& stroke : strokes)
    for (std::size_t i = 1; i < stroke.size(); ++i)
      sum += std::hypot(stroke[i].x - stroke[i - 1].x, stroke[i].y - stroke[i - 1].y);
  return sum;
}

/// Marks that tell a curve from others of its dash, at even distances; curves that coincide have them at different places.
PlotPath marks_along(const std::vector<Stroke>& strokes, const Series& s) {
  constexpr double apart = 120, golden = 0.618;
  const std::size_t kind = pattern_of(s).mark;
  const double length = length_of(strokes);
  if (kind == 0 || length == 0) return {};
  const double spacing = length / std::clamp(std::round(length / apart), 2.0, 9.0);
  double next = spacing * (0.15 + 0.7 * std::fmod(golden * static_cast<double>(*s.pattern), 1.0)), passed = 0;
  std::string d;
  for (const Stroke& stroke : strokes)
    for (std::size_t i = 1; i < stroke.size(); ++i) {
      const Pixel a = stroke[i - 1], b = stroke[i];
      const double piece = std::hypot(b.x - a.x, b.y - a.y);
      for (; piece > 0 && next <= passed + piece; next += spacing) {
        const double part = (next - passed) / piece;
        d += mark_outline(kind, a.x + part * (b.x - a.x), a.y + part * (b.y - a.y));
      }
      passed += piece;
    }
  return {"mark paper", std::move(d)};
}

/// Heads of arrows in the direction in which the points follow each other.
PlotPath heads(const Series& s, const PanelFrame& frame) {
  constexpr double seen = 2, back = 9, half = 3.4;
  const std::size_t count = std::min(s.x.size(), s.y.size());
  std::string d;
  for (const std::size_t i : s.arrows) {
    if (i >= count || !frame.drawable(s.x[i], s.y[i])) continue;
    const Pixel tip = frame.at(s.x[i], s.y[i]);
    if (tip.x < frame.box().left || tip.x > frame.box().right || tip.y < frame.box().top || tip.y > frame.box().bottom) continue;
    std::optional<Pixel> from, to;
    for (std::size_t k = i; k-- > 0 && !from && frame.drawable(s.x[k], s.y[k]);)
      if (const Pixel p = frame.at(s.x[k], s.y[k]); std::hypot(tip.x - p.x, tip.y - p.y) > seen) from = p;
    for (std::size_t k = i + 1; k < count && !from && !to && frame.drawable(s.x[k], s.y[k]); ++k)
      if (const Pixel p = frame.at(s.x[k], s.y[k]); std::hypot(tip.x - p.x, tip.y - p.y) > seen) to = p;
    if (!from && !to) continue;
    double dx = from ? tip.x - from->x : to->x - tip.x, dy = from ? tip.y - from->y : to->y - tip.y;
    const double length = std::hypot(dx, dy);
    dx /= length, dy /= length;
    const auto corner = [&](double backwards, double sideways) {
      return px(tip.x - backwards * dx - sideways * dy) + "," + px(tip.y - backwards * dy + sideways * dx);
    };
    d += "M" + corner(0, 0) + "L" + corner(back, -half) + "L" + corner(0.75 * back, 0) + "L" + corner(back, half) + "Z";
  }
  return {"full", std::move(d)};
}

/// A point for every few pixels, and all of them where the curve is bent.
std::vector<Stroke> with_points(std::vector<Stroke> strokes) {
  constexpr double unseen = 0.05, apart = 12;
  for (Stroke& stroke : strokes) {
    Stroke made;
    const Stroke bent = simplified(stroke, unseen);
    std::size_t next = 0;
    for (const Pixel p : stroke) {
      const bool kept = next < bent.size() && p.x == bent[next].x && p.y == bent[next].y;
      if (kept) ++next;
      if (kept || std::abs(p.x - made.back().x) >= apart) made.push_back(p);
    }
    stroke = std::move(made);
  }
  return strokes;
}

/// The grey twin, and over it the curve, which say what they show from one abscissa to another.
PlotParts moving_lines(const Series& s, const PanelFrame& frame, Room& room) {
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
  PlotPath curve{"line", path_of(strokes), pattern_of(s).dash};
  curve.data = {{"curve", s.kind}, {"transfer", s.transfer}, {"range", fmt::format("{} {}", low, high)}};
  PlotPath twin = curve;
  twin.classes = "line muted original";
  PlotParts made{{std::move(twin)}, {std::move(curve)}};
  made.push_back({marks_along(strokes, s)});
  return made;
}

PlotParts lines(const Series& s, const PanelFrame& frame, Room& room) {
  const std::vector<Stroke> strokes = frame.strokes(s);
  if (strokes.empty()) return {};
  room.add(strokes);
  if (length_of(strokes) == 0) return {mark(strokes.front().front(), Style::dots, 1)};  // one sample alone
  return {{PlotPath{weight_of(s.style), path_of(strokes), pattern_of(s).dash}}, {marks_along(strokes, s)}, {heads(s, frame)}};
}

PlotParts series_marks(const Series& s, const PanelFrame& frame, Room& room) {
  constexpr double radius = 5, over = 1;
  const PixelBox& box = frame.box();
  PlotParts made;
  for (std::size_t i = 0; i < std::min(s.x.size(), s.y.size()); ++i) {
    if (!frame.drawable(s.x[i], s.y[i])) continue;
    const Pixel at = frame.at(s.x[i], s.y[i]);
    if (at.x < box.left - over || at.x > box.right + over || at.y < box.top - over || at.y > box.bottom + over) continue;
    room.add(at, radius * s.size);
    made.push_back(mark(at, s.style, s.size));
  }
  return made;
}

PlotParts fill(const Series& s, const PanelFrame& frame, Room& room) {
  std::vector<Stroke> outlines = frame.outlines(s);
  if (outlines.empty()) return {};
  std::string d = path_of(outlines, true);
  for (Stroke& outline : outlines) outline.push_back(outline.front());
  if (s.style == Style::bars) room.add(outlines);
  return {{PlotPath{s.style == Style::area ? "area" : "bars", std::move(d)}}};
}

std::string style_name(const Series& s) {
  if (!s.label.empty()) return s.label.plain();
  return s.set.empty() ? s.transfer : s.set;
}

}  // namespace

PlotGroup series_group(const Series& s, const PanelFrame& frame, const std::string& ink, Room& room, bool moving) {
  PlotGroup group{.classes = (s.style == Series::Style::guide ? "" : "curve ") + ink, .title = style_name(s)};
  for (const auto& [name, value] : {std::pair("curve", &s.kind), std::pair("transfer", &s.transfer), std::pair("set", &s.set)})
    if (!value->empty()) group.data.emplace_back(name, *value);
  const bool line = !has_marks(s.style) && !is_filled(s.style);
  if (line && moving && !s.kind.empty() && !s.transfer.empty())
    group.parts = moving_lines(s, frame, room);
  else
    group.parts = has_marks(s.style)   ? series_marks(s, frame, room)
                  : is_filled(s.style) ? fill(s, frame, room)
                                       : lines(s, frame, room);
  return group;
}

Legend::Legend(const Panel& panel, std::vector<std::string> inks) {
  for (std::size_t i = 0; i < panel.series.size(); ++i)
    if (!panel.series[i].label.empty()) entries_.push_back({&panel.series[i], std::move(inks[i])});
}

double Legend::column_width(double most) const {
  double widest = 0;
  for (const Entry& entry : entries_) widest = std::max(widest, width_of(entry.series->label, text_size));
  return std::min(most, swatch + 8 + widest);
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

PlotGroup Legend::at(const PixelBox& box, std::size_t columns) const {
  PlotGroup group{.classes = "legend"};
  if (entries_.empty()) return group;
  group.parts.push_back({PlotBox{"key", box}});
  const std::size_t lines = (entries_.size() + columns - 1) / columns;
  const auto n = static_cast<double>(columns);
  const double column = (box.width() - 2 * inset - (n - 1) * column_gap) / n;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const Series& s = *entries_[i].series;
    const double x = box.left + inset + static_cast<double>(i / lines) * (column + column_gap);
    const double y = box.top + inset - 1 + line_height * (static_cast<double>(i % lines) + 0.5);
    PlotGroup sample{.classes = entries_[i].ink, .swatch = true};
    if (has_marks(s.style))
      sample.parts.push_back(mark({x + swatch / 2, y}, s.style, std::min(s.size, 1.3)));
    else if (is_filled(s.style))
      sample.parts.push_back({PlotBox{s.style == Style::area ? "area" : "bars", {x, y - 5, x + swatch, y + 5}}});
    else
      sample.parts.push_back(
          {PlotPath{weight_of(s.style), fmt::format("M{},{}h{}", px(x), px(y), px(swatch)), pattern_of(s).dash}});
    if (const std::size_t kind = pattern_of(s).mark; kind != 0)
      sample.parts.push_back({PlotPath{"mark paper", mark_outline(kind, x + swatch / 2, y)}});
    group.parts.push_back({std::move(sample)});
    group.parts.push_back(
        {PlotWords{x + swatch + 8, y + 4.5, "entry", shortened(s.label, text_size, column - swatch - 8 + 0.5), text_size}});
  }
  return group;
}

}  // namespace sfg
