#include "sfg/draw/convert.hpp"

#include "sfg/draw/process.hpp"
#include "sfg/error.hpp"

namespace sfg {

std::string converted(const std::string& svg, PictureFormat format) {
  if (format == PictureFormat::svg) return svg;
  const bool png = format == PictureFormat::png;
  const ProcessResult made = run_process({"rsvg-convert", png ? "--format=png" : "--format=pdf", png ? "--zoom=2" : "--zoom=1"}, svg);
  if (made.status != 0) throw NoAnswer("rsvg-convert failed: " + made.messages, "write SVG instead, or install librsvg2-bin");
  return made.output;
}

}  // namespace sfg
