// Root loci (Evans 1948).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sfg/numeric/numbers.hpp"
#include "sfg/plot/curves.hpp"
#include "sfg/plot/figures.hpp"
#include "sfg/plot/plane.hpp"

namespace sfg {

namespace {

using Roots = std::vector<std::complex<double>>;

/// What the picture is about: where branches begin, end, meet and cross.
PlaneFrame locus_frame(const RootLocus& locus, bool discrete) {
  Roots points;
  for (const Roots* list : {&locus.start, &locus.end}) points.insert(points.end(), list->begin(), list->end());
  for (const auto* list : {&locus.breakaway, &locus.axis_crossings})
    for (const RootLocus::Point& p : *list) points.push_back(p.root);
  double size = 0;
  for (const auto& z : points) size = std::max(size, std::abs(z));
  if (!locus.asymptotes_deg.empty()) points.emplace_back(locus.centroid, 0.0);
  const bool by_numbers = locus.start.empty() && locus.end.empty();
  for (const Roots& branch : locus.branches)  // where they bulge on the way, not where they leave for infinity
    for (const auto& z : branch)
      if (is_finite(z) && (by_numbers || std::abs(z) <= 1.4 * size)) points.push_back(z);
  return frame_about(points, discrete);
}

void add_marks(Panel& panel, const char* name, const Roots& points, Series::Style style, std::size_t colour) {
  Series s{name, {}, {}, style, colour};
  s.size = style == Series::Style::dots ? 1.4 : 1;
  for (const auto& z : points) s.x.push_back(z.real()), s.y.push_back(z.imag());
  if (!points.empty()) panel.series.push_back(std::move(s));
}

/// With an arrow of rising parameter in the middle of what is seen.
void add_branch(Panel& panel, const Roots& branch, const PlaneFrame& frame) {
  const double far = 6 * frame.reach();
  Series s{"", {}, {}, Series::Style::line, 0};
  std::vector<double> length{0};
  for (std::size_t i = 0; i < branch.size(); ++i) {
    const auto z = branch[i];
    const bool near = is_finite(z) && std::abs(z) <= far;
    s.x.push_back(near ? z.real() : undefined), s.y.push_back(near ? z.imag() : undefined);
    if (i == 0) continue;
    const bool seen = is_finite(z) && z.real() > frame.left && z.real() < frame.right && std::abs(z.imag()) < frame.top;
    length.push_back(length.back() + (seen && is_finite(branch[i - 1]) ? std::abs(z - branch[i - 1]) : 0));
  }
  constexpr double shortest = 0.12;
  if (length.back() > shortest * frame.top) {
    const auto middle = std::lower_bound(length.begin(), length.end(), 0.5 * length.back()) - length.begin();
    s.arrows = {static_cast<std::size_t>(middle)};
  }
  panel.series.push_back(std::move(s));
}

/// Directions at complex and multiple roots: a short stretch, with its angle in the upper half plane.
void add_angles(Panel& panel, const std::vector<RootLocus::Angles>& list, const PlaneFrame& frame) {
  const double length = 0.09 * frame.top;
  for (const RootLocus::Angles& angles : list) {
    if (angles.root.imag() == 0 && angles.degrees.size() < 2) continue;
    for (const double angle : angles.degrees) {
      const std::complex<double> end = angles.root + std::polar(length, angle * radians_of_degree);
      panel.series.push_back({"", {angles.root.real(), end.real()}, {angles.root.imag(), end.imag()}, Series::Style::thin, 6});
      if (angles.root.imag() > 0)
        panel.notes.push_back({end.real(), end.imag(), fmt::format("{}{:.4g}°", angle < 0 ? "−" : "", std::abs(angle))});
    }
  }
}

std::string number(double value) { return (value < 0 ? "−" : "") + fmt::format("{:.4g}", std::abs(value)); }

std::string locus_text(std::complex<double> z) {
  return z.imag() == 0 ? number(z.real())
                       : number(z.real()) + (z.imag() < 0 ? " − " : " + ") + fmt::format("{:.4g}j", std::abs(z.imag()));
}

std::string locus_in_words(const RootLocus& locus, const std::string& parameter) {
  std::string text;
  if (!locus.parameter.empty())
    text = fmt::format("{} from {} to {}. ", parameter, number(locus.parameter.front()), number(locus.parameter.back()));
  const auto roots = [&](const char* name, const Roots& list) {
    if (list.empty()) return;
    text += name;
    for (std::size_t i = 0; i < list.size(); ++i) text += (i == 0 ? " " : ", ") + locus_text(list[i]);
    text += ". ";
  };
  roots("Open-loop poles", locus.start);
  roots("Open-loop zeros", locus.end);
  for (const RootLocus::Point& p : locus.breakaway)
    text += "Breakaway at " + locus_text(p.root) + ", " + parameter + " = " + number(p.parameter) + ". ";
  for (const RootLocus::Point& p : locus.axis_crossings)
    text += "Crossing at " + locus_text(p.root) + ", " + parameter + " = " + number(p.parameter) + ". ";
  if (!locus.asymptotes_deg.empty()) {
    text += "Asymptotes from " + number(locus.centroid) + " at";
    for (const double angle : locus.asymptotes_deg) text += " " + number(angle) + "°";
    text += ". ";
  }
  return text;
}

/// Those with the parameter 0 are the beginnings of branches: no second mark.
void add_special_points(Panel& panel, const RootLocus& locus, const std::string& parameter, bool discrete) {
  const auto marks = [&](const char* name, const std::vector<RootLocus::Point>& points, Series::Style style, std::size_t colour) {
    Roots places;
    for (const RootLocus::Point& p : points) {
      if (p.parameter == 0) continue;
      places.push_back(p.root);
      if (p.root.imag() > 0) places.push_back(std::conj(p.root));
      Caption text = Caption::name(parameter) + " = " + number(p.parameter);
      if (!discrete && p.root.real() == 0 && p.root.imag() > 0) text += fmt::format(", ω = {:.4g}", p.root.imag());
      panel.notes.push_back({p.root.real(), p.root.imag(), text});
    }
    add_marks(panel, name, places, style, colour);
  };
  marks("branches meet", locus.breakaway, Series::Style::diamonds, 2);
  marks(discrete ? "on the unit circle" : "on the imaginary axis", locus.axis_crossings, Series::Style::dots, 3);
}

}  // namespace

Figure locus_figure(const RootLocus& locus, const std::string& parameter, const FigureOptions& options) {
  Figure f =
      empty_figure("Root locus in " + Caption::name(parameter), "Closed-loop poles while " + parameter + " rises. ", options);
  f.panel_height = 560;
  const bool discrete = locus.boundary == exact::Boundary::unit_circle;
  Panel panel = plane();
  panel.legend_beside = true;
  const PlaneFrame frame = locus_frame(locus, discrete);
  set_frame(panel, frame);
  Panel marked;
  add_special_points(marked, locus, parameter, discrete);
  panel.notes = marked.notes;
  add_angles(panel, locus.departures, frame);
  add_angles(panel, locus.arrivals, frame);
  std::vector<Series> angles = std::move(panel.series);
  panel.series.clear();
  add_grid(panel, frame, discrete);
  const double far = 2 * frame.reach() + 2 * std::abs(locus.centroid);
  for (const double angle : locus.asymptotes_deg)
    panel.series.push_back({.x = {locus.centroid, locus.centroid + far * std::cos(angle * radians_of_degree)},
                            .y = {0, far * std::sin(angle * radians_of_degree)},
                            .style = Series::Style::dashed,
                            .muted = true});
  for (const Roots& branch : locus.branches) add_branch(panel, branch, frame);
  panel.series.insert(panel.series.end(), angles.begin(), angles.end());
  add_marks(panel, "open-loop poles", locus.start, Series::Style::crosses, 1);
  add_marks(panel, "open-loop zeros", locus.end, Series::Style::circles, 1);
  if (locus.start.empty() && locus.end.empty()) {  // the picture says why it is empty
    panel.series.push_back({.label = "open-loop poles: none", .style = Series::Style::crosses, .colour = 1});
    panel.series.push_back({.label = "open-loop zeros: none", .style = Series::Style::circles, .colour = 1});
  }
  panel.series.insert(panel.series.end(), marked.series.begin(), marked.series.end());
  f.description += locus_in_words(locus, parameter);
  f.panels = {std::move(panel)};
  return f;
}

}  // namespace sfg
