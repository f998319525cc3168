
#include "sfg/report/sections.hpp"

#include <fmt/format.h>

#include <cmath>
#include <ostream>

#include "sfg/expr/math_tree.hpp"
#include "sfg/text/escape.hpp"
#include "sfg/text/unit_text.hpp"

namespace sfg {

namespace {

/// Half to twice the value; about 0 from −1 to 1.
std::pair<double, double> range_of(double value) {
  if (value == 0 || !std::isfinite(value)) return {-1, 1};
  return value > 0 ? std::pair(value / 2, 2 * value) : std::pair(2 * value, value / 2);
}

void write_control(std::ostream& out, const MovingParameter& parameter) {
  const std::string name = xml_text(parameter.name), data = " data-parameter=\"" + name + "\"";
  const double value = parameter.start.to_double();
  const auto [low, high] = range_of(value);
  const std::string unit =
      parameter.unit.empty() ? "" : " <span class=\"unit\">" + xml_text(unit_text(parameter.unit)) + "</span>";
  out << "<li><span class=\"name\"><bdi>" << mathml(Math::signal(parameter.name)) << "</bdi>" << unit << "</span>"
      << fmt::format("<input type=\"range\"{} min=\"{}\" max=\"{}\" step=\"any\" value=\"{}\" aria-label=\"{}\">", data, low,
                     high, value, name)
      << fmt::format("<input type=\"number\"{} step=\"any\" value=\"{}\" aria-label=\"value of {}\">", data, value, name)
      << "<button type=\"button\" data-undo=\"" << name << "\" disabled aria-label=\"" << name << " as it was\">↺</button>";
  if (!parameter.text.empty()) out << "<span class=\"text\">" << xml_text(parameter.text) << "</span>";
  if (!parameter.follows.empty()) out << "<span class=\"text\">= " << xml_text(parameter.follows) << "</span>";
  out << "</li>\n";
}

}  // namespace

void write_parameter_panel(std::ostream& out, const MovingModel& model) {
  if (model.parameters.empty()) return;
  out << "<aside id=\"parameters\" aria-label=\"Parameters\">\n<p><strong>Parameters</strong> <button type=\"button\" data-reset "
         "disabled>All as stated</button> <span data-status role=\"status\"></span></p>\n<ul>\n";
  for (const MovingParameter& parameter : model.parameters) write_control(out, parameter);
  out << "</ul>\n";
  for (const std::string& said : model.fixed) out << "<p class=\"text\">" << xml_text("Note: " + said) << ".</p>\n";
  out << "</aside>\n";
}

}  // namespace sfg
