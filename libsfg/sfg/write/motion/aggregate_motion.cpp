#include "sfg/write/motion/motion.hpp"

#include <fmt/format.h>

#include <ostream>

#include "sfg/write/json_numbers.hpp"
#include "sfg/write/page/page_parts.hpp"
#include "sfg/write/response_json.hpp"
#include "sfg/write/time_response.hpp"

namespace sfg {

using json::Json;
using json::number;

namespace {

const char* normalization_name(Normalization how) {
  switch (how) {
    case Normalization::off: return "off";
    case Normalization::tree: return "tree";
    case Normalization::mass: return "mass";
  }
  return "";
}

std::string aggregate_momentum(const AggregateMotion& motion, std::size_t from, double change) {
  const auto& p = motion.momentum_start;
  return fmt::format("({:.6g}, {:.6g}, {:.6g}) at the start, largest change {:.2g}", p[from], p[from + 1], p[from + 2], change);
}

std::string gap_text(const ConnectionGap& gap) { return fmt::format("{:.2g} m and {:.2g} rad", gap.distance, gap.angle); }

Json gap_json(const ConnectionGap& gap) {
  return {{"distance", number(gap.distance)},
          {"angle", number(gap.angle)},
          {"velocity", number(gap.velocity)},
          {"angular_velocity", number(gap.angular_velocity)}};
}

}  // namespace

Page page(const AggregateMotion& motion) {
  Page page;
  page.add(Heading{words("Motion of an aggregate")});
  const bool open = motion.normalization == Normalization::off;
  page.add(summary(
      {{words("parts"), words(fmt::format("{}, {} connections, {} unknowns", motion.parts, motion.connections, motion.unknowns))},
       {words("energy"), words(fmt::format("{:.9g} at the start, {:.9g} at the end, kinetic and potential", motion.energy_start,
                                           motion.energy_end))},
       {words("momentum"), words(aggregate_momentum(motion, 0, motion.momentum_change))},
       {words("angular momentum"), words(aggregate_momentum(motion, 3, motion.angular_momentum_change))},
       {words("drift"), words(open ? "not removed: connections open by " + gap_text(motion.last_gap) + " at the end"
                                   : fmt::format("removed ({}): {} at most before", normalization_name(motion.normalization),
                                                 gap_text(motion.largest_gap)))}}));
  page.add(sfg::page(motion.signals, "simulate"));
  return page;
}

void write_json(std::ostream& out, const AggregateMotion& motion) {
  Json j = json::responses(motion.signals, "simulate");
  const auto& p = motion.momentum_start;
  j["aggregate"] = {
      {"parts", motion.parts},
      {"connections", motion.connections},
      {"unknowns", motion.unknowns},
      {"energy", {{"start", number(motion.energy_start)}, {"end", number(motion.energy_end)}}},
      {"momentum", {{"start", {p[0], p[1], p[2]}}, {"largest_change", number(motion.momentum_change)}}},
      {"angular_momentum", {{"start", {p[3], p[4], p[5]}}, {"largest_change", number(motion.angular_momentum_change)}}},
      {"normalization", normalization_name(motion.normalization)},
      {"largest_gap", gap_json(motion.largest_gap)},
      {"last_gap", gap_json(motion.last_gap)},
      {"steps", motion.steps}};
  if (const Json notes = json::texts(motion.notes, true); !notes.empty()) j["notes"] = notes;
  out << j.dump() << '\n';
}

}  // namespace sfg
