#include "sfg/draw/convert.hpp"

#include "sfg/draw/process.hpp"
#include "sfg/error.hpp"

namespace sfg {

std::string converted(const std::string& svg, PictureFormat format, double seconds) {
  if (format == PictureFormat::svg) return svg;
  const bool png = format == PictureFormat::png;
  return picture_by({"rsvg-convert", png ? "--format=png" : "--format=pdf", png ? "--zoom=2" : "--zoom=1"}, svg,
                    {.package = "librsvg2-bin", .seconds = seconds});
}

std::string picture_by(const std::vector<std::string>& command, const std::string& input, const PictureProgram& program) {
  try {
    const ProcessResult result = run_process(command, input, {.seconds = program.seconds});
    if (result.status == 0 && !result.output.empty()) return result.output;
    const std::string first = result.messages.substr(0, result.messages.find('\n'));
    throw NoAnswer(command.front() + " could not draw the picture" + (first.empty() ? "" : ": " + first),
                   "write SVG or DOT instead, or reduce the graph first");
  } catch (const NoAnswer& error) {
    if (!error.remedy().empty()) throw;
    throw NoAnswer(error.what(), std::string("install the package ") + program.package + ", or write SVG or DOT");
  } catch (const LimitReached& error) {
    throw LimitReached(error.what(), "reduce the graph first, or allow more time");
  }
}

}  // namespace sfg
