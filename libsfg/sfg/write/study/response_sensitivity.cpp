#include "sfg/write/study/sensitivity.hpp"

#include <fmt/format.h>

#include <ostream>

#include "sfg/expr/print.hpp"
#include "sfg/write/json_numbers.hpp"
#include "sfg/write/page/page_parts.hpp"

namespace sfg {

using json::Json;

Page page(const ResponseSensitivity& found) {
  Page page;
  page.add(Paragraph{{Math::relation(Math::signal(found.input), "→", Math::signal(found.output))}});
  Table table{{{words("t"), true, 10}, {words("y"), true, 12}}, {}, 1};
  for (const std::string& name : found.parameters) table.columns.push_back({words("dy/d(" + name + ")"), true, 12});
  for (std::size_t i = 0; i < found.time.size(); ++i) {
    std::vector<Prose> row{{number_math(found.time[i])}, {number_math(found.value[i])}};
    for (const std::vector<double>& slope : found.slope) row.push_back({number_math(slope[i])});
    table.rows.push_back(std::move(row));
  }
  page.add(std::move(table));
  for (const std::string& name : found.impulsive)
    page.add(Paragraph{words("dy/d(" + name + ") has impulses, which samples do not show"), 1});
  return page;
}

void write_json(std::ostream& out, const ResponseSensitivity& found) {
  Json derivatives = Json::object();
  for (std::size_t k = 0; k < found.parameters.size(); ++k) derivatives[found.parameters[k]] = json::numbers(found.slope[k]);
  Json j{{"schema", "sfg/sens/1"},
         {"input", found.input},
         {"output", found.output},
         {"step_sensitivities",
          {{"time", json::numbers(found.time)}, {"value", json::numbers(found.value)}, {"derivatives", std::move(derivatives)}}}};
  if (!found.impulsive.empty()) j["step_sensitivities"]["impulsive"] = found.impulsive;
  out << j.dump() << '\n';
}

void write_csv(std::ostream& out, const ResponseSensitivity& found) {
  out << "t,y";
  for (const std::string& name : found.parameters) out << fmt::format(",\"{}\"", name);
  out << '\n';
  for (std::size_t i = 0; i < found.time.size(); ++i) {
    out << print(found.time[i]) << ',' << print(found.value[i]);
    for (const std::vector<double>& slope : found.slope) out << ',' << print(slope[i]);
    out << '\n';
  }
}

}  // namespace sfg
