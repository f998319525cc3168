#include "sfg/plot/figure_scene.hpp"

#include <algorithm>
#include <cmath>

#include "sfg/draw/set_caption.hpp"
#include "sfg/draw/svg.hpp"
#include "sfg/plot/inks.hpp"
#include "sfg/plot/panel_picture.hpp"
#include "sfg/plot/panel_series.hpp"
#include "sfg/plot/plot_description.hpp"

namespace sfg {

namespace {

constexpr double right_margin = 26, legend_gap = 8;

class FigureScene {
 public:
  explicit FigureScene(const Figure&);

  Scene operator()() &&;

 private:
  double write_head();
  std::string description() const;
  int height_of(const Panel&) const;
  double room_beside() const;
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
    if (figure_.panels[i].legend_beside)
      if (const Legend legend(figure_.panels[i], classes_[i]); !legend.empty())
        wanted = std::max(wanted, legend.extent(1, 0.4 * figure_.width).first + legend_gap);
  return wanted;
}

double FigureScene::add_panel(std::size_t i, double left, double right, double top) {
  const Panel& panel = figure_.panels[i];
  const PanelFrame frame(panel, left, right, top, height_of(panel));
  const PanelPicture picture(panel, frame, classes_[i], figure_.moving);
  groups_.push_back(picture.group(figure_.width));
  left_out_.insert(left_out_.end(), picture.left_out().begin(), picture.left_out().end());
  double end = picture.end();
  if (!picture.homeless_legend()) return end;
  const Legend& legend = *picture.homeless_legend();
  if (panel.legend_beside) {
    const auto [width, height] = legend.extent(1, 0.4 * figure_.width);
    groups_.push_back(legend.at({right + legend_gap, frame.box().top, right + legend_gap + width, frame.box().top + height}, 1));
    return std::max(end, frame.box().top + height + legend_gap);
  }
  const auto labelled = std::ranges::count_if(figure_.panels, [](const Panel& each) {
    return std::ranges::any_of(each.series, [](const Series& s) { return !s.label.empty(); });
  });
  if (labelled > 1) return add_below(legend, left, right, end);
  at_the_end_.push_back(legend);  // it is of all panels
  return end;
}

double FigureScene::add_below(const Legend& legend, double left, double right, double top) {
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

}  // namespace

Scene figure_scene(const Figure& figure) { return FigureScene(figure)(); }

void write_svg(std::ostream& out, const Figure& figure) { write_svg(out, figure_scene(figure), {.theme = figure.theme}); }

}  // namespace sfg
