// Poles of a sweep: their paths in the plane, and Campbell's diagram (Campbell 1924).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sfg/numeric/numbers.hpp"
#include "sfg/plot/curves.hpp"
#include "sfg/plot/figures.hpp"
#include "sfg/plot/plane.hpp"
#include "sfg/text/unit_text.hpp"

namespace sfg {

namespace {

using Roots = std::vector<std::complex<double>>;

Roots swept_poles_of(const PolesZeros& item, double unit) {
  Roots roots;
  for (const Mode& mode : item.modes) roots.insert(roots.end(), mode.pole.multiplicity, mode.pole.value / unit);
  return roots;
}

/// The roots in the order of those before: the closest pair first, and so on. What has no predecessor comes last.
Roots in_order_of(const Roots& before, Roots roots) {
  Roots ordered(before.size(), std::complex<double>(undefined, undefined));
  std::vector<bool> taken(before.size(), false);
  while (!roots.empty() && std::ranges::count(taken, false) > 0) {
    std::size_t from = 0, to = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < before.size(); ++i)
      for (std::size_t k = 0; k < roots.size() && !taken[i]; ++k)
        if (const double distance = std::abs(roots[k] - before[i]); distance < least) least = distance, from = i, to = k;
    if (!std::isfinite(least)) break;
    taken[from] = true;
    ordered[from] = roots[to];
    roots.erase(roots.begin() + static_cast<std::ptrdiff_t>(to));
  }
  ordered.insert(ordered.end(), roots.begin(), roots.end());
  return ordered;
}

/// One list a branch, with a root (or NaN) for each of the items.
std::vector<Roots> branches_of(std::span<const PolesZeros> items, double unit) {
  std::vector<Roots> branches;
  Roots last;  // where each branch was seen last
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Roots here = in_order_of(last, swept_poles_of(items[i], unit));
    branches.resize(here.size(), Roots(i, std::complex<double>(undefined, undefined)));
    last.resize(here.size());
    for (std::size_t k = 0; k < here.size(); ++k) {
      branches[k].push_back(here[k]);
      if (std::isfinite(here[k].real())) last[k] = here[k];
    }
  }
  return branches;
}

void add_paths(Panel& panel, std::span<const PolesZeros> items, double unit) {
  for (const Roots& branch : branches_of(items, unit)) {
    Series path{"", {}, {}, Series::Style::guide, 5};
    for (const auto& z : branch) path.x.push_back(z.real()), path.y.push_back(z.imag());
    panel.series.push_back(std::move(path));
  }
}

}  // namespace

Figure pole_paths_figure(std::span<const PolesZeros> all, const Sweep& sweep, const FigureOptions& options) {
  Figure f = empty_figure(all.empty() || all.front().output.empty()
                              ? Caption("Poles")
                              : "Poles of " + transfer_caption(all.front().input, all.front().output),
                          "The poles in the complex plane for each set of values, and their paths", options);
  f.panel_height = 520;
  Panel panel = plane(options.hertz);
  const double unit = options.hertz ? per_hertz : 1.0;
  const std::size_t fastest = sweep.empty() ? 1 : sweep.parameters().back().values.size();
  const std::size_t transfers = std::max<std::size_t>(1, all.size() / std::max<std::size_t>(1, sweep.size()));
  for (std::size_t first = 0; transfers == 1 && first + fastest <= all.size(); first += fastest)
    add_paths(panel, all.subspan(first, fastest), unit);
  constexpr std::size_t most_crosses = 40;
  const Curves curves(all.size(), options);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string name = all[i].output.empty() ? "poles" : all[i].input + " → " + all[i].output;
    const bool end = i % fastest == 0 || i % fastest + 1 == fastest;
    Series marks =
        curves.curve(i, name, {}, {}, all.size() <= most_crosses || end ? Series::Style::crosses : Series::Style::dots);
    for (const auto& z : swept_poles_of(all[i], unit)) marks.x.push_back(z.real()), marks.y.push_back(z.imag());
    panel.series.push_back(std::move(marks));
  }
  const bool discrete = !all.empty() && all.front().op.discrete();
  std::vector<std::complex<double>> places;
  for (const PolesZeros& item : all)
    for (const auto& z : swept_poles_of(item, unit)) places.push_back(z);
  show_plane(panel, places, discrete);
  f.panels = {std::move(panel)};
  return f;
}

namespace {

void add_orders(Panel& panel, const Orders& orders, double unit, std::pair<double, double> speeds, double top) {
  std::size_t colour = 1;
  for (const double n : orders.orders) {
    const double slope = n * orders.per_unit / unit;
    const std::string name = fmt::format("{:g}×", n);
    panel.series.push_back(
        {name, {speeds.first, speeds.second}, {slope * speeds.first, slope * speeds.second}, Series::Style::line, colour});
    panel.series.back().pattern = colour++;  // told apart without colours, too
    const double end = slope > 0 ? std::min(speeds.second, 0.95 * top / slope) : speeds.second;
    panel.notes.push_back({end, slope * end, name});
  }
}

}  // namespace

Figure campbell_figure(std::span<const PolesZeros> all, const Sweep& sweep, const Orders& orders, const FigureOptions& options) {
  const SweptParameter& speed = sweep.parameters().front();
  const double unit = options.hertz ? per_hertz : 1.0;
  Figure f = empty_figure("Campbell diagram over " + Caption::name(speed.name),
                          "Imaginary parts of the poles over " + speed.name + ", with lines of its orders", options);
  f.panel_height = 440;
  Panel panel;
  panel.x.label = with_unit(Caption::name(speed.name), orders.unit);
  panel.y.label = options.hertz ? "frequency, Hz" : "imaginary part, rad/s";
  std::vector<double> values;
  for (const exact::Rational& value : speed.values) values.push_back(value.to_double());
  Series unstable{"not stable", {}, {}, Series::Style::crosses, 6};
  double top = 0;
  for (const Roots& branch : branches_of(all, unit)) {
    Series line{"", values, {}, values.size() > 1 ? Series::Style::line : Series::Style::dots, 0};
    for (std::size_t i = 0; i < branch.size(); ++i) {
      const bool shown = branch[i].imag() >= 0;
      line.y.push_back(shown ? branch[i].imag() : undefined);
      if (shown) top = std::max(top, branch[i].imag());
      const bool grows = branch[i].real() > 1e-9 * std::abs(branch[i]);
      if (shown && grows) unstable.x.push_back(values[i]), unstable.y.push_back(branch[i].imag());
    }
    panel.series.push_back(std::move(line));
  }
  if (!unstable.x.empty()) panel.series.push_back(std::move(unstable));
  const auto [low, high] = std::ranges::minmax(values);
  if (top == 0) top = 1;
  panel.y.range = {0, 1.08 * top};
  if (low < high) panel.x.range = {low, high};
  add_orders(panel, orders, unit, {low, high}, 1.08 * top);
  f.panels = {std::move(panel)};
  return f;
}

}  // namespace sfg
