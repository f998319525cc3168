#include "sfg/plot/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <ostream>

#include "sfg/draw/scope.hpp"
#include "sfg/plot/inks.hpp"
#include "sfg/plot/panel_picture.hpp"
#include "sfg/plot/plot_description.hpp"
#include "sfg/plot/set_caption.hpp"
#include "sfg/text/escape.hpp"

namespace sfg {

namespace {

constexpr double right_margin = 26, legend_gap = 8;

/// Title and conditions.
struct Head {
  std::string text;
  double end = 0;
};

Head head_of(const Figure& figure) {
  constexpr std::size_t most_lines = 2;
  constexpr double line = 22, small_line = 17;
  Head head;
  const double width = figure.width - 40.0, middle = figure.width / 2.0;
  for (const Caption& title : wrapped(figure.title, head_size, width, most_lines)) {
    head.end += line;
    head.text += text_at(middle, head.end, "middle head", set(title, head_size).markup);
  }
  for (const Caption& conditions : wrapped(figure.conditions, text_size, width, most_lines)) {
    head.end += small_line;
    head.text += text_at(middle, head.end, "middle muted", set(conditions, text_size).markup);
  }
  if (head.end > 0) head.end += 8;
  return head;
}

class FigurePicture {
 public:
  explicit FigurePicture(const Figure& figure) : figure_(figure), head_(head_of(figure)) {
    for (const Panel& panel : figure.panels) {
      std::vector<std::string> inks;
      std::size_t next = 0;
      for (const Series& s : panel.series) inks.push_back(inks_.of(s, next));
      classes_.push_back(std::move(inks));
    }
    const double right = figure.width - right_margin - room_beside();
    double left = 0;
    for (const Panel& panel : figure.panels)
      left = std::max(left, PanelFrame(panel, 62, right, 0, height_of(panel)).wanted_left());
    double top = head_.end;
    for (std::size_t i = 0; i < figure.panels.size(); ++i) top = add(i, std::min(left, right / 2), right, top);
    for (const Legend& legend : at_the_end_) top = add_below(legend, left, right, top);
    height_ = std::ceil(top);
  }

  const std::string& body() const noexcept { return body_; }
  const Head& head() const noexcept { return head_; }
  const Inks& inks() const noexcept { return inks_; }
  const std::vector<std::string>& left_out() const noexcept { return left_out_; }
  double height() const noexcept { return height_; }

 private:
  int height_of(const Panel& panel) const { return panel.height != 0 ? panel.height : figure_.panel_height; }

  double room_beside() const {
    double wanted = 0;
    for (std::size_t i = 0; i < figure_.panels.size(); ++i)
      if (figure_.panels[i].legend_beside)
        if (const Legend legend(figure_.panels[i], classes_[i]); !legend.empty())
          wanted = std::max(wanted, legend.extent(1, 0.4 * figure_.width).first + legend_gap);
    return wanted;
  }

  double add(std::size_t i, double left, double right, double top) {
    const Panel& panel = figure_.panels[i];
    const PanelFrame frame(panel, left, right, top, height_of(panel));
    const PanelPicture picture(panel, frame, classes_[i], figure_.moving);
    body_ += picture.text(figure_.width);
    left_out_.insert(left_out_.end(), picture.left_out().begin(), picture.left_out().end());
    double end = picture.end();
    if (!picture.homeless_legend()) return end;
    const Legend& legend = *picture.homeless_legend();
    if (panel.legend_beside) {
      const auto [width, height] = legend.extent(1, 0.4 * figure_.width);
      body_ += legend.at({right + legend_gap, frame.box().top, right + legend_gap + width, frame.box().top + height}, 1);
      return std::max(end, frame.box().top + height + legend_gap);
    }
    const auto labelled = std::ranges::count_if(figure_.panels, [](const Panel& each) {
      return std::ranges::any_of(each.series, [](const Series& s) { return !s.label.empty(); });
    });
    if (labelled > 1) return add_below(legend, left, right, end);
    at_the_end_.push_back(legend);  // it is of all panels
    return end;
  }

  double add_below(const Legend& legend, double left, double right, double top) {
    const std::size_t columns = legend.columns_in(right - left);
    const auto [width, height] = legend.extent(columns, right - left);
    const double begin = (left + right - width) / 2;
    body_ += legend.at({begin, top, begin + width, top + height}, columns);
    return top + height + legend_gap;
  }

  const Figure& figure_;
  Head head_;
  Inks inks_;
  std::vector<std::vector<std::string>> classes_;  ///< of the series of each panel
  std::vector<Legend> at_the_end_;
  std::vector<std::string> left_out_;
  std::string body_;
  double height_ = 0;
};

std::string description_of(const Figure& figure, const FigurePicture& picture) {
  std::string text = figure.description;
  const auto add = [&](const std::string& more) {
    if (more.empty()) return;
    while (text.ends_with(' ')) text.pop_back();
    if (!text.empty()) text += text.ends_with('.') ? " " : ". ";
    text += more;
  };
  if (!figure.conditions.empty()) add("With " + figure.conditions.plain());
  add(data_in_words(figure));
  if (!picture.left_out().empty()) {
    std::string names;
    for (const std::string& note : picture.left_out()) names += (names.empty() ? "" : ", ") + note;
    add("Not written for want of room: " + names);
  }
  return text;
}

}  // namespace

void write_svg(std::ostream& out, const Figure& figure) {
  const FigurePicture picture(figure);
  const std::string title = figure.title.plain(), description = description_of(figure, picture);
  const std::string scope = scope_of(title + description + picture.body());
  out << fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" id=\"{0}\" viewBox=\"0 0 {1} {2}\" width=\"{1}\" height=\"{2}\" role=\"img\" "
      "aria-labelledby=\"{0}-title {0}-description\">\n"
      "<title id=\"{0}-title\">{3}</title>\n<desc id=\"{0}-description\">{4}</desc>\n<style>\n{5}</style>\n"
      "<rect class=\"paper\" width=\"{1}\" height=\"{2}\"/>\n",
      scope, figure.width, static_cast<int>(picture.height()), xml_text(title), xml_text(description),
      plot_style(scope, figure.theme, picture.inks()));
  out << picture.head().text << picture.body() << "</svg>\n";
}

}  // namespace sfg
