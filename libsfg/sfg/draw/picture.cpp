#include "sfg/draw/picture.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "sfg/draw/convert.hpp"
#include "sfg/draw/graph_scene.hpp"
#include "sfg/draw/graphviz.hpp"
#include "sfg/draw/layout.hpp"
#include "sfg/draw/shown_part.hpp"
#include "sfg/draw/svg.hpp"
#include "sfg/draw/tikz.hpp"

namespace sfg {
namespace {

constexpr double millimetres_of_point = 25.4 / 72.27;
constexpr double usual_points = 10;
constexpr double least_readable = 6;  ///< points, where no size is asked for
constexpr double least_shrinking = 0.9;

TikzOptions tikz_options(const Scene& scene, const PictureOptions& options) {
  const double size = millimetres_per_pixel(scene, options);
  const double points = size > 0 ? size * scene.text_size / millimetres_of_point : usual_points;
  return {.theme = options.theme, .highlight = options.highlight, .fragment = options.fragment, .font_size = points};
}

double natural_size(double text_size, const PictureOptions& options) {
  return (options.font_size > 0 ? options.font_size : usual_points) * millimetres_of_point / text_size;
}

/// Drawn as wide as it comes, closer where it is to be narrow: text that shrinks is the last resort.
Drawing fitted(const SignalFlowGraph& graph, const PictureOptions& options) {
  Drawing best = layout(graph, {.parts = options.parts, .budget = options.budget});
  if (options.width == 0) return best;
  const double room = options.width / natural_size(best.text_size, options);
  for (const double spread : {0.9, 0.8, 0.7, 0.6, 0.5}) {
    if (std::ceil(best.width) <= room) break;
    Drawing closer = layout(graph, {.spread = spread, .parts = options.parts, .budget = options.budget});
    if (closer.width < best.width) best = std::move(closer);
  }
  return best;
}

std::string tenths(double value) {
  std::ostringstream out;
  out.imbue(std::locale::classic());
  out << std::round(10 * value) / 10;
  return out.str();
}

}  // namespace

double millimetres_per_pixel(const Scene& scene, const PictureOptions& options) {
  if (options.width == 0 && options.font_size == 0) return 0;
  const double asked = options.font_size > 0 ? options.font_size : usual_points;
  const double natural = natural_size(scene.text_size, options);
  const double width = std::ceil(scene.width);
  if (options.width == 0 || width * natural <= options.width) return natural;
  const double fitted = options.width / width, points = asked * fitted / natural;
  const double least = options.font_size > 0 ? least_shrinking * asked : least_readable;
  if (points < least && options.notes != nullptr)
    options.notes->push_back({{},
                              "at a width of " + tenths(options.width) + " mm the text has " + tenths(points) + " points",
                              "text of " + tenths(least) + " points needs " + tenths(std::ceil(width * natural * least / asked)) +
                                  " mm, or draw a part of it",
                              Severity::warning});
  return fitted;
}

std::string picture(const Scene& scene, PictureFormat format, const PictureOptions& options) {
  std::ostringstream out;
  if (format == PictureFormat::tex)
    write_tikz(out, scene, tikz_options(scene, options));
  else
    write_svg(out, scene, {.theme = options.theme, .millimetres_per_pixel = millimetres_per_pixel(scene, options)});
  return format == PictureFormat::tex ? out.str() : converted(out.str(), format, options);
}

std::string picture(const SignalFlowGraph& graph, PictureFormat format, const PictureOptions& options) {
  if (format == PictureFormat::dot)
    return options.parts == Parts::used ? graphviz_text(without(graph, left_out(graph, Parts::used)).graph, options)
                                        : graphviz_text(graph, options);
  const Drawing drawing = fitted(graph, options);
  const Scene scene = graph_scene(drawing, options.highlight);
  if (format != PictureFormat::tex) return picture(scene, format, options);
  std::ostringstream out;
  write_tikz(out, drawing, tikz_options(scene, options));
  return out.str();
}

}  // namespace sfg
