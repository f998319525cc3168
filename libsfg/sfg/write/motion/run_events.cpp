#include "sfg/write/motion/motion.hpp"

#include <fmt/format.h>

#include <optional>
#include <ostream>
#include <string>

#include "sfg/expr/print.hpp"
#include "sfg/text/words.hpp"
#include "sfg/write/response_json.hpp"

namespace sfg {

namespace {

std::string event_cell(const std::optional<double>& value) { return value ? print(*value) : std::string(); }

}  // namespace

void write_csv(std::ostream& out, std::span<const RunEvent> events) {
  out << "t,kind,name,function,direction,speed,before,after\n";
  for (const RunEvent& event : events)
    out << fmt::format("{},{},{},{},{},{},{},{}\n", print(event.time), event.kind, quoted_field(event.name),
                       event.function.empty() ? "" : quoted_field(event.function),
                       event.direction == 0 ? "" : std::to_string(event.direction),
                       event.kind == "impact" ? print(event.speed) : "", event_cell(event.before), event_cell(event.after));
}

json::Json json::events(std::span<const RunEvent> events) {
  Json list = Json::array();
  for (const RunEvent& event : events) {
    Json entry{{"time", number(event.time)}, {"name", event.name}, {"kind", event.kind}};
    if (event.kind == "impact") entry["speed"] = number(event.speed);
    if (!event.function.empty()) entry["function"] = event.function;
    if (event.direction != 0) entry["direction"] = event.direction;
    if (event.before) entry["before"] = number(*event.before);
    if (event.after) entry["after"] = number(*event.after);
    list.push_back(std::move(entry));
  }
  return list;
}

}  // namespace sfg
