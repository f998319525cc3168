#include "sfg/plot/figures.hpp"

#include <fmt/format.h>

#include <cmath>

#include "sfg/numeric/numbers.hpp"
#include "sfg/plot/curves.hpp"
#include "sfg/plot/plane.hpp"
#include "sfg/response/singular_values.hpp"

namespace sfg {

Figure singular_value_figure(std::span<const SingularValues> all, const FigureOptions& options) {
  Figure f =
      empty_figure("Singular values", "Singular values of a matrix of transfer functions in decibels over frequency", options);
  Panel panel;
  panel.x = {frequency_label(options), Axis::Scale::logarithmic, {}};
  panel.y = {"singular values, dB", Axis::Scale::decibels, {}};
  std::size_t count = 0, index = 0;
  for (const SingularValues& found : all) count += std::min(found.inputs.size(), found.outputs.size());
  const Curves curves(count, options);
  for (const SingularValues& found : all) {
    std::vector<double> x = found.frequency;
    if (options.hertz)
      for (double& w : x) w /= per_hertz;
    for (std::size_t i = 0; i < std::min(found.inputs.size(), found.outputs.size()); ++i) {
      std::vector<double> y;
      for (const auto& at : found.values) y.push_back(at[i] > 0 ? 20 * std::log10(at[i]) : undefined);
      const Caption name = Caption::name(fmt::format("sigma_{}", i + 1));
      panel.series.push_back(
          marked(curves.curve(index++, name, x, std::move(y)), "singular-value", "", fmt::format("sigma_{}", i + 1)));
    }
  }
  f.panels = {std::move(panel)};
  return f;
}

}  // namespace sfg
