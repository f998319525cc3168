#include "sfg/plot/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "sfg/numeric/numbers.hpp"
#include "sfg/plot/curves.hpp"
#include "sfg/plot/plane.hpp"
#include "sfg/text/unit_text.hpp"

namespace sfg {

namespace {

std::string transfer_of(const MeasuredTransfer& t) { return t.output + "/" + t.input; }

/// The colour of the curve beside it, another one where that is the only one; small where there are many.
Series points(const Series* curve, bool only, std::vector<double> x, std::vector<double> y) {
  constexpr std::size_t few = 40, some = 150;
  const std::size_t count = x.size();
  Series made{.x = std::move(x), .y = std::move(y), .style = count <= some ? Series::Style::circles : Series::Style::dots};
  made.size = count <= few ? 0.75 : count <= some ? 0.55 : 0.6;
  made.kind = measured_points;
  if (only) {
    made.colour = 1;
  } else if (curve) {
    made.colour = curve->colour;
    made.shade = curve->shade;
  }
  return made;
}

/// The same points, as far as the model is from them.
Series residual(const Series& of, std::vector<double> apart) {
  Series made = of;
  made.label = {};
  made.y = std::move(apart);
  made.kind = "residual";
  made.style = Series::Style::dots;
  made.size = std::max(of.size, 0.6);
  return made;
}

Panel residual_panel(const Panel& of, const std::string& name, const std::string& label) {
  constexpr int low = 150;
  Panel panel;
  panel.name = name;
  panel.height = low;
  panel.x = of.x;
  panel.y.label = label;
  panel.rules = {{false, 0}};
  return panel;
}

std::vector<double> differences(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> all(a.size());
  std::ranges::transform(a, b, all.begin(), [](double x, double y) { return x - y; });
  return all;
}

bool any_finite(const std::vector<double>& values) {
  return std::ranges::any_of(values, [](double v) { return std::isfinite(v); });
}

const Series* curve_of(const Panel& panel, const std::string& transfer) {
  const auto found =
      std::ranges::find_if(panel.series, [&](const Series& s) { return s.transfer == transfer && s.kind != measured_points; });
  return found == panel.series.end() ? nullptr : &*found;
}

/// A low panel shows how much it is: as far up as down, to a round number.
void round_off(Panel& panel) {
  double most = 0;
  for (const Series& s : panel.series)
    for (const double y : s.y)
      if (std::isfinite(y)) most = std::max(most, std::abs(y));
  if (most == 0) return;
  const double power = std::pow(10, std::floor(std::log10(most)));
  for (const double part : {1.0, 2.0, 5.0, 10.0})
    if (part * power >= most) {
      panel.y.range = {-part * power, part * power};
      return;
    }
}

/// The panel below it has the same abscissa.
void share_abscissa(Panel& panel, Panel& below) {
  round_off(below);
  double low = infinity, high = -infinity;
  for (const Series& s : panel.series)
    for (const double x : s.x)
      if (std::isfinite(x)) low = std::min(low, x), high = std::max(high, x);
  if (!panel.x.range && low < high) panel.x.range = {low, high};
  below.x.range = panel.x.range;
}

/// Names the points in the legend of the panel, and its only curve.
/// @param named  the legend of another panel has them already
void add_points(Panel& panel, Series series, const Caption& name, const std::string& file, std::size_t curves,
                bool named = false) {
  if (!any_finite(series.y)) return;
  if (named) return panel.series.push_back(std::move(series));
  series.label = curves == 1 ? Caption("measured") : name + ", measured";
  if (!file.empty()) series.label += " (" + file + ")";
  if (curves == 1)
    for (Series& curve : panel.series)
      if (curve.label.empty() && !curve.kind.empty() && curve.kind != measured_points) {
        curve.label = "model";
        break;
      }
  panel.series.push_back(std::move(series));
}

template <class Item>
bool several_files(std::span<const Item> items) {
  return std::ranges::any_of(items, [&](const Item& item) { return item.file != items.front().file; });
}

std::string file_of(const auto& item, bool several) { return several ? item.file : std::string(); }

std::size_t curves_in(const Panel& panel) {
  std::vector<std::string> all;
  for (const Series& s : panel.series)
    if (!s.transfer.empty() && s.kind != measured_points) all.push_back(s.transfer + s.set);
  std::ranges::sort(all);
  return static_cast<std::size_t>(std::unique(all.begin(), all.end()) - all.begin());
}

void describe(Figure& figure, const std::string& name, const Misfit& misfit, const std::string& unit) {
  if (misfit.samples == 0) return;
  figure.description += fmt::format(" {} was measured at {} points", name, misfit.samples);
  if (misfit.rms) figure.description += fmt::format(", {:.4g}{} rms from the model", *misfit.rms, unit);
  figure.description += ".";
}

/// Where the range is stated, it is to hold the points, too.
void widen(std::optional<std::pair<double, double>>& range, const std::vector<double>& values) {
  constexpr double margin = 0.05;
  if (!range) return;
  auto [low, high] = *range;
  for (const double v : values)
    if (std::isfinite(v)) low = std::min(low, v), high = std::max(high, v);
  if (low < range->first) range->first = low - margin * (high - low);
  if (high > range->second) range->second = high + margin * (high - low);
}

/// Points in a plane, each joined to that of the model by a thin line.
void add_to_plane(Figure& figure, const MeasuredTransfer& t, std::vector<double> x, std::vector<double> y,
                  const std::vector<double>& model_x, const std::vector<double>& model_y, const std::string& file,
                  bool residuals) {
  Panel& panel = figure.panels.front();
  const std::size_t curves = curves_in(panel);
  widen(panel.x.range, x), widen(panel.y.range, y);
  Series made = points(curve_of(panel, transfer_of(t)), curves == 1, std::move(x), std::move(y));
  made.transfer = transfer_of(t);
  if (residuals) {
    Series apart = residual(made, {});
    apart.style = Series::Style::thin;
    apart.pattern.reset();
    apart.x.clear();
    for (std::size_t k = 0; k < made.x.size(); ++k) {
      apart.x.insert(apart.x.end(), {made.x[k], model_x[k], undefined});
      apart.y.insert(apart.y.end(), {made.y[k], model_y[k], undefined});
    }
    panel.series.push_back(std::move(apart));
  }
  add_points(panel, std::move(made), transfer_caption(t.input, t.output), file, curves);
}

void split(const std::vector<std::complex<double>>& values, std::vector<double>& x, std::vector<double>& y) {
  for (const auto& z : values) x.push_back(z.real()), y.push_back(z.imag());
}

/// Whether it has a place in a plane; where not, the figure says so.
bool is_whole(Figure& figure, const MeasuredTransfer& t) {
  if (!t.in_full)
    figure.panels.front().remarks.push_back("Of " + transfer_of(t) +
                                            " magnitude and phase are not both measured: it has no points here.");
  return t.in_full;
}

/// A panel and, where they are wanted and there are any, its residuals below.
void show(std::vector<Panel>& shown, Panel panel, Panel residuals, bool wanted) {
  share_abscissa(panel, residuals);
  const bool any = wanted && !residuals.series.empty();
  shown.push_back(std::move(panel));
  if (any) shown.push_back(std::move(residuals));
}

}  // namespace

void add_measured_to_bode(Figure& figure, std::span<const MeasuredTransfer> measured, const MeasuredPointsOptions& options) {
  if (measured.empty()) return;
  const bool several = several_files(measured);
  std::vector<Panel> shown;
  std::set<std::pair<std::string, std::string>> named;  // in the legend of a panel above
  const auto add = [&](Panel panel, const std::string& unit, const auto& own, const auto& model) {
    const std::size_t curves = curves_in(panel);
    Panel apart = residual_panel(panel, panel.name + "-residual", "residual, " + unit);
    for (const MeasuredTransfer& t : measured) {
      const std::vector<double>& y = own(t);
      const Series* curve = curve_of(panel, transfer_of(t));  // magnitudes of another unit have a panel of their own
      if (curve == nullptr || !any_finite(y)) continue;
      std::vector<double> x = t.frequency;
      if (options.hertz)
        for (double& w : x) w /= per_hertz;
      Series made = points(curve, curves == 1, std::move(x), y);
      made.transfer = transfer_of(t);
      apart.series.push_back(residual(made, differences(y, model(t))));
      describe(figure, "The " + panel.name + " of " + transfer_of(t), misfit(y, model(t)), " " + unit);
      add_points(panel, std::move(made), transfer_caption(t.input, t.output), file_of(t, several), curves,
                 !named.insert({t.file, transfer_of(t)}).second);
    }
    show(shown, std::move(panel), std::move(apart), options.residuals);
  };
  for (Panel& panel : figure.panels)
    if (panel.name == "magnitude")
      add(
          std::move(panel), "dB", [](const auto& t) -> const auto& { return t.magnitude_db; },
          [](const auto& t) -> const auto& { return t.model_db; });
    else if (panel.name == "phase")
      add(
          std::move(panel), "deg", [](const auto& t) -> const auto& { return t.near_deg; },
          [](const auto& t) -> const auto& { return t.model_deg; });
    else
      shown.push_back(std::move(panel));
  figure.panels = std::move(shown);
}

void add_measured_to_nyquist(Figure& figure, std::span<const MeasuredTransfer> measured, const MeasuredPointsOptions& options) {
  for (const MeasuredTransfer& t : measured) {
    if (!is_whole(figure, t)) continue;
    std::vector<double> x, y, model_x, model_y;
    split(t.value, x, y), split(t.model, model_x, model_y);
    describe(figure, transfer_of(t), misfit(t.value, t.model), "");
    add_to_plane(figure, t, std::move(x), std::move(y), model_x, model_y, file_of(t, several_files(measured)), options.residuals);
  }
}

void add_measured_to_nichols(Figure& figure, std::span<const MeasuredTransfer> measured, const MeasuredPointsOptions& options) {
  for (const MeasuredTransfer& t : measured) {
    if (!is_whole(figure, t)) continue;
    describe(figure, transfer_of(t), misfit(t.value, t.model), "");
    add_to_plane(figure, t, t.near_deg, t.magnitude_db, t.model_deg, t.model_db, file_of(t, several_files(measured)),
                 options.residuals);
  }
}

void add_measured(Figure& figure, std::span<const NamedResponse> responses, std::span<const MeasuredSignal> measured,
                  const MeasuredPointsOptions& options) {
  if (measured.empty()) return;
  const bool several = several_files(measured);
  const std::vector<std::string> units = units_of(responses);  // each has a panel
  std::vector<Panel> shown;
  for (std::size_t p = 0; p < units.size(); ++p) {
    Panel panel = std::move(figure.panels[p]);
    const std::string number = units.size() > 1 ? fmt::format("-{}", p + 1) : "";
    panel.name = "response" + number;
    Panel apart = residual_panel(panel, "residual" + number, units[p].empty() ? "residual" : "residual, " + unit_text(units[p]));
    const auto curves = static_cast<std::size_t>(std::ranges::count(responses, units[p], &NamedResponse::unit));
    for (const MeasuredSignal& s : measured) {
      const auto of = std::ranges::find(responses, s.name, &NamedResponse::name);
      if (of == responses.end() || of->unit != units[p] || !any_finite(s.value)) continue;
      const Series beside{.colour = static_cast<std::size_t>(of - responses.begin())};
      Series made = points(&beside, curves == 1, s.time, s.value);
      made.signal = s.name;
      apart.series.push_back(residual(made, differences(s.value, s.model)));
      describe(figure, s.name, misfit(s.value, s.model), units[p].empty() ? "" : " " + units[p]);
      add_points(panel, std::move(made), Caption::name(s.name), file_of(s, several), curves);
    }
    show(shown, std::move(panel), std::move(apart), options.residuals);
  }
  figure.panels = std::move(shown);
}

}  // namespace sfg
