#include "sfg/write/study/monte_carlo.hpp"

#include <fmt/format.h>

#include <cmath>
#include <ostream>

#include "sfg/text/unit_text.hpp"
#include "sfg/write/json_numbers.hpp"
#include "sfg/write/page/page_parts.hpp"

namespace sfg {

using json::Json;
using json::number;

namespace {

Prose value(double x) { return std::isfinite(x) ? Prose{number_math(x)} : words("none"); }

std::vector<Prose> row(const WorstCase& found, const WorstCaseEnd& end, const char* which, std::size_t parameters) {
  const std::string unit = found.measure.unit.empty() ? "" : ", " + unit_text(found.measure.unit);
  std::vector<Prose> cells{words(found.measure.text + unit), words(which), end.bound ? value(*end.bound) : words("none"),
                           value(end.attained)};
  for (std::size_t k = 0; k < parameters; ++k) cells.push_back({number_math(end.at[k])});
  return cells;
}

std::string not_close(const WorstCase& measure) {
  const auto gap = [](const WorstCaseEnd& end) {
    return end.bound && std::isfinite(end.attained) ? fmt::format("{:.3g}", std::abs(*end.bound - end.attained)) : "unknown";
  };
  return fmt::format(
      " is not as close to its bounds as was asked; they hold all the same. Between bound and attained value: {} (least), {} "
      "(greatest)",
      gap(measure.lower), gap(measure.upper));
}

Json end_of(const WorstCaseEnd& end, const std::vector<VaryingParameter>& parameters) {
  Json at = Json::object();
  for (std::size_t k = 0; k < parameters.size(); ++k) at[parameters[k].name] = number(end.at[k]);
  Json found{{"bound", number(end.bound)}, {"attained", number(end.attained)}, {"at", at}};
  if (end.bound && std::isfinite(end.attained)) found["gap"] = std::abs(*end.bound - end.attained);
  return found;
}

bool at_frequency(const BaseMeasure* base) {
  return base != nullptr &&
         (base->kind == MeasureKind::gain || base->kind == MeasureKind::db || base->kind == MeasureKind::phase);
}

/// "over the ellipsoid of R, L at 3 sigma, which holds 98.9 % of them; rank 1: …"
std::string region_of(const WorstCases& found) {
  const ToleranceEllipsoid& ellipsoid = *found.ellipsoid;
  std::string names;
  for (const std::string& name : ellipsoid.parameters) names += (names.empty() ? "" : ", ") + name;
  std::string text = fmt::format("over the ellipsoid of {} at {:.6g} sigma, which holds {:.6g} % of normal ones", names,
                                 ellipsoid.level, 100 * ellipsoid.probability);
  if (ellipsoid.rank < ellipsoid.parameters.size())
    text += fmt::format("; it has {} of {} dimensions, for their covariance matrix is singular", ellipsoid.rank,
                        ellipsoid.parameters.size());
  if (ellipsoid.parameters.size() < found.parameters.size()) text += "; over the box of all other tolerances";
  return text;
}

}  // namespace

Page page(const WorstCases& found) {
  Page page;
  page.add(Paragraph{{Math::relation(Math::signal(found.input), "→", Math::signal(found.output))}});
  if (found.ellipsoid) page.add(Paragraph{words(region_of(found))});
  Table table{{{words("measure"), false, 14}, {{}, false, 8}, {words("bound"), true, 12}, {words("attained"), true, 12}}, {}, 1};
  for (const VaryingParameter& parameter : found.parameters) table.columns.push_back({{Math::signal(parameter.name)}, true, 12});
  for (const WorstCase& measure : found.measures) {
    table.rows.push_back(row(measure, measure.lower, "least", found.parameters.size()));
    table.rows.push_back({{}, words("stated"), {}, value(measure.nominal)});
    for (const VaryingParameter& parameter : found.parameters) table.rows.back().push_back({number_math(parameter.nominal)});
    table.rows.push_back(row(measure, measure.upper, "greatest", found.parameters.size()));
  }
  page.add(std::move(table));
  for (const WorstCase& measure : found.measures) {
    if (!measure.complete) page.add(Paragraph{words("note: " + measure.measure.text + not_close(measure)), 1});
    if (measure.complete && (!measure.lower.bound || !measure.upper.bound))
      page.add(Paragraph{words("note: " + measure.measure.text + " fails somewhere in the " +
                               (found.ellipsoid ? "region" : "box") + ", and has no bound on that side"),
                         1});
  }
  return page;
}

void write_json(std::ostream& out, const WorstCases& found) {
  Json j{{"schema", "sfg/sens/1"}, {"input", found.input}, {"output", found.output}, {"worst_case", Json::array()}};
  for (const WorstCase& measure : found.measures) {
    Json entry{{"measure", measure.measure.text}};
    if (at_frequency(measure.measure.base())) entry["frequency"] = measure.measure.base()->at;
    entry["nominal"] = number(measure.nominal);
    entry["lower"] = end_of(measure.lower, found.parameters);
    entry["upper"] = end_of(measure.upper, found.parameters);
    entry["complete"] = measure.complete;
    entry["boxes"] = measure.boxes;
    j["worst_case"].push_back(std::move(entry));
  }
  if (found.ellipsoid)
    j["ellipsoid"] = {{"parameters", found.ellipsoid->parameters},
                      {"level", found.ellipsoid->level},
                      {"probability", found.ellipsoid->probability},
                      {"rank", found.ellipsoid->rank}};
  out << j.dump() << '\n';
}

}  // namespace sfg
