#include "sfg/plot/panel_frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "sfg/draw/set_caption.hpp"
#include "sfg/draw/svg_path.hpp"

namespace sfg {

namespace {

constexpr double title_line = 19, above_frame = 16, below_title = 12,
                 most_places = 1e4;  // widths of the frame beyond which nothing is told apart

SceneWords times_power(Point at, const char* classes, int power) {
  return {at, classes, "×10", text_size, (power < 0 ? "−" : "") + std::to_string(std::abs(power))};
}

}  // namespace

PanelFrame::PanelFrame(const Panel& panel, double left, double right, double top, int height, bool over)
    : panel_(panel), over_(over) {
  constexpr std::size_t most_lines = 3;
  constexpr double least = 40;  // that something can be seen
  title_ = wrapped(panel.title, label_size, right - left, most_lines);
  const double frame_top =
      top + above_frame + (title_.empty() ? 0 : below_title) + title_line * static_cast<double>(title_.size());
  box_ = {left, frame_top, std::max(right, left + least), frame_top + std::max(least, height - 62.0)};
  fit_ranges();
  make_room_for_notes();
  if (panel.equal_scales) equalise();
  x_ticks_ = axis_ticks(panel.x.scale, x_, box_.width(), true);
  y_ticks_ = axis_ticks(panel.y.scale, y_, box_.height(), false);
}

void PanelFrame::fit_ranges() {
  Range x, y;
  for (const Series& s : panel_.series) {
    for (const double v : s.x)
      if (panel_.x.scale != Axis::Scale::logarithmic || v > 0) x.include(v);
    for (const double v : s.y)
      if (panel_.y.scale != Axis::Scale::logarithmic || v > 0) y.include(v);
  }
  for (const Rule& rule : panel_.rules) (rule.vertical ? x : y).include(rule.at);
  x_ = fitted(panel_.x, x, !panel_.equal_scales && panel_.x.scale != Axis::Scale::degrees);
  y_ = fitted(panel_.y, y, false);
}

/// Numbers stand behind the ends of their bars: the abscissa grows until they do.
void PanelFrame::make_room_for_notes() {
  constexpr double beside = 8, most_part = 0.35;
  constexpr int rounds = 6;  // each widens what a pixel stands for
  if (panel_.x.scale == Axis::Scale::logarithmic) return;
  for (int round = 0; round < rounds; ++round)
    for (const Note& note : panel_.notes) {
      if (note.side != Note::Side::left && note.side != Note::Side::right) continue;
      const double part = std::min(most_part, (width_of(note.text, text_size) + beside) / box_.width());
      const double room = part * (x_.high - x_.low);
      if (note.side == Note::Side::left) x_.low = std::min(x_.low, note.x - room);
      if (note.side == Note::Side::right) x_.high = std::max(x_.high, note.x + room);
    }
}

void PanelFrame::equalise() {
  const double per = std::max((x_.high - x_.low) / box_.width(), (y_.high - y_.low) / box_.height());
  if (!std::isfinite(per)) return;
  const auto widen = [per](Range& r, double length) {
    const double middle = (r.low + r.high) / 2;
    r = {middle - per * length / 2, middle + per * length / 2};
  };
  widen(x_, box_.width());
  widen(y_, box_.height());
}

bool PanelFrame::shares_abscissa(const PanelFrame& other) const {
  return panel_.x.label == other.panel_.x.label && panel_.x.scale == other.panel_.x.scale && x_.low == other.x_.low &&
         x_.high == other.x_.high && x_ticks_.power == other.x_ticks_.power && panel_.remarks.empty();
}

double PanelFrame::name_width() const {
  double widest = 0;
  for (const std::string& name : panel_.y.names) widest = std::max(widest, width_of(Caption::name(name), text_size));
  for (const Caption& detail : panel_.y.details) widest = std::max(widest, width_of(detail, 11));
  return widest;
}

double PanelFrame::wanted_left() const {
  constexpr double beside = 42, least = 62;
  double widest = name_width();
  if (panel_.y.names.empty())
    for (const Tick& tick : y_ticks_.labelled) widest = std::max(widest, sfg::width_of(tick));
  return std::max(least, beside + widest);
}

double PanelFrame::at_x(double v) const {
  return box_.left + std::clamp(place_of(v, x_, panel_.x.scale), -most_places, most_places) * box_.width();
}
double PanelFrame::at_y(double v) const {
  return box_.bottom - std::clamp(place_of(v, y_, panel_.y.scale), -most_places, most_places) * box_.height();
}
Point PanelFrame::at(double x, double y) const { return {at_x(x), at_y(y)}; }

bool PanelFrame::drawable(double x, double y) const {
  return std::isfinite(x) && std::isfinite(y) && (panel_.x.scale != Axis::Scale::logarithmic || x > 0) &&
         (panel_.y.scale != Axis::Scale::logarithmic || y > 0);
}

std::vector<Stroke> PanelFrame::strokes(const Series& s, bool every) const {
  constexpr double unseen = 0.1;
  std::vector<Stroke> whole;
  bool pen = false;
  const auto add = [&](Point p) {
    if (!pen) whole.emplace_back();
    whole.back().push_back(p);
    pen = true;
  };
  const std::size_t count = std::min(s.x.size(), s.y.size());
  for (std::size_t i = 0; i < count; ++i) {
    if (s.style == Series::Style::stairs && pen && std::isfinite(s.x[i])) add({at_x(s.x[i]), whole.back().back().y});
    if (drawable(s.x[i], s.y[i])) {
      add(at(s.x[i], s.y[i]));
    } else if (std::isinf(s.y[i]) && drawable(s.x[i], 1)) {  // to the frame, and from there on anew
      const Point edge{at_x(s.x[i]), s.y[i] > 0 ? box_.top : box_.bottom};
      if (pen) add(edge);
      pen = false;
      if (i + 1 < count && drawable(s.x[i + 1], s.y[i + 1])) add(edge);
    } else {
      pen = false;
    }
  }
  std::vector<Stroke> seen = clipped(whole, box_);
  if (every) return seen;
  for (Stroke& stroke : seen) stroke = simplified(stroke, unseen);
  return seen;
}

std::vector<Stroke> PanelFrame::outlines(const Series& s) const {
  std::vector<Stroke> made(1);
  for (std::size_t i = 0; i < std::min(s.x.size(), s.y.size()); ++i) {
    if (drawable(s.x[i], s.y[i]))
      made.back().push_back(at(s.x[i], s.y[i]));
    else if (!made.back().empty())
      made.emplace_back();
  }
  for (Stroke& outline : made) outline = clipped_outline(outline, box_);
  std::erase_if(made, [](const Stroke& outline) { return outline.empty(); });
  return made;
}

std::vector<SceneShape> PanelFrame::grid(const AxisTicks& ticks, bool horizontal) const {
  std::vector<Stroke> minor, major;
  const auto add = [&](std::vector<Stroke>& lines, double v) {
    lines.push_back(horizontal ? Stroke{{at_x(v), box_.top}, {at_x(v), box_.bottom}}
                               : Stroke{{box_.left, at_y(v)}, {box_.right, at_y(v)}});
  };
  for (const double v : ticks.minor) add(minor, v);
  for (const Tick& tick : ticks.labelled) add(major, tick.value);
  std::vector<SceneShape> made;
  for (const auto& [style, lines] : {std::pair("minor", &minor), std::pair("grid", &major)})
    if (!lines->empty()) made.push_back({SceneShape::Kind::polyline, style, joined(*lines)});
  return made;
}

std::vector<SceneWords> PanelFrame::numbers(const AxisTicks& ticks, bool horizontal, double picture_width) const {
  std::vector<SceneWords> made;
  for (const Tick& tick : ticks.labelled) {
    const double furthest = picture_width - 3 - sfg::width_of(tick) / 2;
    const Point place =
        horizontal ? Point{std::min(at_x(tick.value), furthest), box_.bottom + 17} : Point{box_.left - 7, at_y(tick.value) + 4.5};
    made.push_back({place, horizontal ? "middle" : "end", tick.text, tick_size, tick.exponent});
  }
  return made;
}

void PanelFrame::add_names(SceneGroup& group) const {
  constexpr double detail_size = 11;
  const bool bars = std::ranges::find(panel_.series, Series::Style::bars, &Series::style) != panel_.series.end();
  for (std::size_t i = 0; i < panel_.y.names.size(); ++i) {
    const double y = at_y(static_cast<double>(i + 1));
    const bool detailed = i < panel_.y.details.size() && !panel_.y.details[i].empty();
    if (!bars) group.shapes.push_back({SceneShape::Kind::polyline, "grid", {{box_.left, y}, {box_.right, y}}});
    group.words.push_back({{box_.left - 7, y + (detailed ? -1.5 : 4.5)}, "end", Caption::name(panel_.y.names[i])});
    if (detailed) group.words.push_back({{box_.left - 7, y + 11}, "end small muted", panel_.y.details[i], detail_size});
  }
}

void PanelFrame::add_labels(std::vector<SceneWords>& words) const {
  constexpr double below = 39, left_of_all = 17, power_room = 100, far = 40;
  const double middle = (box_.left + box_.right) / 2;
  double y = box_.top - above_frame - below_title + 7 + title_line;
  for (std::size_t i = title_.size(); i-- > 0;)
    words.push_back({{middle, y -= title_line}, "middle label", title_[i], label_size});
  const double across = box_.width() - (x_ticks_.power != 0 ? power_room : 0);
  if (!over_)
    words.push_back({{middle, box_.bottom + below}, "middle label", shortened(panel_.x.label, label_size, across), label_size});
  const double off = box_.left - wanted_left();  // where another panel's names widen the margin, it stays with its numbers
  words.push_back({{left_of_all + (off > far ? off : 0), (box_.top + box_.bottom) / 2},
                   "middle label",
                   shortened(panel_.y.label, label_size, box_.height() + 30),
                   label_size,
                   "",
                   true});
  if (x_ticks_.power != 0 && !over_) words.push_back(times_power({box_.right, box_.bottom + below}, "end", x_ticks_.power));
  if (y_ticks_.power != 0 && panel_.y.names.empty()) words.push_back(times_power({box_.left, box_.top - 5}, "", y_ticks_.power));
}

SceneData PanelFrame::data() const {
  static constexpr std::array<std::string_view, 4> scales{"linear", "logarithmic", "degrees", "decibels"};
  const auto scale = [](const Axis& axis) { return std::string(scales.at(static_cast<std::size_t>(axis.scale))); };
  return {{"box", fmt::format("{} {} {} {}", rounded_to_tenths(box_.left), rounded_to_tenths(box_.top),
                              rounded_to_tenths(box_.right), rounded_to_tenths(box_.bottom))},
          {"x", fmt::format("{} {}", x_.low, x_.high)},
          {"x-scale", scale(panel_.x)},
          {"y", fmt::format("{} {}", y_.low, y_.high)},
          {"y-scale", scale(panel_.y)}};
}

std::vector<SceneGroup> PanelFrame::axes(double picture_width) const {
  SceneGroup ordinate{.style = "ordinate"}, frame, beside{.style = "ordinate"};
  if (panel_.y.names.empty()) {
    ordinate.shapes = grid(y_ticks_, false);
    beside.words = numbers(y_ticks_, false, picture_width);
  }
  for (const Rule& rule : panel_.rules) {
    const Point at = rule.vertical ? Point{at_x(rule.at), box_.top} : Point{box_.left, at_y(rule.at)};
    if (at.x < box_.left || at.x > box_.right || at.y < box_.top || at.y > box_.bottom) continue;
    const Point end = rule.vertical ? Point{at.x, box_.bottom} : Point{box_.right, at.y};
    frame.shapes.push_back({SceneShape::Kind::polyline, "rule muted", {at, end}});
  }
  frame.shapes.push_back({SceneShape::Kind::box, "frame", {{box_.left, box_.top}, {box_.right, box_.bottom}}});
  if (!over_) frame.words = numbers(x_ticks_, true, picture_width);
  add_names(frame);
  add_labels(frame.words);
  return {{.style = "", .shapes = grid(x_ticks_, true)}, std::move(ordinate), std::move(frame), std::move(beside)};
}

}  // namespace sfg
