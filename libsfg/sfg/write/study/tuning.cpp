#include "sfg/write/study/fit.hpp"

#include <ostream>

#include "sfg/write/json_numbers.hpp"
#include "sfg/write/page/page_parts.hpp"

namespace sfg {

using json::Json;
using json::number;

namespace {

Prose cell(double value, int digits = 6) { return {number_math(value, digits)}; }

Table parameters_table(const Tuning& tuning) {
  Table table{{{words("parameter"), false, 12},
               {words("before"), true, 12},
               {words("after"), true, 16},
               {words("from"), true, 12},
               {words("to"), true, 12},
               {words(""), false, 0}},
              {},
              1};
  for (const TunedParameter& p : tuning.parameters)
    table.rows.push_back({{Math::signal(p.name)},
                          cell(p.before),
                          cell(p.value, 10),
                          cell(p.low),
                          cell(p.high),
                          words(p.at_bound() ? "at its bound" : "")});
  return table;
}

Table specs_table(const Tuning& tuning) {
  Table table{
      {{words("spec"), false, 24}, {words("before"), true, 12}, {words("after"), true, 16}, {words(""), false, 0}}, {}, 1};
  for (const TunedSpec& spec : tuning.specs)
    table.rows.push_back({words(spec.spec), cell(spec.before), cell(spec.value, 10), words(spec.met ? "met" : "not met")});
  return table;
}

void add_objective(Page& page, const Tuning& tuning) {
  using Kind = TuningGoal::Kind;
  if (tuning.kind == Kind::specs || !tuning.objective) return;
  const std::string what = tuning.kind == Kind::place ? "greatest distance of a placed pole" : tuning.objective_text;
  Prose line{what + (tuning.kind == Kind::maximize   ? ", greatest: "
                     : tuning.kind == Kind::minimize ? ", least: "
                                                     : ": "),
             number_math(*tuning.objective, 10)};
  if (tuning.before) {
    line.emplace_back(" (before: ");
    line.emplace_back(number_math(*tuning.before));
    line.emplace_back(")");
  }
  page.add(Paragraph{std::move(line)});
  if (tuning.poles.empty()) return;
  Table table{{{words("placed poles"), false, 24}}, {}, 1};
  for (const auto& pole : tuning.poles) table.rows.push_back({{complex_math(pole, 10)}});
  page.add(std::move(table));
}

}  // namespace

Page page(const Tuning& tuning, const std::string& check) {
  Page page;
  page.add(parameters_table(tuning));
  add_objective(page, tuning);
  if (!tuning.specs.empty()) page.add(specs_table(tuning));
  if (!tuning.conflicts.empty()) {
    page.add(
        Paragraph{{tuning.conflicts.size() == 1 ? "this spec could not be met:" : "these specs could not be met together:"}});
    for (const std::string& spec : tuning.conflicts) page.add(Paragraph{{spec}, 1});
  }
  page.add(
      Paragraph{{"from " + std::to_string(tuning.starts) + " starts, " + std::to_string(tuning.evaluations) + " evaluations"}});
  if (!check.empty()) page.add(Paragraph{{"to check it: " + check}});
  return page;
}

void write_json(std::ostream& out, const Tuning& tuning, const std::string& input, const std::string& output) {
  Json j{{"schema", "sfg/tune/1"}, {"input", input}, {"output", output}, {"parameters", Json::object()}};
  for (const TunedParameter& p : tuning.parameters) j["parameters"][p.name] = number(p.value);
  j["before"] = Json::object();
  for (const TunedParameter& p : tuning.parameters) j["before"][p.name] = number(p.before);
  j["at_bound"] = Json::array();
  for (const TunedParameter& p : tuning.parameters)
    if (p.at_bound()) j["at_bound"].push_back(p.name);
  j["objective"] = number(tuning.objective);
  j["objective_before"] = number(tuning.before);
  if (tuning.kind == TuningGoal::Kind::place) {
    j["poles"] = Json::array();
    for (const auto& pole : tuning.poles) j["poles"].push_back(json::complex(pole));
  }
  j["specs"] = Json::array();
  for (const TunedSpec& spec : tuning.specs)
    j["specs"].push_back(
        {{"spec", spec.spec}, {"value", number(spec.value)}, {"before", number(spec.before)}, {"met", spec.met}});
  if (!tuning.conflicts.empty()) j["conflicts"] = tuning.conflicts;
  j["starts"] = tuning.starts;
  j["evaluations"] = tuning.evaluations;
  out << j.dump() << '\n';
}

}  // namespace sfg
