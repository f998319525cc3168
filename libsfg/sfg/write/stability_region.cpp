#include "sfg/write/margins.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "sfg/expr/print.hpp"
#include "sfg/write/json_numbers.hpp"
#include "sfg/write/page/page_parts.hpp"

namespace sfg {

using json::Json;

namespace {

const char* crossing_name(StabilityRegion::Crossing crossing) {
  switch (crossing) {
    case StabilityRegion::Crossing::zero: return "zero";
    case StabilityRegion::Crossing::pair: return "pair";
    case StabilityRegion::Crossing::infinity: break;
  }
  return "infinity";
}

}  // namespace

Page page(const StabilityRegion& region, const std::string& first, const std::string& second) {
  Table table{{{{Math::signal(first)}, true, 14},
               {{"stable ", Math::signal(second),
                 fmt::format(" within {:g} .. {:g}", region.second_range.first, region.second_range.second)}}},
              {}};
  constexpr std::size_t shown = 20;
  double next = region.first_range.first;
  const double step = (region.first_range.second - region.first_range.first) / shown;
  for (const auto& column : region.columns) {
    if (column.first < next - 1e-9 * step) continue;
    next += step;
    std::string ranges;
    for (const auto& [low, high] : column.stable)
      ranges += fmt::format("{}{:.6g} .. {:.6g}", ranges.empty() ? "" : ", ", low, high);
    table.rows.push_back({{number_math(column.first)}, words(ranges.empty() ? "none" : ranges)});
  }
  Page page;
  page.add(std::move(table));
  const auto none = [](const StabilityRegion::Column& column) { return column.stable.empty(); };
  if (std::ranges::all_of(region.columns, none)) page.add(Paragraph{words("no values in these ranges are stable")});
  return page;
}

void write_json(std::ostream& out, const StabilityRegion& region, const std::string& first, const std::string& second) {
  const auto pair = [](const StabilityRegion::Range& range) { return Json::array({range.first, range.second}); };
  Json j{{"schema", "sfg/routh/1"},
         {"parameters", {first, second}},
         {"limits", {pair(region.first_range), pair(region.second_range)}},
         {"columns", Json::array()},
         {"boundary", Json::array()}};
  for (const auto& column : region.columns) {
    Json stable = Json::array();
    for (const auto& range : column.stable) stable.push_back(pair(range));
    j["columns"].push_back({{"value", column.first}, {"stable", std::move(stable)}});
  }
  for (const auto& p : region.boundary)
    j["boundary"].push_back({{"point", {p.first, p.second}},
                             {"crossing", crossing_name(p.crossing)},
                             {"frequency", p.crossing == StabilityRegion::Crossing::pair ? Json(p.frequency) : Json(nullptr)}});
  out << j.dump() << '\n';
}

void write_csv(std::ostream& out, const StabilityRegion& region, const std::string& first, const std::string& second) {
  out << fmt::format("\"{}\",\"{}\",crossing,frequency\n", first, second);
  for (const auto& p : region.boundary)
    out << fmt::format("{},{},{},{}\n", print(p.first), print(p.second), crossing_name(p.crossing),
                       p.crossing == StabilityRegion::Crossing::pair ? print(p.frequency) : "");
}

}  // namespace sfg
