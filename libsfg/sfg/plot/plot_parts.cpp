#include "sfg/plot/plot_parts.hpp"

#include <fmt/format.h>

#include <cmath>

#include "sfg/draw/set_caption.hpp"
#include "sfg/plot/inks.hpp"
#include "sfg/text/escape.hpp"

namespace sfg {

namespace {

constexpr double exponent_size = 9.5;

std::string class_of(const std::string& classes) { return classes.empty() ? "" : " class=\"" + classes + "\""; }

std::string attributes(const PlotData& data) {
  std::string text;
  for (const auto& [name, value] : data) text += " data-" + name + "=\"" + xml_text(value) + "\"";
  return text;
}

std::string element(const PlotWords& words) {
  constexpr double nothing = 0.05;  // pixels
  std::string markup;
  double raised = 0;
  for (const TextRun& run : set(words.text, words.size).runs) {
    const double up = run.raise - raised;
    std::string attributes;
    if (std::abs(run.size - words.size) > nothing) attributes += fmt::format(" font-size=\"{:.3g}\"", run.size);
    if (run.italic) attributes += " class=\"italic\"";
    if (std::abs(up) > nothing) attributes += fmt::format(" dy=\"{:.3g}\"", -up);
    if (std::abs(run.before) > nothing) attributes += fmt::format(" dx=\"{:.3g}\"", run.before);
    markup += attributes.empty() ? xml_text(run.text) : "<tspan" + attributes + ">" + xml_text(run.text) + "</tspan>";
    raised = run.raise;
  }
  if (markup.empty()) return "";
  if (!words.exponent.empty())
    markup += fmt::format("<tspan dy=\"-5\" font-size=\"{}\">{}</tspan>", exponent_size, xml_text(words.exponent));
  const std::string place = words.turned ? fmt::format("transform=\"translate({},{}) rotate(-90)\"", px(words.x), px(words.y))
                                         : fmt::format("x=\"{}\" y=\"{}\"", px(words.x), px(words.y));
  return "<text " + place + class_of(words.classes) + ">" + markup + "</text>\n";
}

std::string element(const PlotPath& path) {
  return path.d.empty() ? ""
                        : fmt::format("<path{}{}{} d=\"{}\"/>\n", class_of(path.classes), attributes(path.data),
                                      dashes_of(path.dash), path.d);
}

std::string element(const PlotDisc& disc) {
  return fmt::format("<circle{} cx=\"{}\" cy=\"{}\" r=\"{}\"/>\n", class_of(disc.classes), px(disc.at.x), px(disc.at.y),
                     px(disc.radius));
}

std::string element(const PlotBox& part) {
  return fmt::format("<rect{} x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n", class_of(part.classes), px(part.box.left),
                     px(part.box.top), px(part.box.width()), px(part.box.height()));
}

std::string element(const PlotGroup& group) {
  std::string text = "<g" + class_of(group.classes) + attributes(group.data) + ">";
  if (!group.title.empty()) text += "<title>" + xml_text(group.title) + "</title>";
  return text + (group.swatch ? "" : "\n") + svg_text(group.parts) + (group.swatch ? "</g>" : "</g>\n");
}

}  // namespace

std::string svg_text(const PlotParts& parts) {
  std::string text;
  for (const PlotPart& part : parts) text += std::visit([](const auto& content) { return element(content); }, part.content);
  return text;
}

}  // namespace sfg
