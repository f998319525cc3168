#include "sfg/plot/panel_series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sfg/plot/inks.hpp"
#include "sfg/plot/set_caption.hpp"
#include "sfg/text/escape.hpp"

namespace sfg {

namespace {

using Style = Series::Style;

constexpr double swatch = 34, line_height = 18, inset = 6, column_gap = 14;

bool has_marks(Style style) { return style == Style::crosses || style == Style::circles || style == Style::dots; }
bool is_filled(Style style) { return style == Style::area || style == Style::bars; }

std::string mark(Pixel at, Style style, double size) {
  const double r = style == Style::dots ? 2.6 * size : 4.8 * size, arm = 4.5 * size;
  if (style == Style::crosses)
    return fmt::format("<path class=\"line\" d=\"M{},{}l{},{}m0,-{}l-{},{}\"/>\n", px(at.x - arm), px(at.y - arm), px(2 * arm),
                       px(2 * arm), px(2 * arm), px(2 * arm), px(2 * arm));
  return fmt::format("<circle class=\"{}\" cx=\"{}\" cy=\"{}\" r=\"{}\"/>\n", style == Style::dots ? "full" : "line", px(at.x),
                     px(at.y), px(r));
}

std::string_view weight_of(Style style) {
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
std::string marks_along(const std::vector<Stroke>& strokes, const Series& s) {
  constexpr double apart = 120, golden = 0.618;
  const std::size_t kind = pattern_of(s).mark;
  const double length = length_of(strokes);
  if (kind == 0 || length == 0) return "";
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
  return d.empty() ? "" : "<path class=\"mark paper\" d=\"" + d + "\"/>\n";
}

/// Heads of arrows in the direction in which the points follow each other.
std::string heads(const Series& s, const PanelFrame& frame) {
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
  return d.empty() ? "" : "<path class=\"full\" d=\"" + d + "\"/>\n";
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
std::string moving_lines(const Series& s, const PanelFrame& frame, Room& room) {
  const std::vector<Stroke> strokes = with_points(frame.strokes(s, true));
  double low = 0, high = 0;
  bool any = false;
  for (std::size_t i = 0; i < std::min(s.x.size(), s.y.size()); ++i) {
    if (!frame.drawable(s.x[i], s.y[i])) continue;
    if (!any) low = s.x[i];
    high = s.x[i];
    any = true;
  }
  if (strokes.empty() || !any) return "";
  room.add(strokes);
  const std::string what = fmt::format(" data-curve=\"{}\" data-transfer=\"{}\" data-range=\"{} {}\"{} d=\"{}\"/>\n", xml_text(s.kind),
                                       xml_text(s.transfer), low, high, dashes_of(s), path_of(strokes));
  return "<path class=\"line muted original\"" + what + "<path class=\"line\"" + what + marks_along(strokes, s);
}

std::string lines(const Series& s, const PanelFrame& frame, Room& room) {
  const std::vector<Stroke> strokes = frame.strokes(s);
  if (strokes.empty()) return "";
  room.add(strokes);
  if (length_of(strokes) == 0) return mark(strokes.front().front(), Style::dots, 1);  // one sample alone
  return fmt::format("<path class=\"{}\"{} d=\"{}\"/>\n", weight_of(s.style), dashes_of(s), path_of(strokes)) +
         marks_along(strokes, s) + heads(s, frame);
}

std::string marks(const Series& s, const PanelFrame& frame, Room& room) {
  constexpr double radius = 5, over = 1;
  const PixelBox& box = frame.box();
  std::string text;
  for (std::size_t i = 0; i < std::min(s.x.size(), s.y.size()); ++i) {
    if (!frame.drawable(s.x[i], s.y[i])) continue;
    const Pixel at = frame.at(s.x[i], s.y[i]);
    if (at.x < box.left - over || at.x > box.right + over || at.y < box.top - over || at.y > box.bottom + over) continue;
    room.add(at, radius * s.size);
    text += mark(at, s.style, s.size);
  }
  return text;
}

std::string fill(const Series& s, const PanelFrame& frame, Room& room) {
  std::vector<Stroke> outlines = frame.outlines(s);
  if (outlines.empty()) return "";
  const std::string d = path_of(outlines, true);
  for (Stroke& outline : outlines) outline.push_back(outline.front());
  if (s.style == Style::bars) room.add(outlines);
  return fmt::format("<path class=\"{}\" d=\"{}\"/>\n", s.style == Style::area ? "area" : "bars", d);
}

std::string name_of(const Series& s) {
  if (!s.label.empty()) return s.label.plain();
  return s.set.empty() ? s.transfer : s.set;
}

}  // namespace

std::string series_group(const Series& s, const PanelFrame& frame, const std::string& ink, Room& room, bool moving) {
  std::string text = "<g class=\"" + std::string(s.style == Style::guide ? "" : "curve ") + ink + "\"";
  if (!s.kind.empty()) text += " data-curve=\"" + xml_text(s.kind) + "\"";
  if (!s.transfer.empty()) text += " data-transfer=\"" + xml_text(s.transfer) + "\"";
  if (!s.set.empty()) text += " data-set=\"" + xml_text(s.set) + "\"";
  text += ">";
  if (const std::string name = name_of(s); !name.empty()) text += "<title>" + xml_text(name) + "</title>";
  text += "\n";
  const bool line = !has_marks(s.style) && !is_filled(s.style);
  if (line && moving && !s.kind.empty() && !s.transfer.empty())
    text += moving_lines(s, frame, room);
  else
    text += has_marks(s.style) ? marks(s, frame, room) : is_filled(s.style) ? fill(s, frame, room) : lines(s, frame, room);
  return text + "</g>\n";
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

std::string Legend::at(const PixelBox& box, std::size_t columns) const {
  if (entries_.empty()) return "";
  std::string text = fmt::format("<g class=\"legend\">\n<rect class=\"key\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n",
                                 px(box.left), px(box.top), px(box.width()), px(box.height()));
  const std::size_t lines = (entries_.size() + columns - 1) / columns;
  const auto n = static_cast<double>(columns);
  const double column = (box.width() - 2 * inset - (n - 1) * column_gap) / n;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const Series& s = *entries_[i].series;
    const double x = box.left + inset + static_cast<double>(i / lines) * (column + column_gap);
    const double y = box.top + inset - 1 + line_height * (static_cast<double>(i % lines) + 0.5);
    text += "<g class=\"" + entries_[i].ink + "\">";
    if (has_marks(s.style))
      text += mark({x + swatch / 2, y}, s.style, std::min(s.size, 1.3));
    else if (is_filled(s.style))
      text += fmt::format("<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"10\"/>\n",
                          s.style == Style::area ? "area" : "bars", px(x), px(y - 5), px(swatch));
    else
      text += fmt::format("<path class=\"{}\"{} d=\"M{},{}h{}\"/>\n", weight_of(s.style), dashes_of(s), px(x), px(y), px(swatch));
    if (const std::size_t kind = pattern_of(s).mark; kind != 0)
      text += "<path class=\"mark paper\" d=\"" + mark_outline(kind, x + swatch / 2, y) + "\"/>\n";
    text += "</g>" + text_at(x + swatch + 8, y + 4.5, "entry",
                             set(shortened(s.label, text_size, column - swatch - 8 + 0.5), text_size).markup);
  }
  return text + "</g>\n";
}

}  // namespace sfg
