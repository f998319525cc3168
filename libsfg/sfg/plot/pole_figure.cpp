// Poles and zeros of transfer functions in the plane.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sfg/plot/curves.hpp"
#include "sfg/plot/figures.hpp"
#include "sfg/plot/plane.hpp"

namespace sfg {

namespace {

struct Mark {
  std::complex<double> place;
  std::size_t multiplicity = 1;
};

std::vector<Mark> poles_of(const PolesZeros& item, double unit) {
  std::vector<Mark> marks;
  for (const Mode& mode : item.modes) marks.push_back({mode.pole.value / unit, mode.pole.multiplicity});
  return marks;
}

std::vector<Mark> zeros_of(const PolesZeros& item, double unit) {
  std::vector<Mark> marks;
  for (const exact::Root& zero : item.zeros) marks.push_back({zero.value / unit, zero.multiplicity});
  return marks;
}

std::string pole_text(std::complex<double> z) {
  if (z.imag() == 0) return four_digits(z.real());
  return fmt::format("{} {} {:.4g}j", four_digits(z.real()), z.imag() < 0 ? "−" : "+", std::abs(z.imag()));
}

std::string poles_in_words(const std::vector<Mark>& marks, const std::string& kind) {
  constexpr std::size_t most = 24;
  if (marks.empty()) return "no " + kind;
  std::string text = kind;
  for (std::size_t i = 0; i < std::min(most, marks.size()); ++i)
    text += (i == 0 ? " " : ", ") + pole_text(marks[i].place) +
            (marks[i].multiplicity > 1 ? fmt::format(" (×{})", marks[i].multiplicity) : "");
  return marks.size() > most ? text + fmt::format(" and {} more", marks.size() - most) : text;
}

Series series_of(const std::vector<Mark>& marks, Caption label, Series::Style style, std::size_t colour, double size) {
  Series s{std::move(label), {}, {}, style, colour};
  s.size = size;
  for (const Mark& mark : marks) s.x.push_back(mark.place.real()), s.y.push_back(mark.place.imag());
  return s;
}

/// How often something lies there: in one transfer function.
void note_multiplicities(Panel& panel, const std::vector<Mark>& marks) {
  for (const Mark& mark : marks) {
    if (mark.multiplicity < 2) continue;
    const std::string text = fmt::format("×{}", mark.multiplicity);
    const bool there = std::ranges::any_of(panel.notes, [&](const Note& note) {
      return note.x == mark.place.real() && note.y == mark.place.imag() && note.text == text;
    });
    if (!there) panel.notes.push_back({mark.place.real(), mark.place.imag(), text});
  }
}

/// Marks of later transfer functions are smaller, so that those on one place are rings about each other.
double size_of(std::size_t index, std::size_t count) {
  constexpr double largest = 2.2;
  if (count < 2) return 1;
  const double most = std::min(largest, 1 + 0.35 * static_cast<double>(count - 1));
  return most - (most - 0.8) * static_cast<double>(index) / static_cast<double>(count - 1);
}

}  // namespace

Figure pole_figure(std::span<const PolesZeros> all, const FigureOptions& options) {
  Figure f = empty_figure("Poles and zeros", "Poles as crosses and zeros as circles in the complex plane. ", options);
  f.panel_height = 520;
  Panel panel = plane(options.hertz);
  const double unit = options.hertz ? per_hertz : 1.0;
  const bool discrete = !all.empty() && all.front().op.discrete();
  std::vector<std::complex<double>> points;
  Panel marks;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string name = all[i].output.empty() ? "" : all[i].input + " → " + all[i].output;
    const std::vector<Mark> poles = poles_of(all[i], unit), zeros = zeros_of(all[i], unit);
    const Caption beside = all.size() > 1 ? " " + transfer_caption(all[i].input, all[i].output) : Caption();
    const double size = size_of(i, all.size());
    const std::size_t of_zeros = all.size() > 1 ? i : 1;
    if (!poles.empty()) marks.series.push_back(series_of(poles, "poles" + beside, Series::Style::crosses, i, size));
    if (!zeros.empty()) marks.series.push_back(series_of(zeros, "zeros" + beside, Series::Style::circles, of_zeros, size));
    for (const auto* list : {&poles, &zeros})
      for (const Mark& mark : *list) points.push_back(mark.place);
    note_multiplicities(marks, poles);
    note_multiplicities(marks, zeros);
    f.description +=
        (name.empty() ? "" : name + ": ") + poles_in_words(poles, "poles") + "; " + poles_in_words(zeros, "zeros") + ". ";
    if (poles.empty() && zeros.empty()) panel.remarks.push_back((name.empty() ? "" : name + ": ") + "no poles and no zeros.");
  }
  show_plane(panel, points, discrete);
  panel.notes.insert(panel.notes.begin(), marks.notes.begin(), marks.notes.end());
  panel.series.insert(panel.series.end(), marks.series.begin(), marks.series.end());
  f.panels = {std::move(panel)};
  return f;
}

}  // namespace sfg
