#include "sfg/draw/enclosed_picture.hpp"

#include "sfg/draw/graph/layout.hpp"

namespace sfg {

std::string enclosed_picture(const SignalFlowGraph& graph, std::span<const BlockOutline> blocks, PictureFormat format,
                             const PictureOptions& options) {
  const SignalFlowGraph shown = with_boxes(graph, blocks);
  if (format == PictureFormat::dot) return picture(shown, format, options);
  const Drawing drawing = layout(shown, {.parts = options.parts, .decimals = options.decimals, .budget = options.budget});
  return picture(enclosed_scene(drawing, blocks, options.highlight), format, options);
}

}  // namespace sfg
