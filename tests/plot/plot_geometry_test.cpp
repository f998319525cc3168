// Where the parts of plots lie, read from the SVG itself: random figures, and the figures of hard transfer functions.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <regex>
#include <set>
#include <sstream>

#include "sfg/draw/formula.hpp"
#include "sfg/plot/plot.hpp"

namespace sfg {
namespace {

struct Rectangle {
  double left, top, right, bottom;
  std::string what;
  bool meets(const Rectangle& o) const { return left < o.right && o.left < right && top < o.bottom && o.top < bottom; }
};

struct Segment {
  double x1, y1, x2, y2;
};

/// By halving: a piece longer than half a pixel meets a rectangle if one of its points lies inside.
bool meets(const Segment& s, const Rectangle& r) {
  const int n = static_cast<int>(2 * std::hypot(s.x2 - s.x1, s.y2 - s.y1)) + 1;
  for (int i = 0; i <= n; ++i) {
    const double x = s.x1 + (s.x2 - s.x1) * i / n, y = s.y1 + (s.y2 - s.y1) * i / n;
    if (x > r.left && x < r.right && y > r.top && y < r.bottom) return true;
  }
  return false;
}

std::string unescaped(std::string text) {
  for (const auto& [from, to] : {std::pair("&lt;", "<"), {"&gt;", ">"}, {"&quot;", "\""}, {"&amp;", "&"}})
    for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + 1))
      text.replace(at, std::string(from).size(), to);
  return text;
}

double attribute(const std::string& mark, const std::string& name) {
  std::smatch found;
  return std::regex_search(mark, found, std::regex(" " + name + "=\"([-0-9.]+)\"")) ? std::stod(found[1]) : 0.0;
}

std::vector<std::string> all(const std::string& text, const std::regex& pattern) {
  std::vector<std::string> found;
  for (std::sregex_iterator i(text.begin(), text.end(), pattern), none; i != none; ++i) found.push_back(i->str());
  return found;
}

std::vector<Rectangle> rectangles(const std::string& svg, const std::string& style) {
  std::vector<Rectangle> found;
  for (const std::string& mark : all(svg, std::regex("<rect[^>]*class=\"" + style + "\"[^>]*>"))) {
    const double x = attribute(mark, "x"), y = attribute(mark, "y");
    found.push_back({x, y, x + attribute(mark, "width"), y + attribute(mark, "height"), style});
  }
  return found;
}

std::vector<Rectangle> texts(const std::string& svg) {
  std::vector<Rectangle> found;
  for (const std::string& mark : all(svg, std::regex("<text[^>]*>(?:[^<]|<(?!/text))*</text>"))) {
    const std::string head = mark.substr(0, mark.find('>'));
    double width = 0;
    const double size = head.find("head") != std::string::npos    ? 17
                        : head.find("label") != std::string::npos ? 13
                        : head.find("small") != std::string::npos ? 11
                                                                  : 13;
    std::string letters;
    static const std::regex runs("(?:<tspan([^>]*)>)?([^<>]+)(?:</tspan>)?");
    const std::string inner = mark.substr(head.size() + 1, mark.size() - head.size() - 8);
    for (std::sregex_iterator i(inner.begin(), inner.end(), runs), none; i != none; ++i) {
      const double own = attribute((*i)[1].str(), "font-size");
      width += typeset_plain(unescaped((*i)[2].str()), own > 0 ? own : size).width;
      letters += unescaped((*i)[2].str());
    }
    std::smatch turned;
    if (std::regex_search(head, turned, std::regex("translate\\(([-0-9.]+),([-0-9.]+)\\) rotate"))) {
      const double x = std::stod(turned[1]), y = std::stod(turned[2]);
      found.push_back({x - 0.7 * size, y - width / 2, x + 0.2 * size, y + width / 2, letters});
      continue;
    }
    const double x = attribute(head, "x"), y = attribute(head, "y");
    const double left = head.find("middle") != std::string::npos ? x - width / 2
                        : head.find("end") != std::string::npos  ? x - width
                                                                 : x;
    found.push_back({left, y - 0.68 * size, left + width, y + 0.2 * size, letters});
  }
  return found;
}

std::vector<Segment> curves(const std::string& svg) {
  std::vector<Segment> found;
  static const std::regex group("<g class=\"curve [^]*?</g>"), path("<path class=\"line(?! cross)[^>]* d=\"([^\"]*)\""),
      point("([ML])([-0-9.]+),([-0-9.]+)");
  for (const std::string& curve : all(svg, group)) {
    std::smatch d;
    if (!std::regex_search(curve, d, path)) continue;
    const std::string text = d[1];
    double x = 0, y = 0;
    for (std::sregex_iterator i(text.begin(), text.end(), point), none; i != none; ++i) {
      const double nx = std::stod((*i)[2]), ny = std::stod((*i)[3]);
      if ((*i)[1] == "L") found.push_back({x, y, nx, ny});
      x = nx, y = ny;
    }
  }
  return found;
}

std::string svg_of(const Figure& figure) {
  std::ostringstream out;
  write_svg(out, figure);
  return out.str();
}

/// What is wrong with where things lie; "" where nothing is.
std::string faults(const Figure& figure) {
  const std::string svg = svg_of(figure);
  std::string wrong;
  const std::vector<Rectangle> words = texts(svg), frames = rectangles(svg, "frame"), keys = rectangles(svg, "key");
  const std::vector<Segment> lines = curves(svg);
  const double height = attribute(svg.substr(0, svg.find('>')), "height");
  for (std::size_t i = 0; i < words.size(); ++i) {
    const Rectangle& a = words[i];
    if (a.left < 0 || a.right > figure.width || a.top < 0 || a.bottom > height) wrong += "outside the picture: " + a.what + "\n";
    for (std::size_t k = 0; k < i; ++k)
      if (a.meets(words[k])) wrong += "'" + a.what + "' on '" + words[k].what + "'\n";
    for (const Rectangle& f : frames)
      for (const Segment& side : {Segment{f.left, f.top, f.right, f.top},
                                  {f.right, f.top, f.right, f.bottom},
                                  {f.right, f.bottom, f.left, f.bottom},
                                  {f.left, f.bottom, f.left, f.top}})
        if (meets(side, a)) wrong += "on the frame: " + a.what + "\n";
  }
  for (const Rectangle& key : keys)
    if (std::ranges::any_of(lines, [&](const Segment& s) { return meets(s, key); })) wrong += "the legend covers a curve\n";
  for (const Segment& s : lines)
    for (const double x : {s.x1, s.x2})
      if (std::ranges::none_of(frames, [&](const Rectangle& f) { return x > f.left - 0.2 && x < f.right + 0.2; }))
        wrong += "a curve leaves its frame\n";
  return wrong;
}

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(engine_); }

  Caption caption() {
    static const std::vector<std::string> words{
        "y", "phi_y",        "omega_n", "__proto__", "<b>&\"x\"", "שלום", "output_signal_number_12",
        "e", "\\frac{1}{2}", "V_c17",   "]]>"};
    Caption text;
    for (int i = below(6); i >= 0; --i) {
      const std::string& word = words[static_cast<std::size_t>(below(static_cast<int>(words.size())))];
      text += (below(2) == 0 ? Caption(word) : Caption::name(word)) + (i > 0 ? " → " : "");
    }
    return text;
  }

  Series series(Axis::Scale scale, bool log_x) {
    static constexpr std::array styles{Series::Style::line,   Series::Style::line,    Series::Style::stairs,
                                       Series::Style::dashed, Series::Style::crosses, Series::Style::dots};
    Series s;
    s.style = styles[static_cast<std::size_t>(below(styles.size()))];
    if (below(3) > 0) s.label = caption();
    const int n = 2 + below(200), kind = below(6);
    const double size = std::pow(10, between(-3, 3)) * std::pow(10, below(8) == 0 ? between(-30, 30) : 0),
                 turns = between(0.2, 9);
    for (int i = 0; i < n; ++i) {
      const double part = static_cast<double>(i) / n;
      double y = kind == 0 ? 1 : kind == 1 ? std::sin(6.28 * turns * part) : kind == 2 ? std::exp(5 * part) : between(-1, 1);
      if (kind == 4 && below(40) == 0) y = std::numeric_limits<double>::quiet_NaN();
      if (kind == 5 && below(40) == 0) y = std::numeric_limits<double>::infinity() * (below(2) == 0 ? 1 : -1);
      s.x.push_back(log_x ? std::pow(10, between(-2, -1.9) + 5 * part) : part);
      s.y.push_back(scale == Axis::Scale::logarithmic ? std::abs(y) * size : y * size);
    }
    if (below(2) == 0) s.pattern = static_cast<std::size_t>(below(28));
    return s;
  }

  Figure figure() {
    static constexpr std::array scales{Axis::Scale::linear, Axis::Scale::logarithmic, Axis::Scale::degrees,
                                       Axis::Scale::decibels};
    Figure f;
    if (below(4) > 0) f.title = caption() + " " + caption();
    if (below(2) == 0) f.conditions = caption();
    for (int p = below(3); p >= 0; --p) {
      Panel& panel = f.panels.emplace_back();
      panel.x.scale = below(2) == 0 ? Axis::Scale::linear : Axis::Scale::logarithmic;
      panel.y.scale = scales[static_cast<std::size_t>(below(4))];
      panel.x.label = caption(), panel.y.label = caption();
      if (below(3) == 0) panel.title = caption();
      if (below(3) == 0) panel.remarks.push_back(caption());
      panel.legend_beside = below(6) == 0;
      panel.equal_scales = below(6) == 0 && panel.x.scale == Axis::Scale::linear && panel.y.scale == Axis::Scale::linear;
      for (int s = below(below(4) == 0 ? 30 : 5); s > 0; --s)
        panel.series.push_back(series(panel.y.scale, panel.x.scale == Axis::Scale::logarithmic));
      for (int n = below(4); n > 0 && !panel.series.empty(); --n) {
        const Series& on = panel.series[static_cast<std::size_t>(below(static_cast<int>(panel.series.size())))];
        panel.notes.push_back(
            {on.x.front(), std::isfinite(on.y.front()) ? on.y.front() : 0, "K = " + std::to_string(below(1000))});
      }
    }
    return f;
  }

 private:
  std::mt19937 engine_;
};

TEST(PlotGeometry, NoTextLiesOnATextOrAFrameAndNoLegendOnACurve) {
  for (unsigned seed = 1; seed <= 150; ++seed) EXPECT_EQ(faults(Random(seed).figure()), "") << "seed " << seed;
}

TEST(PlotGeometry, TwoTicksAtLeastAndOneNotationOnEveryAxis) {
  Random random(7);
  for (int i = 0; i < 300; ++i) {
    Figure f;
    Panel& panel = f.panels.emplace_back();
    const bool logarithmic = i % 2 == 0;
    const double low = std::pow(10, random.between(-12, 12)) * (logarithmic || i % 3 != 0 ? 1 : -1),
                 high = std::abs(low) * std::pow(10, random.between(0.01, i % 4 == 0 ? 12 : 1.5));
    panel.x.scale = logarithmic ? Axis::Scale::logarithmic : Axis::Scale::linear;
    panel.series.push_back({"", {low, high}, {0, 1}});
    const std::string svg = svg_of(f);
    std::vector<std::string> found = all(svg, std::regex("<text[^>]*class=\"middle\">(?:[^<]|<(?!/text))*</text>"));
    EXPECT_GE(found.size(), 2U) << low << " … " << high;
    const auto powers = std::ranges::count_if(found, [](const std::string& t) { return t.find("<tspan") != std::string::npos; });
    EXPECT_TRUE(powers == 0 || powers == std::ssize(found)) << low << " … " << high;
  }
}

TEST(PlotGeometry, ACurveThatIsInfiniteRunsToTheFrameOnBothSides) {
  Figure f;
  f.panels.emplace_back().series.push_back({"", {0, 1, 2, 3, 4}, {0, 1, std::numeric_limits<double>::infinity(), 1, 0}});
  const std::string svg = svg_of(f);
  const Rectangle frame = rectangles(svg, "frame").at(0);
  const std::vector<Segment> lines = curves(svg);
  ASSERT_EQ(lines.size(), 4U) << svg;
  EXPECT_NEAR(lines[1].y2, frame.top, 0.1);
  EXPECT_NEAR(lines[2].y1, frame.top, 0.1);
  EXPECT_NEAR(lines[1].x2, (frame.left + frame.right) / 2, 0.1);
  f.panels[0].series[0].y = std::vector<double>(5, -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(curves(svg_of(f)).empty()) << "what is infinite throughout has no curve";
}

TEST(PlotGeometry, WhatIsLeftOutOfACurveIsNotSeen) {
  Figure f;
  Series& s = f.panels.emplace_back().series.emplace_back();
  for (int i = 0; i <= 200'000; ++i) s.x.push_back(i), s.y.push_back(std::sin(i * 1e-4) + 0.3 * std::sin(i * 3e-3));
  const std::string svg = svg_of(f);
  EXPECT_LT(svg.size(), 100'000U);
  const Rectangle frame = rectangles(svg, "frame").at(0);
  const std::vector<Segment> lines = curves(svg);
  const auto [low, high] = std::ranges::minmax(s.y);
  const double margin = 0.06 * (high - low);
  for (int i = 0; i <= 200'000; i += 371) {
    const double x = frame.left + (frame.right - frame.left) * i / 200'000.0,
                 y = frame.bottom -
                     (s.y[static_cast<std::size_t>(i)] - low + margin) / (high - low + 2 * margin) * (frame.bottom - frame.top);
    double nearest = 1e9;
    for (const Segment& l : lines) {
      if (std::min(l.x1, l.x2) > x + 2 || std::max(l.x1, l.x2) < x - 2) continue;
      const double dx = l.x2 - l.x1, dy = l.y2 - l.y1, length = dx * dx + dy * dy;
      const double part = length > 0 ? std::clamp(((x - l.x1) * dx + (y - l.y1) * dy) / length, 0.0, 1.0) : 0;
      nearest = std::min(nearest, std::hypot(x - l.x1 - part * dx, y - l.y1 - part * dy));
    }
    EXPECT_LT(nearest, 0.35) << i;
  }
}

TEST(PlotGeometry, MarksDifferWithoutColour) {
  using Style = Series::Style;
  Figure f;
  Panel& panel = f.panels.emplace_back();
  for (const Style style : {Style::crosses, Style::circles, Style::dots, Style::diamonds})
    panel.series.push_back({"n" + std::to_string(panel.series.size()), {0, 1}, {0, 1}, style});
  const std::string svg = svg_of(f), legend = svg.substr(svg.find("class=\"legend\""));
  std::set<std::string> looks;
  for (const std::string& mark : all(legend, std::regex("<g class=\"c\\d\">([^]*?)</g>")))
    looks.insert(std::regex_replace(mark, std::regex("[-0-9.,]"), ""));
  EXPECT_EQ(looks.size(), 4U) << legend;
}

TEST(PlotGeometry, ALegendSaysNothingAgain) {
  Figure f;
  for (int k = 0; k < 3; ++k) {
    f.panels.emplace_back().legend_beside = k == 1;
    for (const char* name : {"median", "nominal"}) f.panels.back().series.push_back({name, {0, 1}, {0, 1.0 + k}, {}, 0});
  }
  f.panels[2].series[1].colour = 1;  // another one
  const auto said = [&] {
    const std::string svg = svg_of(f);
    return all(svg, std::regex("(class=\"key\")")).size();
  };
  EXPECT_EQ(said(), 2U);
  EXPECT_EQ(all(svg_of(f), std::regex("<title>(nominal)</title>")).size(), 3U) << "each curve keeps its name";
  f.panels[0].usual = f.panels[2].usual = false;
  EXPECT_EQ(said(), 1U);
}

TEST(PlotGeometry, TwoDozenCurvesDifferWithoutColourToo) {
  Figure f;
  Panel& panel = f.panels.emplace_back();
  for (std::size_t i = 0; i < 24; ++i) {
    Series& s = panel.series.emplace_back(Series{"n" + std::to_string(i), {0, 1}, {0, 1.0 * i}});
    s.pattern = i;
  }
  const std::string svg = svg_of(f), legend = svg.substr(svg.find("class=\"legend\""));
  std::set<std::string> looks;
  for (const std::string& mark : all(legend, std::regex("<g class=\"c\\d\">([^]*?)</g>"))) {
    std::smatch dash, outline;
    std::string look = std::regex_search(mark, dash, std::regex("stroke-dasharray=\"([^\"]*)\"")) ? dash[1].str() : "solid";
    if (std::regex_search(mark, outline, std::regex("mark\" d=\"M[-0-9.]+,([-0-9.]+)(.*?)\""))) {  // by its corners
      const std::string corners = outline[2];
      const double first = std::stod(outline[1]),
                   second = corners.starts_with(" L") ? std::stod(corners.substr(corners.find(',') + 1)) : first;
      look += " " + std::to_string(std::ranges::count(corners, 'L')) +
              (second > first + 1   ? "down"
               : second < first - 1 ? "up"
                                    : "");
    }
    EXPECT_TRUE(looks.insert(look).second) << look;
  }
  EXPECT_EQ(looks.size(), 24U);
}

}  // namespace
}  // namespace sfg
