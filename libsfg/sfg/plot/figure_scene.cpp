#include "sfg/plot/figure_scene.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "sfg/draw/set_caption.hpp"
#include "sfg/draw/svg.hpp"
#include "sfg/error.hpp"
#include "sfg/plot/bars.hpp"
#include "sfg/plot/inks.hpp"
#include "sfg/plot/panel_picture.hpp"
#include "sfg/plot/panel_series.hpp"
#include "sfg/plot/plot.hpp"

namespace sfg {

namespace {

using Style = Series::Style;

constexpr std::size_t most_curves = 24;

bool is_curve(const Series& s) {
  return s.style == Style::line || s.style == Style::stairs || s.style == Style::dashed || s.style == Style::dotted ||
         s.style == Style::dash_dot || s.style == Style::thin;
}

std::string name_of(const Series& s) {
  if (!s.label.empty()) return s.label.plain();
  if (!s.set.empty()) return s.set;
  if (!s.transfer.empty()) return s.transfer;
  return "the curve";
}

std::string point(double x, double y) { return (short_number(y) + " at " + short_number(x)).plain(); }

/// "u → y: from 0 at 0.1 to −40 at 10; greatest 20 at 1".
std::string in_words(const Series& s) {
  constexpr std::size_t none = -1;
  std::size_t first = none, last = none, least = none, greatest = none;
  bool to_the_frame = false;
  for (std::size_t i = 0; i < std::min(s.x.size(), s.y.size()); ++i) {
    to_the_frame = to_the_frame || std::isinf(s.y[i]);
    if (!std::isfinite(s.x[i]) || !std::isfinite(s.y[i])) continue;
    if (first == none) first = least = greatest = i;
    last = i;
    if (s.y[i] < s.y[least]) least = i;
    if (s.y[i] > s.y[greatest]) greatest = i;
  }
  if (first == none) return name_of(s) + ": no values";
  if (nearly_equal(s.y[least], s.y[greatest])) return name_of(s) + ": " + short_number(s.y[first]).plain() + " throughout";
  std::string text = name_of(s) + ": from " + point(s.x[first], s.y[first]) + " to " + point(s.x[last], s.y[last]);
  if (least != first && least != last) text += "; least " + point(s.x[least], s.y[least]);
  if (greatest != first && greatest != last) text += "; greatest " + point(s.x[greatest], s.y[greatest]);
  if (to_the_frame) text += "; without bound in between";
  return text;
}

std::string in_words(const Panel& panel) {
  std::string text = panel.title.empty() ? "" : panel.title.plain() + ". ";
  if (!panel.y.label.empty() && !panel.x.label.empty()) text += panel.y.label.plain() + " over " + panel.x.label.plain() + ": ";
  std::size_t said = 0, more = 0;
  std::string curves;
  for (const Series& s : panel.series) {
    const std::size_t points = std::min(s.x.size(), s.y.size());
    if (points == 0 || (!is_curve(s) && s.label.empty())) continue;
    if (is_curve(s) && s.label.empty() && s.set.empty() && s.transfer.empty() && panel.series.size() > 1) continue;
    if (said == most_curves) {
      ++more;
      continue;
    }
    ++said;
    curves += (curves.empty() ? "" : ". ") + (is_curve(s) ? in_words(s)
                                              : has_marks(s.style)
                                                  ? fmt::format("{}: {} {}", name_of(s), points, points == 1 ? "mark" : "marks")
                                                  : name_of(s));
  }
  if (more > 0) curves += fmt::format(". {} more curves", more);
  text += curves.empty() ? "" : curves + ". ";
  for (const Caption& remark : panel.remarks) text += remark.plain() + (remark.plain().ends_with('.') ? " " : ". ");
  return text;
}

/// What the axes span and what each curve does: where it begins and ends, its least and its greatest value. One sentence a curve.
std::string data_in_words(const Figure& figure) {
  std::string text;
  for (const Panel& panel : figure.panels) text += in_words(panel);
  if (!text.empty()) text.pop_back();
  return text;
}

constexpr double right_margin = 26, legend_gap = 8, millimetres_of_desktop_point = 25.4 / 72;

void remove_grid(SceneGroup& group) {
  std::erase_if(group.shapes, [](const SceneShape& shape) { return shape.style == "grid" || shape.style == "minor"; });
  for (SceneGroup& inner : group.groups) remove_grid(inner);
}

/// Millimetres of a pixel where the numbers at the axes have the size that is asked for; 0 where nothing is.
double millimetres_of_pixel(const Figure& figure) {
  constexpr double usual = 10;
  if (figure.paper_width == 0 && figure.paper_height == 0 && figure.font_size == 0) return 0;
  return (figure.font_size > 0 ? figure.font_size : usual) * millimetres_of_desktop_point / text_size;
}

class FigureScene {
 public:
  explicit FigureScene(const Figure&);

  double height() const noexcept { return height_; }
  Scene operator()() &&;

 private:
  double write_head();
  std::string description() const;
  int height_of(const Panel&) const;
  double room_beside() const;
  bool beside(const Panel&) const;
  bool is_over_another(std::size_t, double left, double right) const;
  double add_panel(std::size_t, double left, double right, double top);
  double add_below(const Legend&, double left, double right, double top);

  const Figure& figure_;
  Inks inks_;
  std::vector<std::vector<std::string>> classes_;  ///< of the series of each panel
  std::vector<Legend> at_the_end_;
  std::vector<std::string> left_out_;
  std::vector<SceneGroup> groups_{SceneGroup{}};  ///< first title and conditions
  double height_ = 0;
};

/// Title and conditions; where they end.
double FigureScene::write_head() {
  constexpr std::size_t most_lines = 2;
  constexpr double line = 22, small_line = 17;
  double end = 0;
  const double width = figure_.width - 40.0, middle = figure_.width / 2.0;
  for (const Caption& title : wrapped(figure_.title, head_size, width, most_lines)) {
    end += line;
    groups_[0].words.push_back({{middle, end}, "middle head", title, head_size});
  }
  for (const Caption& conditions : wrapped(figure_.conditions, text_size, width, most_lines)) {
    end += small_line;
    groups_[0].words.push_back({{middle, end}, "middle muted", conditions});
  }
  return end > 0 ? end + 8 : 0;
}

FigureScene::FigureScene(const Figure& figure) : figure_(figure) {
  for (const Panel& panel : figure.panels) {
    std::vector<std::string> inks;
    std::size_t next = 0;
    for (const Series& s : panel.series) inks.push_back(inks_.of(s, next));
    classes_.push_back(std::move(inks));
  }
  const double right = figure.width - right_margin - room_beside();
  double left = 0;
  for (const Panel& panel : figure.panels) left = std::max(left, PanelFrame(panel, 62, right, 0, height_of(panel)).wanted_left());
  double top = write_head();
  for (std::size_t i = 0; i < figure.panels.size(); ++i) top = add_panel(i, std::min(left, right / 2), right, top);
  for (const Legend& legend : at_the_end_) top = add_below(legend, left, right, top);
  height_ = std::ceil(top);
}

int FigureScene::height_of(const Panel& panel) const { return panel.height != 0 ? panel.height : figure_.panel_height; }

double FigureScene::room_beside() const {
  double wanted = 0;
  for (std::size_t i = 0; i < figure_.panels.size(); ++i)
    if (beside(figure_.panels[i]))
      if (const Legend legend(figure_.panels[i], classes_[i]); !legend.empty())
        wanted = std::max(wanted, legend.extent(1, 0.4 * figure_.width).first + legend_gap);
  return wanted;
}

bool FigureScene::beside(const Panel& panel) const {
  using Place = Figure::LegendPlace;
  constexpr int least_width = 560;  // narrower pictures have it below
  return panel.legend_beside && figure_.width >= least_width &&
         (figure_.legend == Place::automatic || figure_.legend == Place::outside);
}

bool FigureScene::is_over_another(std::size_t i, double left, double right) const {
  if (i + 1 == figure_.panels.size()) return false;
  const Panel &upper = figure_.panels[i], &lower = figure_.panels[i + 1];
  if (!lower.title.empty()) return false;
  return PanelFrame(upper, left, right, 0, height_of(upper)).shares_abscissa(PanelFrame(lower, left, right, 0, height_of(lower)));
}

double FigureScene::add_panel(std::size_t i, double left, double right, double top) {
  const Panel& panel = figure_.panels[i];
  const PanelFrame frame(panel, left, right, top, height_of(panel), is_over_another(i, left, right));
  const PanelPicture picture(panel, frame, classes_[i], figure_.legend, figure_.moving);
  groups_.push_back(picture.group(figure_.width));
  left_out_.insert(left_out_.end(), picture.left_out().begin(), picture.left_out().end());
  double end = picture.end();
  if (!picture.homeless_legend()) return end;
  const Legend& legend = *picture.homeless_legend();
  if (beside(panel)) {
    const auto [width, height] = legend.extent(1, 0.4 * figure_.width);
    groups_.push_back(legend.at({right + legend_gap, frame.box().top, right + legend_gap + width, frame.box().top + height}, 1));
    return std::max(end, frame.box().top + height + legend_gap);
  }
  const auto labelled = std::ranges::count_if(
      figure_.panels, [](const Panel& each) { return std::ranges::any_of(each.series, &Series::in_legend); });
  if (labelled > 1) return add_below(legend, left, right, end);
  at_the_end_.push_back(legend);  // it is of all panels
  return end;
}

double FigureScene::add_below(const Legend& legend, double left, double right, double top) {
  left = std::min(left, right - legend.extent(1, right).first);  // in a narrow picture it reaches to the left of the frame
  const std::size_t columns = legend.columns_in(right - left);
  const auto [width, height] = legend.extent(columns, right - left);
  const double begin = (left + right - width) / 2;
  groups_.push_back(legend.at({begin, top, begin + width, top + height}, columns));
  return top + height + legend_gap;
}

std::string FigureScene::description() const {
  std::string text = figure_.description;
  const auto add = [&](const std::string& more) {
    if (more.empty()) return;
    while (text.ends_with(' ')) text.pop_back();
    if (!text.empty()) text += text.ends_with('.') ? " " : ". ";
    text += more;
  };
  if (!figure_.conditions.empty()) add("With " + figure_.conditions.plain());
  add(data_in_words(figure_));
  if (!left_out_.empty()) {
    std::string names;
    for (const std::string& note : left_out_) names += (names.empty() ? "" : ", ") + note;
    add("Not written for want of room: " + names);
  }
  return text;
}

Scene FigureScene::operator()() && {
  return {.title = figure_.title.plain(),
          .description = description(),
          .width = static_cast<double>(figure_.width),
          .height = height_,
          .text_size = text_size,
          .groups = std::move(groups_),
          .kind = "plot",
          .shades = inks_.shades()};
}

/// The figure with heights of its panels at which it is as high as that.
Figure as_high(Figure figure, double height) {
  constexpr int most_rounds = 12, least = 90;  // pixels of a panel with its texts
  double off = 0;
  for (int round = 0; round < most_rounds; ++round) {
    off = height - FigureScene(figure).height();
    if (std::abs(off) < 1) break;
    const auto panels = static_cast<double>(figure.panels.size());
    for (Panel& panel : figure.panels) {
      const int was = panel.height != 0 ? panel.height : figure.panel_height;
      panel.height = std::max(least, was + static_cast<int>(std::floor(off / panels)));
    }
    if (off > 0 && off < panels) break;
  }
  if (off < 0)
    throw NoAnswer(fmt::format("the picture does not fit in that height: it needs {:.0f} mm",
                               std::ceil((height - off) * millimetres_of_pixel(figure))),
                   "make it higher, or wider, or its text smaller");
  return figure;
}

/// As wide and high as it is to be on paper; panels that are not usual left out.
Figure on_paper(Figure figure) {
  constexpr double narrowest = 200;
  std::erase_if(figure.panels, [](const Panel& panel) { return !panel.usual; });
  const double per = millimetres_of_pixel(figure);
  if (per == 0) return figure;
  if (figure.paper_width > 0) {
    const double width = figure.paper_width / per;
    if (width < narrowest)
      throw NoAnswer(fmt::format("the picture does not fit in that width: it needs {:.0f} mm", std::ceil(narrowest * per)),
                     "make it wider, or its text smaller");
    const double part = std::min(1.0, width / figure.width);
    const auto narrower = [&](int height) { return static_cast<int>(part * (height - 62) + 62); };
    figure.width = static_cast<int>(width);
    figure.panel_height = narrower(figure.panel_height);
    for (Panel& panel : figure.panels)
      if (panel.height != 0 && panel.y.names.empty()) panel.height = narrower(panel.height);
  }
  return figure.paper_height > 0 ? as_high(std::move(figure), figure.paper_height / per) : figure;
}

/// A legend does not say again what one above it says.
Figure with_each_name_once(Figure figure) {
  std::vector<Series> named;
  const auto alike = [](const Series& a, const Series& b) {
    return a.label == b.label && a.style == b.style && a.colour == b.colour && a.pattern == b.pattern && a.shade == b.shade;
  };
  for (Panel& panel : figure.panels) {
    const auto above = static_cast<std::ptrdiff_t>(named.size());
    for (Series& s : panel.series) {
      if (s.label.empty()) continue;
      const auto said = [&](const Series& other) { return alike(other, s); };
      if (s.colour && std::any_of(named.begin(), named.begin() + above, said))
        s.said_above = true;
      else
        named.push_back({.label = s.label, .style = s.style, .colour = s.colour, .shade = s.shade, .pattern = s.pattern});
    }
  }
  return figure;
}

}  // namespace

Scene figure_scene(const Figure& whole) {
  const Figure figure = with_each_name_once(on_paper(whole));
  Scene scene = FigureScene(figure)();
  if (!figure.grid)
    for (SceneGroup& group : scene.groups) remove_grid(group);
  if (const double per = millimetres_of_pixel(figure); per > 0) {
    scene.paper_width = figure.paper_width > 0 ? figure.paper_width : scene.width * per;
    scene.paper_height = figure.paper_height > 0 ? figure.paper_height : scene.height * per;
  }
  return scene;
}

void write_svg(std::ostream& out, const Figure& figure, const std::string& within) {
  write_svg(out, figure_scene(figure), {.theme = figure.theme, .within = within});
}

}  // namespace sfg
