#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sfg/control/modes.hpp"
#include "sfg/plot/curves.hpp"
#include "sfg/plot/figures.hpp"
#include "sfg/plot/plane.hpp"

namespace sfg {

namespace {

std::string mode_title(const Mode& mode) {
  std::string text = fmt::format("{:.4g} Hz", mode.frequency / per_hertz);
  switch (kind_of(mode)) {
    case ModeKind::rigid: return text + ", rigid";
    case ModeKind::real: return text + fmt::format(", real, pole {:.4g} 1/s", mode.pole.value.real());
    case ModeKind::oscillating: break;
  }
  return text + (mode.pole.on_axis ? ", undamped" : fmt::format(", ζ = {:.4g}", mode.damping));
}

void add_shape(Panel& panel, const std::vector<std::complex<double>>& shape, std::size_t colour) {
  constexpr double nothing = 1e-9;
  std::vector<double> place, real, imaginary;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    place.push_back(static_cast<double>(i + 1));
    real.push_back(shape[i].real());
    imaginary.push_back(shape[i].imag());
  }
  const bool turned = std::ranges::any_of(imaginary, [](double y) { return std::abs(y) > nothing; });
  const std::string label = turned ? "real part" : "";
  panel.series.push_back({label, place, real, Series::Style::line, colour});
  panel.series.push_back({"", place, real, Series::Style::dots, colour});
  if (!turned) return;
  panel.series.push_back({"imaginary part", place, imaginary, Series::Style::dashed, colour + 1});
  panel.series.push_back({"", place, imaginary, Series::Style::dots, colour + 1});
}

}  // namespace

Figure mode_figure(const PolesZeros& poles, const FigureOptions& options) {
  Figure f = empty_figure("Modes", "The shapes of the modes: the components of the signals, the largest 1", options);
  f.panel_height = 210;
  Axis signals;
  constexpr std::size_t most_names = 14;
  const std::size_t stride = 1 + poles.signals.size() / most_names;
  for (std::size_t i = 0; i < poles.signals.size(); ++i) signals.names.push_back(i % stride == 0 ? poles.signals[i] : "");
  signals.range = {0.5, static_cast<double>(poles.signals.size()) + 0.5};
  for (const Mode& mode : poles.modes) {
    if (mode.pole.value.imag() < 0) continue;
    for (std::size_t k = 0; k < mode.shapes.size(); ++k) {
      Panel panel;
      panel.title = mode_title(mode) + (mode.shapes.size() > 1 ? fmt::format(", shape {} of {}", k + 1, mode.shapes.size()) : "");
      panel.x = signals;
      panel.y.label = "shape";
      panel.y.range = {-1.15, 1.15};
      panel.rules = {{false, 0}};
      add_shape(panel, mode.shapes[k], 0);
      f.panels.push_back(std::move(panel));
    }
  }
  return f;
}

}  // namespace sfg
