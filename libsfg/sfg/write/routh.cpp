#include "sfg/write/margins.hpp"

#include <fmt/format.h>

#include <ostream>

#include "sfg/expr/print.hpp"
#include "sfg/write/json_numbers.hpp"
#include "sfg/write/rational_text.hpp"

namespace sfg {

using json::Json;

namespace {

std::string range_text(const OpenRange& range, const std::string& parameter) {
  if (!range.low && !range.high) return "every " + parameter;
  return (range.low ? root_text(*range.low) + " < " : "") + parameter + (range.high ? " < " + root_text(*range.high) : "");
}

std::string ranges_text(std::span<const OpenRange> ranges, const std::string& parameter) {
  std::string text;
  for (const OpenRange& range : ranges) text += (text.empty() ? "" : " or ") + range_text(range, parameter);
  return text.empty() ? "no " + parameter : text;
}

}  // namespace

Page page(const RouthArray& array, const std::string& parameter, std::span<const OpenRange> ranges) {
  Page page;
  Table table{{{}, {}}, {}, 1, false};
  const std::size_t n = array.rows.empty() ? 0 : array.rows.size() - 1;
  const bool circle = array.boundary == exact::Boundary::unit_circle;
  for (std::size_t k = 0; k < array.rows.size(); ++k) {
    const Math power = Math::power(Math::name(array.variable), Math::number(std::to_string(n - k)));
    std::vector<Prose> row{{power}, words("|")};
    for (const auto& element : array.rows[k]) row.push_back({math(element)});
    table.rows.push_back(std::move(row));
  }
  if (!array.rows.empty()) page.add(std::move(table));
  for (const std::string& note : array.notes) page.add(Paragraph{words("note: " + note)});
  if (array.counts)
    page.add(Paragraph{words(fmt::format("roots: {} {}, {} on it, {} {}", array.counts->right,
                                         circle ? "outside the unit circle" : "right of the axis", array.counts->axis,
                                         array.counts->left, circle ? "inside" : "left of it"))});
  if (!array.stable_if.empty()) page.add(Paragraph{words("stable if: " + array.stable_if)});
  if (parameter.empty()) return page;
  page.add(Paragraph{words("stable for: " + ranges_text(ranges, parameter))});
  return page;
}

void write_json(std::ostream& out, const RouthArray& array, const std::string& parameter, std::span<const OpenRange> ranges) {
  Json rows = Json::array(), polynomial = Json::array(), conditions = Json::array();
  for (const auto& c : array.polynomial) polynomial.push_back(print(c));
  for (const auto& row : array.rows) {
    Json list = Json::array();
    for (const auto& element : row) list.push_back(print(element));
    rows.push_back(std::move(list));
  }
  for (const auto& condition : array.conditions) conditions.push_back(print(condition) + " > 0");
  Json j{
      {"schema", "sfg/routh/1"}, {"variable", array.variable}, {"polynomial", std::move(polynomial)}, {"array", std::move(rows)}};
  j["counts"] =
      array.counts ? Json{{"rhp", array.counts->right}, {"jw", array.counts->axis}, {"lhp", array.counts->left}} : Json(nullptr);
  if (array.boundary == exact::Boundary::unit_circle && array.counts)
    j["unit_circle"] = {{"outside", array.counts->right}, {"on", array.counts->axis}, {"inside", array.counts->left}};
  j["conditions"] = std::move(conditions);
  j["stable_if"] = array.stable_if.empty() ? ranges_text(ranges, parameter) : array.stable_if;
  j["notes"] = array.notes;
  if (!parameter.empty()) {
    j["parameter"] = parameter;
    j["ranges"] = Json::array();
    for (const OpenRange& range : ranges)
      j["ranges"].push_back(Json::array(
          {range.low ? Json(root_text(*range.low)) : Json(nullptr), range.high ? Json(root_text(*range.high)) : Json(nullptr)}));
  }
  out << j.dump() << '\n';
}

}  // namespace sfg
