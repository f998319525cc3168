#include "sfg/plot/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <ostream>
#include <string_view>

#include "sfg/draw/palette.hpp"
#include "sfg/plot/set_caption.hpp"
#include "sfg/text/escape.hpp"
#include "sfg/text/utf8.hpp"

namespace sfg {

namespace {

/// A coordinate of the picture: two decimals are finer than any screen.
std::string px(double value) {
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string tick_text(double value, double step) {
  if (value == 0 || std::abs(value) < step * 1e-9) return "0";
  const double size = std::abs(value);
  std::string text;
  if (size >= 1e5 || size < 1e-4) {
    const int decade = static_cast<int>(std::floor(std::log10(size) + 1e-12));
    text = fmt::format("{:g}·10", value / std::pow(10.0, decade)) + "<tspan dy=\"-5\" font-size=\"9\">" +
           fmt::format("{}", decade) + "</tspan>";
  } else {
    text = fmt::format("{:.10g}", std::round(value / step * 1e6) / 1e6 * step);
  }
  if (text.front() == '-') text.replace(0, 1, "−");
  return text;
}

std::string decade_text(int decade) {
  if (decade >= -2 && decade <= 3) return fmt::format("{:g}", std::pow(10.0, decade));
  return fmt::format("10<tspan dy=\"-5\" font-size=\"9\">{}{}</tspan>", decade < 0 ? "−" : "", std::abs(decade));
}

/// The customary steps of angles and of decibels.
double customary_step(Axis::Scale scale, double span, int wanted) {
  static constexpr std::array degrees{1.0, 2.0, 5.0, 15.0, 30.0, 45.0, 90.0, 180.0, 360.0, 720.0};
  static constexpr std::array decibels{0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 40.0, 60.0, 100.0, 200.0};
  const auto least = [&](const auto& steps, double unit) {
    for (const double step : steps)
      if (span / step <= wanted + 1) return step;
    return unit * std::ceil(span / unit / wanted);
  };
  return scale == Axis::Scale::degrees ? least(degrees, 90.0) : least(decibels, 100.0);
}

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  void include(double v) {
    if (!std::isfinite(v)) return;
    low = std::min(low, v);
    high = std::max(high, v);
  }
};

/// The data's range, widened so that curves do not stick to the frame and a constant has a height.
Range fitted(const Axis& axis, const Range& data) {
  if (axis.range) return {axis.range->first, axis.range->second};
  Range range = data;
  if (!(range.low <= range.high)) return axis.scale == Axis::Scale::logarithmic ? Range{0.1, 10.0} : Range{0.0, 1.0};
  if (axis.scale == Axis::Scale::logarithmic) {
    if (range.low == range.high) return {range.low / 10, range.high * 10};
    return range;
  }
  const double span = range.high - range.low;
  const double margin = span > 1e-12 * std::max(std::abs(range.low), std::abs(range.high))
                            ? 0.06 * span
                            : std::max(0.5, std::abs(range.high) * 0.5);
  return {range.low - margin, range.high + margin};
}

class PanelPicture {
 public:
  /// @param beside  width that all panels of the figure leave for legends on their right
  PanelPicture(const Panel& panel, const PlotPalette& colours, double top, int width, int height, double beside,
               std::size_t number)
      : panel_(panel), colours_(colours), number_(number) {
    left_ = std::max(78.0, 34 + widest_name(panel.y));
    right_ = width - 24.0 - beside;
    top_ = top + (panel.title.empty() ? 14.0 : 34.0);
    bottom_ = top + height - 48.0;
    Range x, y;
    for (const Series& s : panel.series) {
      for (const double v : s.x)
        if (panel.x.scale != Axis::Scale::logarithmic || v > 0) x.include(v);
      for (const double v : s.y)
        if (panel.y.scale != Axis::Scale::logarithmic || v > 0) y.include(v);
    }
    for (const Rule& rule : panel.rules) (rule.vertical ? x : y).include(rule.at);
    x_ = fitted(panel.x, x);
    y_ = fitted(panel.y, y);
    if (panel.x.scale == Axis::Scale::linear && !panel.x.range && !panel.equal_scales && x.low <= x.high && x.low < x.high)
      x_ = x;
    if (panel.equal_scales) equalise();
  }

  void write(std::ostream& out) {
    if (!panel_.title.empty())
      out << fmt::format("<text x=\"{}\" y=\"{}\" class=\"t\">{}</text>\n", px((left_ + right_) / 2), px(top_ - 12),
                         set(panel_.title, 12).markup);
    out << fmt::format("<clipPath id=\"c{}\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/></clipPath>\n", number_,
                       px(left_), px(top_), px(right_ - left_), px(bottom_ - top_));
    write_grid(out, panel_.x, true);
    write_grid(out, panel_.y, false);
    out << fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" class=\"f\"/>\n", px(left_), px(top_),
                       px(right_ - left_), px(bottom_ - top_));
    out << fmt::format("<g clip-path=\"url(#c{})\">\n", number_);
    for (const Rule& rule : panel_.rules)
      out << (rule.vertical ? fmt::format("<path class=\"r\" d=\"M{0},{1}V{2}\"/>\n", px(at_x(rule.at)), px(top_), px(bottom_))
                            : fmt::format("<path class=\"r\" d=\"M{1},{0}H{2}\"/>\n", px(at_y(rule.at)), px(left_), px(right_)));
    std::size_t next = 0;
    for (const Series& s : panel_.series) write_series(out, s, ink_of(s, next));
    out << "</g>\n";
    place_ink();
    const Box legend = legend_box();
    if (legend.right > legend.left) taken_.push_back(legend);
    for (const Note& note : panel_.notes) write_note(out, note);
    out << fmt::format("<text x=\"{}\" y=\"{}\" class=\"l\">{}</text>\n", px((left_ + right_) / 2), px(bottom_ + 38),
                       set(panel_.x.label, 12).markup);
    out << fmt::format("<text transform=\"translate({},{}) rotate(-90)\" class=\"l\">{}</text>\n", px(20),
                       px((top_ + bottom_) / 2), set(panel_.y.label, 12).markup);
    write_legend(out, legend);
  }

  /// Width and height; 0 when no series has a label.
  static std::pair<double, double> legend_size(const Panel& panel) {
    double longest = 0;
    std::size_t lines = 0;
    for (const Series& s : panel.series)
      if (!s.label.empty()) longest = std::max(longest, width_of(s.label.plain(), 6.6)), ++lines;
    if (lines == 0) return {};
    return {44 + longest, 6 + 17.0 * static_cast<double>(lines)};
  }

 private:
  struct Box {
    double left = 0, top = 0, right = 0, bottom = 0;
    bool overlaps(const Box& other) const {
      return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
    }
    bool holds(std::pair<double, double> p) const {
      return p.first > left && p.first < right && p.second > top && p.second < bottom;
    }
  };

  /// Points along everything that is drawn: what a legend or a note should not cover.
  void place_ink() {
    constexpr double apart = 8;
    for (const Series& s : panel_.series) {
      const bool marks = s.style == Series::Style::crosses || s.style == Series::Style::circles || s.style == Series::Style::dots;
      std::pair<double, double> before;
      bool pen = false;
      for (std::size_t i = 0; i < std::min(s.x.size(), s.y.size()); ++i) {
        if (!std::isfinite(s.x[i]) || !std::isfinite(s.y[i])) {
          pen = false;
          continue;
        }
        const std::pair<double, double> here(at_x(s.x[i]), at_y(s.y[i]));
        const double length = pen && !marks ? std::hypot(here.first - before.first, here.second - before.second) : 0;
        const int steps = static_cast<int>(std::min(200.0, length / apart));
        for (int k = 1; k < steps; ++k) {
          const double part = static_cast<double>(k) / steps;
          ink_.emplace_back(before.first + part * (here.first - before.first),
                            before.second + part * (here.second - before.second));
        }
        ink_.push_back(here);
        before = here;
        pen = true;
      }
    }
  }
  long covered(const Box& box) const {
    return std::count_if(ink_.begin(), ink_.end(), [&](const auto& p) { return box.holds(p); });
  }

  static double widest_name(const Axis& axis) {
    double widest = 0;
    for (const auto* texts : {&axis.names, &axis.details})
      for (const std::string& text : *texts) widest = std::max(widest, width_of(text, texts == &axis.names ? 6.8 : 5.8));
    return widest;
  }

  /// Characters of UTF-8 text.
  static double width_of(const std::string& text, double per_character) { return per_character * character_count(text); }

  void write_note(std::ostream& out, const Note& note) {
    const double x = at_x(note.x), y = at_y(note.y), width = width_of(note.text.plain(), 6.6), height = 12;
    struct Place {
      double dx, dy;  // of the lower left corner
    };
    std::optional<Box> best;
    if (note.side != Note::Side::any) {
      const double left = note.side == Note::Side::right ? x + 5 : x - 5 - width;
      best = Box{left, y - 8, left + width, y + 6};
    }
    double least = 0;
    for (const double away : best ? std::vector<double>{} : note.close ? std::vector{2.0} : std::vector{5.0, 14.0, 26.0})
      for (const Place place : {Place{away, -away},
                                {-width - away, -away},
                                {away, height + away - 3},
                                {-width - away, height + away - 3},
                                {-width / 2, -away - 3},
                                {-width / 2, height + away}}) {
        const Box box{x + place.dx, y + place.dy - height, x + place.dx + width, y + place.dy + 2};
        double cost = away + 12.0 * static_cast<double>(covered(box));
        for (const Box& other : taken_) cost += box.overlaps(other) ? 1000 : 0;
        if (box.left < left_ || box.right > right_ || box.top < top_ || box.bottom > bottom_) cost += 500;
        if (best && cost >= least) continue;
        best = box;
        least = cost;
      }
    taken_.push_back(*best);
    out << fmt::format("<text x=\"{}\" y=\"{}\" class=\"n\">{}</text>\n", px(best->left), px(best->bottom - 2),
                       set(note.text, 11).markup);
  }

  /// In the corner where it covers least; empty when no series has a label.
  Box legend_box() const {
    const auto [width, height] = legend_size(panel_);
    if (width == 0) return {};
    if (panel_.legend_beside) return {right_ + 8, top_, right_ + 8 + width, top_ + height};
    std::optional<Box> best;
    for (const double x : {right_ - width - 8, left_ + 8})
      for (const double y : {top_ + 8, bottom_ - height - 8}) {
        const Box box{x, y, x + width, y + height};
        if (!best || covered(box) < covered(*best)) best = box;
      }
    return *best;
  }

  static double position(double v, const Range& r, Axis::Scale scale) {
    if (scale == Axis::Scale::logarithmic) return (std::log10(v) - std::log10(r.low)) / (std::log10(r.high) - std::log10(r.low));
    return (v - r.low) / (r.high - r.low);
  }
  double at_x(double v) const { return left_ + std::clamp(position(v, x_, panel_.x.scale), -20.0, 20.0) * (right_ - left_); }
  double at_y(double v) const { return bottom_ - std::clamp(position(v, y_, panel_.y.scale), -20.0, 20.0) * (bottom_ - top_); }

  void equalise() {
    const double per_x = (x_.high - x_.low) / (right_ - left_), per_y = (y_.high - y_.low) / (bottom_ - top_),
                 per = std::max(per_x, per_y);
    const auto widen = [per](Range& r, double length) {
      const double middle = (r.low + r.high) / 2;
      r = {middle - per * length / 2, middle + per * length / 2};
    };
    widen(x_, right_ - left_);
    widen(y_, bottom_ - top_);
  }

  void write_grid(std::ostream& out, const Axis& axis, bool horizontal) {
    const Range& r = horizontal ? x_ : y_;
    if (axis.scale == Axis::Scale::logarithmic) return write_log_grid(out, r, horizontal);
    if (!axis.names.empty()) return write_names(out, axis, horizontal);
    const int wanted = horizontal ? 8 : 6;
    std::vector<double> values;
    double step = 1;
    if (axis.scale != Axis::Scale::linear) {
      step = customary_step(axis.scale, r.high - r.low, wanted);
      for (double v = std::ceil(r.low / step - 1e-9) * step; v <= r.high + 1e-9 * step; v += step) values.push_back(v);
    } else {
      values = ticks(r.low, r.high, wanted);
      if (values.size() > 1) step = values[1] - values[0];
    }
    for (const double v : values) write_tick(out, v, tick_text(v, step), horizontal);
  }

  void write_names(std::ostream& out, const Axis& axis, bool horizontal) {
    for (std::size_t i = 0; i < axis.names.size(); ++i) {
      const double place = static_cast<double>(i + 1);
      const bool below = !horizontal && i < axis.details.size() && !axis.details[i].empty();
      write_tick(out, place, set(Caption::name(axis.names[i]), 11).markup, horizontal, below ? -6 : 0);
      if (below)
        out << fmt::format("<text x=\"{}\" y=\"{}\" class=\"y\" style=\"font-size:9.5px;fill:{}\">{}</text>\n", px(left_ - 7),
                           px(at_y(place) + 9), colours_.muted, xml_text(axis.details[i]));
    }
  }

  void write_log_grid(std::ostream& out, const Range& r, bool horizontal) {
    const int first = static_cast<int>(std::floor(std::log10(r.low) + 1e-9)),
              last = static_cast<int>(std::ceil(std::log10(r.high) - 1e-9));
    const int stride = std::max(1, (last - first) / 10);
    for (int decade = first; decade <= last; ++decade) {
      const double base = std::pow(10.0, decade);
      if (last - first <= 7)
        for (int k = 2; k <= 9; ++k)
          if (k * base > r.low && k * base < r.high) write_line(out, k * base, "m", horizontal);
      const bool inside = base >= r.low * (1 - 1e-9) && base <= r.high * (1 + 1e-9);
      if (inside && (decade - first) % stride == 0) write_tick(out, base, decade_text(decade), horizontal);
    }
    if (last - first <= 1)
      for (const int k : {2, 5})
        if (k * std::pow(10.0, first) > r.low && k * std::pow(10.0, first) < r.high)
          write_tick(out, k * std::pow(10.0, first), fmt::format("{:g}", k * std::pow(10.0, first)), horizontal);
  }

  void write_line(std::ostream& out, double v, std::string_view css, bool horizontal) {
    out << (horizontal ? fmt::format("<path class=\"{3}\" d=\"M{0},{1}V{2}\"/>\n", px(at_x(v)), px(top_), px(bottom_), css)
                       : fmt::format("<path class=\"{3}\" d=\"M{1},{0}H{2}\"/>\n", px(at_y(v)), px(left_), px(right_), css));
  }

  void write_tick(std::ostream& out, double v, const std::string& text, bool horizontal, double raised = 0) {
    write_line(out, v, "g", horizontal);
    out << (horizontal
                ? fmt::format("<text x=\"{}\" y=\"{}\" class=\"x\">{}</text>\n", px(at_x(v)), px(bottom_ + 17), text)
                : fmt::format("<text x=\"{}\" y=\"{}\" class=\"y\">{}</text>\n", px(left_ - 7), px(at_y(v) + 4 + raised), text));
  }

  /// `next` counts the series that leave their colour open.
  std::string ink_of(const Series& s, std::size_t& next) const {
    if (!s.shade) return std::string(colours_.curves[(s.colour ? *s.colour : next++) % colours_.curves.size()]);
    const double place = 2 * std::clamp(*s.shade, 0.0, 1.0);
    const std::size_t low = place < 1 ? 0 : 1;
    std::array<int, 3> colour{};
    for (std::size_t k = 0; k < 3; ++k) {
      const int from = colours_.ramp[low][k], to = colours_.ramp[low + 1][k];
      colour[k] = static_cast<int>(std::lround(from + (place - static_cast<double>(low)) * (to - from)));
    }
    return fmt::format("#{:02x}{:02x}{:02x}", colour[0], colour[1], colour[2]);
  }

  void write_series(std::ostream& out, const Series& s, const std::string& ink) {
    const bool marked = !s.set.empty();
    if (marked) out << fmt::format("<g data-set=\"{}\">\n", xml_text(s.set));
    write_strokes(out, s, ink);
    if (marked) out << "</g>\n";
  }

  void write_strokes(std::ostream& out, const Series& s, std::string_view ink) {
    const std::size_t count = std::min(s.x.size(), s.y.size());
    using Style = Series::Style;
    if (s.style == Style::crosses || s.style == Style::circles || s.style == Style::dots) {
      for (std::size_t i = 0; i < count; ++i)
        if (std::isfinite(s.x[i]) && std::isfinite(s.y[i])) write_mark(out, at_x(s.x[i]), at_y(s.y[i]), s.style, ink);
      return;
    }
    std::string path;
    bool pen = false;
    for (std::size_t i = 0; i < count; ++i) {
      if (s.style == Style::stairs && pen && std::isfinite(s.x[i])) path += " H" + px(at_x(s.x[i]));
      const bool drawable = std::isfinite(s.x[i]) && std::isfinite(s.y[i]) &&
                            (panel_.x.scale != Axis::Scale::logarithmic || s.x[i] > 0) &&
                            (panel_.y.scale != Axis::Scale::logarithmic || s.y[i] > 0);
      if (drawable) path += (pen ? " L" : " M") + px(at_x(s.x[i])) + "," + px(at_y(s.y[i]));
      pen = drawable;
    }
    if (path.empty()) return;
    if (s.style == Style::area) {
      out << fmt::format("<path fill=\"{0}\" fill-opacity=\".25\" stroke=\"none\" d=\"{1}Z\"/>\n", ink, path.substr(1));
      return;
    }
    if (s.style == Style::bars) {
      out << fmt::format("<path fill=\"{0}\" fill-opacity=\".8\" stroke=\"{0}\" stroke-width=\".6\" d=\"{1}Z\"/>\n", ink,
                         path.substr(1));
      return;
    }
    const bool slight = s.style == Style::thin || s.style == Style::whiskers;
    out << fmt::format("<path fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"{} d=\"{}\"/>\n",
                       s.style == Style::guide      ? colours_.muted
                       : s.style == Style::whiskers ? colours_.ink
                                                    : ink,
                       s.style == Style::guide ? "0.6"
                       : slight                ? "1"
                                               : "1.8",
                       dashes_of(s.style), path.substr(1));
  }

  static std::string_view dashes_of(Series::Style style) {
    switch (style) {
      case Series::Style::dashed: return " stroke-dasharray=\"6 4\"";
      case Series::Style::dotted: return " stroke-dasharray=\"1.5 3\"";
      case Series::Style::dash_dot: return " stroke-dasharray=\"9 3 1.5 3\"";
      default: return "";
    }
  }

  void write_mark(std::ostream& out, double x, double y, Series::Style style, std::string_view ink) {
    if (style == Series::Style::crosses)
      out << fmt::format("<path fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\" d=\"M{},{}l9,9m0,-9l-9,9\"/>\n", ink,
                         px(x - 4.5), px(y - 4.5));
    else
      out << fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" stroke=\"{}\" stroke-width=\"1.8\" fill=\"{}\"/>\n", px(x), px(y),
                         style == Series::Style::dots ? "2.6" : "4.8", ink, style == Series::Style::dots ? ink : "none");
  }

  void write_legend(std::ostream& out, const Box& box) {
    if (box.right <= box.left) return;
    std::size_t next = 0;
    const double x = box.left, y = box.top;
    out << fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" class=\"b\"/>\n", px(x), px(y),
                       px(box.right - box.left), px(box.bottom - box.top));
    double line = y + 14;
    for (const Series& s : panel_.series) {
      const std::string ink = ink_of(s, next);
      if (s.label.empty()) continue;
      using Style = Series::Style;
      if (s.style == Style::crosses || s.style == Style::circles || s.style == Style::dots)
        write_mark(out, x + 18, line - 4, s.style, ink);
      else if (s.style == Style::area || s.style == Style::bars)
        out << fmt::format("<rect fill=\"{}\" fill-opacity=\"{}\" x=\"{}\" y=\"{}\" width=\"24\" height=\"10\"/>\n", ink,
                           s.style == Style::area ? ".25" : ".8", px(x + 6), px(line - 9));
      else
        out << fmt::format("<path fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\"{} d=\"M{},{}h24\"/>\n",
                           s.style == Style::whiskers ? std::string(colours_.ink) : ink, dashes_of(s.style), px(x + 6),
                           px(line - 4));
      out << fmt::format("<text x=\"{}\" y=\"{}\" class=\"k\">{}</text>\n", px(x + 36), px(line), set(s.label, 11).markup);
      line += 17;
    }
  }

  const Panel& panel_;
  const PlotPalette& colours_;
  std::size_t number_;
  double left_, right_, top_, bottom_;
  Range x_, y_;
  std::vector<std::pair<double, double>> ink_;
  std::vector<Box> taken_;
};

}  // namespace

std::vector<double> ticks(double low, double high, int wanted) {
  std::vector<double> values;
  constexpr double resolved = 1e-12;  // below that, neighbouring ticks are one number
  if (!(high - low > resolved * std::max(std::abs(low), std::abs(high))) || !std::isfinite(high - low)) return {low};
  const double raw = (high - low) / wanted, decade = std::pow(10.0, std::floor(std::log10(raw)));
  double step = decade;
  for (const double factor : {1.0, 2.0, 5.0, 10.0}) {
    step = factor * decade;
    if (step >= raw * (1 - 1e-9)) break;
  }
  const double first = std::ceil(low / step - 1e-9);
  for (double k = first; k * step <= high + 1e-9 * step; ++k) values.push_back(k * step);
  return values;
}

void write_svg(std::ostream& out, const Figure& figure) {
  const PlotPalette& c = figure.theme == Theme::dark ? dark_plot : light_plot;
  const int head = figure.title.empty() ? 0 : 30;
  double beside = 0;
  for (const Panel& panel : figure.panels)
    if (panel.legend_beside) beside = std::max(beside, PanelPicture::legend_size(panel).first + 8);
  const auto height_of = [&](const Panel& panel) { return panel.height != 0 ? panel.height : figure.panel_height; };
  int height = head;
  for (const Panel& panel : figure.panels) height += height_of(panel);
  out << fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" role=\"img\" "
      "aria-labelledby=\"title desc\">\n"
      "<title id=\"title\">{2}</title>\n<desc id=\"desc\">{3}</desc>\n",
      figure.width, height, xml_text(figure.title.plain()), xml_text(figure.description));
  out << fmt::format(
      "<style>text{{font:12px \"DejaVu "
      "Sans\",Helvetica,Arial,sans-serif;fill:{0}}}.t,.h{{text-anchor:middle;font-weight:bold}}.h{{font-size:14px}}"
      ".l,.x{{text-anchor:middle}}.y{{text-anchor:end}}.x,.y,.k{{font-size:11px}}.n{{font-size:11px;fill:{1};stroke:{4};stroke-"
      "width:3;paint-order:stroke}}.g,.m,.r{{fill:"
      "none;stroke-width:1}}"
      ".g{{stroke:{2}}}.m{{stroke:{3}}}.r{{stroke:{1};stroke-dasharray:3 3}}.f{{fill:none;stroke:{0};stroke-width:1}}"
      ".b{{fill:{4};fill-opacity:.85;stroke:{2}}}</style>\n",
      c.ink, c.muted, c.grid, c.minor, c.paper);
  out << fmt::format("<rect width=\"{}\" height=\"{}\" fill=\"{}\"/>\n", figure.width, height, c.paper);
  if (head != 0)
    out << fmt::format("<text x=\"{}\" y=\"22\" class=\"h\">{}</text>\n", figure.width / 2, set(figure.title, 14).markup);
  double top = head;
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    const int own = height_of(figure.panels[i]);
    PanelPicture(figure.panels[i], c, top, figure.width, own, beside, i).write(out);
    top += own;
  }
  out << "</svg>\n";
}

}  // namespace sfg
