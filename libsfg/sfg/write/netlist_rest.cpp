#include "sfg/write/operating_points.hpp"

#include <nlohmann/json.hpp>
#include <ostream>

#include "sfg/expr/print.hpp"
#include "sfg/write/page/page_parts.hpp"

namespace sfg {

namespace {

/// A power of ten that it does not exceed: its own digits are those of rounding.
double round_bound(double within) {
  double bound = 1e-9;
  while (within > bound) bound *= 10;
  return bound;
}

std::string verdict(const SpiceRest& rest) {
  if (!rest.within) return "That it is one is not proven: " + rest.unproven + ". Whether there are others is not known.";
  return "Intervals prove one, and one alone, within " + print(round_bound(*rest.within)) +
         " V of these voltages; whether there are others is not known.";
}

}  // namespace

Page page(const SpiceRest& rest) {
  constexpr int digits = 10;
  Page page;
  page.title = "Operating point at " + print(rest.celsius) + " degrees Celsius";
  Table table{{{words("signal")}, {words("V"), true}}, {}};
  for (const auto& [node, volts] : rest.voltages)
    table.rows.push_back({{Math::signal("v(" + node + ")")}, {number_math(volts, digits)}});
  page.add(std::move(table));
  page.add(Paragraph{words(verdict(rest))});
  page.add(Paragraph{words("The poles of small motions around it tell whether it is stable.")});
  return page;
}

void write_json(std::ostream& out, const SpiceRest& rest) {
  using Json = nlohmann::ordered_json;
  Json one;
  for (const auto& [node, volts] : rest.voltages) one["signals"]["v(" + node + ")"] = volts;
  one["stable"] = nullptr;
  one["reason"] = "the poles of small motions around it tell";
  one["temperature"] = rest.celsius;
  one["proven"] = rest.within.has_value();
  if (rest.within)
    one["within"] = round_bound(*rest.within);
  else
    one["unproven"] = rest.unproven;
  const Json json{{"schema", "sfg/balance/1"},
                  {"static", Json::array({one})},
                  {"complete", false},
                  {"complete_in_box", false},
                  {"box", Json::object()}};
  out << json.dump() << '\n';
}

void write_csv(std::ostream& out, const SpiceRest& rest) {
  for (const auto& [node, volts] : rest.voltages) out << "v(" << node << "),";
  out << "stable\n";
  for (const auto& [node, volts] : rest.voltages) out << print(volts) << ',';
  out << '\n';
}

}  // namespace sfg
