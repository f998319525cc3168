#include "sfg/draw/convert.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "sfg/draw/process.hpp"
#include "sfg/error.hpp"

namespace sfg {
namespace {

std::string decimal(double value) {
  std::array<char, 32> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), std::round(value * 1000) / 1000).ptr};
}

/// The same bytes on every run: without the comment that says when it was made.
std::string undated(std::string eps) {
  if (const std::size_t date = eps.find("\n%%CreationDate:"); date != std::string::npos)
    eps.erase(date, std::min(eps.find('\n', date + 1), eps.size()) - date);
  return eps;
}

}  // namespace

std::string converted(const std::string& svg, PictureFormat format, const PictureOptions& options) {
  const auto by_librsvg = [&](const char* kind, double zoom) {
    return picture_by({"rsvg-convert", kind, "--dpi-x=96", "--dpi-y=96", "--zoom=" + decimal(zoom)}, svg,
                      {.package = "librsvg2-bin", .seconds = options.time_limit});
  };
  switch (format) {
    case PictureFormat::svg: return svg;
    case PictureFormat::png: return by_librsvg("--format=png", options.scale);
    case PictureFormat::pdf: return by_librsvg("--format=pdf", 1);
    case PictureFormat::eps: return undated(by_librsvg("--format=eps", 1));
    case PictureFormat::tex:
    case PictureFormat::dot: break;
  }
  throw NoAnswer("a picture of this kind is not written as " + std::string(format == PictureFormat::tex ? "TeX" : "DOT"),
                 "write SVG, PNG, PDF or EPS");
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
