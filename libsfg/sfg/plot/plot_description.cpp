#include "sfg/plot/plot_description.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sfg/plot/bars.hpp"
#include "sfg/plot/panel_series.hpp"

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

std::string point(double x, double y) { return short_number(y) + " at " + short_number(x); }

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
  if (nearly_equal(s.y[least], s.y[greatest])) return name_of(s) + ": " + short_number(s.y[first]) + " throughout";
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

}  // namespace

std::string data_in_words(const Figure& figure) {
  std::string text;
  for (const Panel& panel : figure.panels) text += in_words(panel);
  if (!text.empty()) text.pop_back();
  return text;
}

}  // namespace sfg
