#include "sfg/draw/picture.hpp"

#include <sstream>

#include "sfg/draw/convert.hpp"
#include "sfg/draw/graphviz.hpp"
#include "sfg/draw/layout.hpp"
#include "sfg/draw/svg.hpp"

namespace sfg {
namespace {

std::string own_svg(const SignalFlowGraph& graph, const PictureOptions& options) {
  std::ostringstream out;
  write_svg(out, layout(graph, {.budget = options.budget}), {.theme = options.theme, .highlight = options.highlight});
  return out.str();
}

}  // namespace

std::string picture(const SignalFlowGraph& graph, PictureFormat format, const PictureOptions& options) {
  if (format == PictureFormat::dot) return graphviz_text(graph, options);
  const std::string svg = own_svg(graph, options);
  return format == PictureFormat::svg ? svg : converted(svg, format, options.time_limit);
}

}  // namespace sfg
