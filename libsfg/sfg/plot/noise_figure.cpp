#include <algorithm>
#include <cmath>

#include "sfg/plot/curves.hpp"
#include "sfg/plot/figures.hpp"
#include "sfg/plot/plane.hpp"

namespace sfg {

namespace {

/// Of a list of squares, without what a logarithmic axis does not show.
Series density_curve(const Caption& label, const std::vector<double>& x, const std::vector<double>& squares) {
  Series series{label, {}, {}, Series::Style::line, {}};
  for (std::size_t i = 0; i < x.size(); ++i)
    if (squares[i] > 0 && std::isfinite(squares[i])) series.x.push_back(x[i]), series.y.push_back(std::sqrt(squares[i]));
  return series;
}

}  // namespace

Figure noise_figure(const NoiseAnalysis& noise, const std::string& unit, const FigureOptions& options) {
  constexpr std::size_t most_curves = 6;  // colours that can be told apart
  Figure f = empty_figure(Caption("Noise of ") + Caption::name(noise.output),
                          "Spectral density over frequency: the whole, and what each element brings", options);
  Panel panel;
  panel.x = {frequency_label(options), Axis::Scale::logarithmic, {}};
  panel.y = {"density, " + unit + "/√Hz", Axis::Scale::logarithmic, {}};
  std::vector<double> x = noise.frequency;
  if (options.hertz)
    for (double& w : x) w /= per_hertz;
  panel.series.push_back(density_curve("all", x, noise.output_density));
  std::vector<const NoiseContribution*> loudest;
  for (const NoiseContribution& contribution : noise.contributions) loudest.push_back(&contribution);
  const auto peak = [](const NoiseContribution* c) { return c->values.empty() ? 0 : *std::ranges::max_element(c->values); };
  std::ranges::stable_sort(loudest, [&](const auto* a, const auto* b) { return peak(a) > peak(b); });
  if (loudest.size() > most_curves) loudest.resize(most_curves);
  for (const NoiseContribution* contribution : loudest) {
    Series series = density_curve(Caption::name(contribution->element), x, contribution->values);
    series.style = Series::Style::thin;
    series.pattern = panel.series.size();  // told apart without colours, too
    if (!series.x.empty()) panel.series.push_back(std::move(series));
  }
  f.panels = {std::move(panel)};
  return f;
}

}  // namespace sfg
