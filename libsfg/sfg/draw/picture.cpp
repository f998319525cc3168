#include "sfg/draw/picture.hpp"

#include <sstream>

#include "sfg/draw/convert.hpp"
#include "sfg/draw/graphviz.hpp"
#include "sfg/draw/layout.hpp"
#include "sfg/draw/svg.hpp"
#include "sfg/text/escape.hpp"

namespace sfg {
namespace {

std::string own_svg(const SignalFlowGraph& graph, const PictureOptions& options) {
  std::ostringstream out;
  write_svg(out, layout(graph, {.budget = options.budget}), {.theme = options.theme, .highlight = options.highlight});
  return out.str();
}

/// Graphviz' SVG with what a reader of the screen needs.
std::string with_description(std::string svg, const SignalFlowGraph& graph) {
  const std::size_t tag = svg.find("<svg ");
  const std::size_t end = tag == std::string::npos ? tag : svg.find('>', tag);
  if (end == std::string::npos) return svg;
  svg.insert(end + 1, "\n<title id=\"title\">" + xml_text(graph.title.empty() ? "Signal-flow graph" : graph.title) +
                          "</title>\n<desc id=\"description\">Signal-flow graph with " + std::to_string(graph.nodes().size()) +
                          " nodes and " + std::to_string(graph.branches().size()) + " branches</desc>");
  svg.insert(tag + 5, "role=\"img\" aria-labelledby=\"title description\" ");
  return svg;
}

}  // namespace

std::string picture(const SignalFlowGraph& graph, PictureFormat format, const PictureOptions& options) {
  if (format == PictureFormat::dot) return graphviz_text(graph, options);
  if (suits_layout(graph)) {
    const std::string svg = own_svg(graph, options);
    if (format == PictureFormat::svg) return svg;
    return converted(svg, format, options.time_limit);
  }
  const char* kind = format == PictureFormat::svg ? "-Tsvg" : format == PictureFormat::png ? "-Tpng" : "-Tpdf";
  std::string made =
      picture_by({"dot", kind}, graphviz_text(graph, options), {.package = "graphviz", .seconds = options.time_limit});
  return format == PictureFormat::svg ? with_description(std::move(made), graph) : made;
}

}  // namespace sfg
