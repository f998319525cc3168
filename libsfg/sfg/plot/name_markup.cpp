#include "sfg/plot/name_markup.hpp"

#include <fmt/format.h>

#include "sfg/draw/formula.hpp"
#include "sfg/text/escape.hpp"

namespace sfg {

std::string name_markup(const std::string& name) {
  constexpr double size = 11, nothing = 0.05;
  const Formula formula = typeset(Math::signal(name), size);
  if (formula.rows.size() != 1 || !formula.rules.empty()) return xml_text(name);
  std::string text;
  double raised = 0;
  for (const TextRun& run : formula.rows.front().runs) {
    text += fmt::format("<tspan font-size=\"{:.3g}\"", run.size);
    if (run.italic) text += " font-style=\"italic\"";
    if (const double up = run.raise - raised; up > nothing || up < -nothing) text += fmt::format(" dy=\"{:.3g}\"", -up);
    text += ">" + xml_text(run.text) + "</tspan>";
    raised = run.raise;
  }
  return text;
}

}  // namespace sfg
