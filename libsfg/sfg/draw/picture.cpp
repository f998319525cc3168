#include "sfg/draw/picture.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "sfg/draw/convert.hpp"
#include "sfg/draw/graph/graph_scene.hpp"
#include "sfg/draw/graphviz.hpp"
#include "sfg/draw/paper_size.hpp"
#include "sfg/draw/svg.hpp"
#include "sfg/draw/tikz.hpp"
#include "sfg/graph/graph_names.hpp"

namespace sfg {
namespace {

TikzOptions tikz_options(const Scene& scene, const PictureOptions& options) {
  const double size = scene.paper_width > 0 ? scene.paper_width / std::ceil(scene.width) : millimetres_per_pixel(scene, options);
  const double points = size > 0 ? size * scene.text_size / millimetres_of_point : usual_points;
  return {.theme = options.theme,
          .highlight = options.highlight,
          .fragment = options.fragment,
          .font_size = points,
          .style = options.style.get()};
}

}  // namespace

/// Text that shrinks is the last resort.
Drawing fitted_drawing(const SignalFlowGraph& graph, const PictureOptions& options) {
  LayoutOptions wanted{.parts = options.parts,
                       .decimals = options.decimals,
                       .like = options.like,
                       .mirror = options.mirror,
                       .number_loops = options.number_loops,
                       .budget = options.budget};
  wanted.width = options.width / natural_size(wanted.text_size, options);
  return layout(graph, wanted);
}

std::string picture(const Scene& scene, PictureFormat format, const PictureOptions& options) {
  std::ostringstream out;
  if (format == PictureFormat::tex)
    write_tikz(out, scene, tikz_options(scene, options));
  else
    write_svg(out, scene,
              {.theme = options.theme,
               .millimetres_per_pixel = millimetres_per_pixel(scene, options),
               .outline = options.outline || format != PictureFormat::svg,
               .style = options.style.get()});
  return format == PictureFormat::tex ? out.str() : converted(out.str(), format, options);
}

std::string picture(const SignalFlowGraph& graph, PictureFormat format, const PictureOptions& options) {
  const NamesInUse names(names_of(graph));
  if (format == PictureFormat::dot)
    return options.parts == Parts::used ? graphviz_text(without(graph, left_out(graph, Parts::used)).graph, options)
                                        : graphviz_text(graph, options);
  Drawing drawing = fitted_drawing(graph, options);
  if (options.style && options.style->node_radius > 0) drawing.node_radius = options.style->node_radius;
  const Scene scene = graph_scene(drawing, options.highlight, options.style.get());
  if (format != PictureFormat::tex) return picture(scene, format, options);
  std::ostringstream out;
  write_tikz(out, drawing, tikz_options(scene, options));
  return out.str();
}

}  // namespace sfg
