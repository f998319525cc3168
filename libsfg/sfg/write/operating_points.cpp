#include "sfg/write/operating_points.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "sfg/expr/print.hpp"
#include "sfg/write/page/page_parts.hpp"

namespace sfg {

namespace {

using Json = nlohmann::ordered_json;

std::string stability(const OperatingPoints::Point& point) {
  return !point.stable ? "open" : *point.stable ? "stable" : "unstable";
}

Json json_of_case(const StaticCase& each) {
  Json json{{"static", Json::array()},
            {"complete", each.found.complete},
            {"complete_in_box", each.found.complete_in_box},
            {"box", Json::object()}};
  for (const auto& point : each.found.points) {
    Json signals = Json::object();
    for (const std::string& signal : each.found.signals) signals[signal] = point.signals.at(signal);
    Json one;
    for (const std::string& input : each.found.inputs) one["inputs"][input] = point.signals.at(input);
    one["signals"] = std::move(signals);
    for (const auto& [signal, range] : point.set) one["set"][signal] = {range.first, range.second};
    one["stable"] = point.stable ? Json(*point.stable) : Json(nullptr);
    if (!point.open.empty()) one["reason"] = point.open;
    if (!point.derivatives.empty()) one["derivatives"] = point.derivatives;
    json["static"].push_back(std::move(one));
  }
  for (const auto& [signal, side] : each.found.box) json["box"][signal] = {side.first, side.second};
  return json;
}

/// A number, or the range of a set.
Prose value_of(const OperatingPoints::Point& point, const std::string& signal) {
  constexpr int digits = 10;
  const auto range = point.set.find(signal);
  if (range == point.set.end() || range->second.first == range->second.second)
    return {number_math(point.signals.at(signal), digits)};
  return joined({{number_math(range->second.first, digits)}, {number_math(range->second.second, digits)}}, " … ");
}

/// Why the stability of states is open, each reason once.
void add_reasons(Page& page, std::span<const StaticCase> cases) {
  std::vector<std::string> said;
  for (const StaticCase& each : cases)
    for (const auto& point : each.found.points)
      if (!point.open.empty() && std::ranges::find(said, point.open) == said.end()) said.push_back(point.open);
  for (const std::string& reason : said) page.add(Paragraph{words("open: " + reason), 1});
}

/// A row a parameter, a column a signal.
void add_point_derivatives(Page& page, const OperatingPoints::Point& point, const std::vector<std::string>& signals) {
  if (point.derivatives.empty()) return;
  std::string where;
  for (const std::string& signal : signals)
    where += (where.empty() ? "" : ", ") + signal + " = " + exact::decimal(exact::Rational::of(point.signals.at(signal)), 6);
  page.add(Heading{words("Derivatives at " + where)});
  Table table{{{words("by")}}, {}};
  for (const std::string& signal : signals) table.columns.push_back({{Math::signal(signal)}, true});
  for (const auto& [parameter, value] : point.derivatives.at(signals.front())) {
    std::vector<Prose> row{{Math::name(parameter)}};
    for (const std::string& signal : signals) row.push_back({number_math(point.derivatives.at(signal).at(parameter), 8)});
    table.rows.push_back(std::move(row));
  }
  page.add(std::move(table));
}

std::string points_verdict(const OperatingPoints& found) {
  const std::string where = found.box.empty() ? "" : " in the box that was searched";
  const bool none = found.points.empty();
  if (found.complete) return std::string("Intervals prove that there is no") + (none ? "ne" : " other") + where + ".";
  if (found.complete_in_box)
    return std::string("Intervals prove that there is no") + (none ? "ne" : " other") + where +
           "; what lies beyond it is not known.";
  return none ? "None was found; that there is none" + where + " is not proven."
              : "Whether these are all of them" + where + " is not proven.";
}

}  // namespace

Page page(std::span<const StaticCase> cases) {
  Page page;
  page.title = "States of rest";
  if (cases.empty()) return page;
  Table table;
  for (const auto& [input, value] : cases.front().inputs) table.columns.push_back({{Math::signal(input)}, true});
  for (const std::string& signal : cases.front().found.shown()) table.columns.push_back({{Math::signal(signal)}, true});
  table.columns.push_back({words("stability")});
  bool complete = true, in_box = true, any = false;
  for (const StaticCase& each : cases) {
    complete = complete && each.found.complete;
    in_box = in_box && each.found.complete_in_box;
    any = any || !each.found.points.empty();
    for (const auto& point : each.found.points) {
      std::vector<Prose> row;
      for (const auto& [input, value] : each.inputs) row.push_back({number_math(value)});
      for (const std::string& signal : each.found.shown()) row.push_back(value_of(point, signal));
      row.push_back(words(stability(point)));
      table.rows.push_back(std::move(row));
    }
  }
  if (!table.rows.empty()) page.add(std::move(table));
  for (const StaticCase& each : cases)
    for (const auto& point : each.found.points) add_point_derivatives(page, point, each.found.shown());
  add_reasons(page, cases);
  OperatingPoints all = cases.front().found;
  all.complete = complete;
  all.complete_in_box = in_box;
  for (const StaticCase& each : cases)
    if (all.points.empty() && any) all.points = each.found.points;
  for (const StaticCase& each : cases)
    for (const auto& [signal, side] : each.found.box) all.box.try_emplace(signal, side);
  page.add(Paragraph{words(points_verdict(all))});
  std::vector<std::string> sides;
  for (const auto& [signal, side] : all.box) sides.push_back(signal + " from " + print(side.first) + " to " + print(side.second));
  if (!sides.empty()) page.add(Paragraph{joined({words("searched: "), listed(sides)}, ""), 1});
  return page;
}

void write_json(std::ostream& out, std::span<const StaticCase> cases) {
  Json json{{"schema", "sfg/balance/1"}};
  if (cases.size() == 1) {
    json.update(json_of_case(cases.front()));
  } else {
    json["cases"] = Json::array();
    for (const StaticCase& each : cases) {
      Json one{{"inputs", each.inputs}};
      one.update(json_of_case(each));
      json["cases"].push_back(std::move(one));
    }
  }
  out << json.dump() << '\n';
}

void write_csv(std::ostream& out, std::span<const StaticCase> cases) {
  if (cases.empty()) return;
  for (const auto& [input, value] : cases.front().inputs) out << input << ',';
  for (const std::string& signal : cases.front().found.shown()) out << signal << ',';
  out << "stable\n";
  for (const StaticCase& each : cases)
    for (const auto& point : each.found.points)
      for (const auto& state : point.ends.empty() ? std::vector{point.signals} : point.ends) {  // of a set its two ends
        for (const auto& [input, value] : each.inputs) out << print(value) << ',';
        for (const std::string& signal : each.found.shown()) out << print(state.at(signal)) << ',';
        out << (point.stable ? (*point.stable ? "1" : "0") : "") << '\n';
      }
}

}  // namespace sfg
