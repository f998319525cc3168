#include "sfg/write/study/sensitivity.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <ostream>

#include "sfg/text/unit_text.hpp"
#include "sfg/write/json_numbers.hpp"
#include "sfg/write/page/page_parts.hpp"

namespace sfg {

using json::Json;
using json::number;

namespace {

/// The parameters by the size of their influence, those without one behind.
std::vector<std::size_t> by_influence(std::size_t count, const std::function<double(std::size_t)>& size) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto key = [&](std::size_t k) { return std::isfinite(size(k)) ? -std::abs(size(k)) : HUGE_VAL; };
  std::ranges::stable_sort(order, {}, key);
  return order;
}

Prose figure(double x, int digits = 6) { return std::isfinite(x) ? Prose{number_math(x, digits)} : words("-"); }

void add_measure(Page& page, const MeasureSensitivity& measure, const std::vector<std::string>& parameters) {
  Prose line{measure.name + " = ", number_math(measure.value, 10)};
  if (!measure.unit.empty()) line.emplace_back(" " + unit_text(measure.unit));
  page.add(Paragraph{std::move(line), 1});
  Table table{{{words("k"), false, 10}, {words("dM/dk"), true, 14}, {words("(k/M) dM/dk"), true, 14}}, {}, 2};
  const std::vector<double>& sizes = measure.value == 0 ? measure.derivative : measure.relative;
  for (const std::size_t k : by_influence(parameters.size(), [&](std::size_t i) { return sizes[i]; }))
    table.rows.push_back({{Math::signal(parameters[k])}, figure(measure.derivative[k]), figure(measure.relative[k])});
  page.add(std::move(table));
  for (std::size_t k = 0; k < parameters.size(); ++k)
    if (!measure.sided[k].why.empty())
      page.add(Paragraph{Prose{"no derivative by ", Math::signal(parameters[k]), ": " + measure.sided[k].why}, 2});
}

Prose root_line(const char* what, const RootSensitivity& root) {
  Prose line{std::string(what) + " ", complex_math(root.root.value, 10)};
  if (root.root.multiplicity > 1)
    line.emplace_back(", " + std::to_string(root.root.multiplicity) + "-fold: it moves as c*dk^(1/" +
                      std::to_string(root.root.multiplicity) + ")");
  if (!root.oscillation) return line;
  line.emplace_back(": ");
  line.emplace_back(Math::name("omega_n"));
  line.emplace_back(" = ");
  line.emplace_back(number_math(root.oscillation->frequency));
  line.emplace_back(" rad/s, damping ");
  line.emplace_back(number_math(root.oscillation->damping));
  return line;
}

/// Of a pair of conjugate roots the upper one stands for both.
void add_roots(Page& page, const char* what, const std::vector<RootSensitivity>& roots,
               const std::vector<std::string>& parameters) {
  if (roots.empty()) page.add(Paragraph{words(std::string("no ") + what + "s"), 1});
  for (const RootSensitivity& root : roots) {
    if (root.root.imaginary.sign() < 0) continue;
    page.add(Paragraph{root_line(what, root), 1});
    const bool multiple = root.root.multiplicity > 1;
    Table table{{{words("k"), false, 10}, {words(multiple ? "c" : std::string("d(") + what + ")/dk"), true, 26}}, {}, 2};
    if (root.oscillation) {
      table.columns.push_back({Prose{Math::quotient(Math::name("domega_n"), Math::name("dk"))}, true, 14});
      table.columns.push_back({words("d(damping)/dk"), true, 14});
    }
    for (std::size_t k = 0; k < parameters.size(); ++k) {
      std::vector<Prose> row{{Math::signal(parameters[k])}, {complex_math(root.slope[k], 6)}};
      if (root.oscillation) {
        row.push_back(figure(root.oscillation->frequency_slope[k]));
        row.push_back(figure(root.oscillation->damping_slope[k]));
      }
      table.rows.push_back(std::move(row));
    }
    page.add(std::move(table));
  }
}

template <class Value, class Write>
Json values_by_name(const std::vector<std::string>& names, const std::vector<Value>& values, Write write) {
  Json result = Json::object();
  for (std::size_t k = 0; k < names.size(); ++k) result[names[k]] = write(values[k]);
  return result;
}

Json reals(const std::vector<std::string>& names, const std::vector<double>& values) {
  return values_by_name(names, values, [](double x) { return number(x); });
}

Json json_of_root(const char* what, const RootSensitivity& root, const std::vector<std::string>& names) {
  Json entry{{what, json::complex(root.root.value)}, {"multiplicity", root.root.multiplicity}};
  entry[root.root.multiplicity > 1 ? "puiseux" : "derivatives"] = values_by_name(names, root.slope, json::complex);
  if (!root.oscillation) return entry;
  entry["frequency"] = {{"value", root.oscillation->frequency}, {"derivatives", reals(names, root.oscillation->frequency_slope)}};
  entry["damping"] = {{"value", root.oscillation->damping}, {"derivatives", reals(names, root.oscillation->damping_slope)}};
  return entry;
}

}  // namespace

Page page(const LocalStudy& study) {
  Page page;
  page.add(Paragraph{{Math::relation(Math::signal(study.input), "→", Math::signal(study.output))}});
  for (const MeasureSensitivity& measure : study.measures) add_measure(page, measure, study.parameters);
  if (study.poles) add_roots(page, "pole", study.poles->roots, study.poles->parameters);
  if (study.zeros) add_roots(page, "zero", study.zeros->roots, study.zeros->parameters);
  return page;
}

void write_json(std::ostream& out, const LocalStudy& study) {
  Json j{{"schema", "sfg/sens/1"}, {"input", study.input}, {"output", study.output}};
  if (!study.measures.empty()) j["measures"] = Json::array();
  for (const MeasureSensitivity& m : study.measures) {
    Json row{{"name", m.name},
             {"value", number(m.value)},
             {"derivatives", reals(study.parameters, m.derivative)},
             {"relative", reals(study.parameters, m.relative)}};
    if (!m.unit.empty()) row["unit"] = m.unit;
    for (std::size_t k = 0; k < study.parameters.size(); ++k) {
      const SidedSlope& sided = m.sided[k];
      if (!sided.why.empty())
        row["one_sided"][study.parameters[k]] = {
            {"reason", sided.why}, {"below", number(sided.below)}, {"above", number(sided.above)}};
    }
    j["measures"].push_back(std::move(row));
  }
  const auto add = [&](const char* list, const char* what, const std::optional<RootSensitivities>& roots) {
    if (!roots) return;
    j[list] = Json::array();
    for (const RootSensitivity& root : roots->roots) j[list].push_back(json_of_root(what, root, roots->parameters));
  };
  add("poles", "pole", study.poles);
  add("zeros", "zero", study.zeros);
  out << j.dump() << '\n';
}

}  // namespace sfg
