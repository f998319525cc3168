#include "sfg/write/motion/motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>

#include "sfg/write/json_numbers.hpp"
#include "sfg/write/page/page_parts.hpp"
#include "sfg/write/response_json.hpp"
#include "sfg/write/time_response.hpp"

namespace sfg {

using json::Json;
using json::number;

namespace {

std::string few(double value) { return fmt::format("{:.2g}", value); }

void add_energy(std::vector<std::vector<Prose>>& rows, const MechanismRun::Energy& energy) {
  rows.push_back({words("energy"), words(fmt::format("{:.9g} at the start, {:.9g} at the end", energy.start, energy.end))});
  if (!energy.conserved) rows.push_back({words("work of forces"), words(fmt::format("{:.9g}", energy.work))});
  if (energy.events != 0) rows.push_back({words("at events"), words(fmt::format("{:.9g}", energy.events))});
  const bool conserved = energy.conserved && energy.events == 0;
  rows.push_back({words(conserved ? "conserved to" : "balanced to"), words(few(energy.unaccounted))});
}

/// Worth a line where nothing outside acts.
bool conserved(const MechanismRun::Momentum& momentum) {
  double size = 0;
  for (const double component : momentum.start) size = std::max(size, std::abs(component));
  return size > 0 && momentum.change <= 1e-6 * size;
}

std::string momentum_text(const MechanismRun::Momentum& momentum) {
  return fmt::format("({:.6g}, {:.6g}, {:.6g}) kept to {}", momentum.start[0], momentum.start[1], momentum.start[2],
                     few(momentum.change));
}

void add_events(Page& page, const MechanismRun& run) {
  if (run.events.empty()) return;
  constexpr std::size_t most = 30;
  Table table{
      {{{Math::name("t"), ", s"}, true, 12}, {words("event"), false, 0}, {words(""), false, 0}, {words("speed"), true, 14}},
      {},
      1};
  for (std::size_t i = 0; i < std::min(most, run.events.size()); ++i) {
    const auto& event = run.events[i];
    table.rows.push_back({{number_math(event.time, 9)},
                          words(event.name),
                          words(event.kind),
                          event.kind == "impact" ? Prose{number_math(event.speed, 6)} : words("")});
  }
  page.add(Heading{words("Events")});
  page.add(std::move(table));
  if (run.events.size() > most)
    page.add(Paragraph{words(fmt::format("{} of {} events; JSON has them all", most, run.events.size())), 1});
}

Json momentum_json(const MechanismRun::Momentum& momentum) {
  return {{"start", momentum.start}, {"end", momentum.end}, {"largest_change", number(momentum.change)}};
}

}  // namespace

Page page(const MechanismRun& run) {
  Page page;
  std::vector<std::vector<Prose>> rows{{words("freedoms"), words(std::to_string(run.freedoms))}};
  if (run.constraints > 0)
    rows.push_back({words("constraints"), words(fmt::format("{}, of rank {}", run.constraints, run.rank))});
  for (std::size_t i = 0; i < run.assembly.size(); ++i)
    rows.push_back({words(i == 0 ? "moved to fit" : ""), words(run.assembly[i])});
  add_energy(rows, run.energy);
  if (conserved(run.momentum)) rows.push_back({words("momentum"), words(momentum_text(run.momentum))});
  if (conserved(run.angular_momentum)) rows.push_back({words("angular momentum"), words(momentum_text(run.angular_momentum))});
  if (run.rate_constraints > 0)
    rows.push_back({words("rates"), words(fmt::format("constrained to {}; off by {} at most before projection",
                                                      few(run.drift.velocity_after), few(run.drift.velocity_before)))});
  if (run.constraints > run.rate_constraints)
    rows.push_back({words("loops"), words(fmt::format("closed to {}; open by {} at most before projection",
                                                      few(run.drift.position_after), few(run.drift.position_before)))});
  if (run.drift.quaternion_before > 0)
    rows.push_back(
        {words("quaternions"), words("of length 1; off by " + few(run.drift.quaternion_before) + " before projection")});
  page.add(summary(std::move(rows)));
  add_events(page, run);
  page.add(Gap{});
  page.add(sfg::page(run.signals, "simulate"));
  return page;
}

void write_json(std::ostream& out, const MechanismRun& run) {
  Json j = json::responses(run.signals, "simulate");
  const auto& energy = run.energy;
  j["energy"] = {{"start", number(energy.start)},
                 {"end", number(energy.end)},
                 {"work", number(energy.work)},
                 {"events", number(energy.events)},
                 {"unaccounted", number(energy.unaccounted)},
                 {"conserved", energy.conserved}};
  j["momentum"] = momentum_json(run.momentum);
  j["angular_momentum"] = momentum_json(run.angular_momentum);
  const auto& drift = run.drift;
  j["drift"] = {{"position_before", number(drift.position_before)},     {"position_after", number(drift.position_after)},
                {"velocity_before", number(drift.velocity_before)},     {"velocity_after", number(drift.velocity_after)},
                {"quaternion_before", number(drift.quaternion_before)}, {"projections", drift.projections}};
  j["freedoms"] = run.freedoms;
  j["constraints"] = run.constraints;
  if (run.rate_constraints > 0) j["rate_constraints"] = run.rate_constraints;
  j["rank"] = run.rank;
  j["assembly"] = run.assembly;
  j["last_state"] = json::state(run.last_state);
  j["events"] = json::events(run.events);
  if (const Json notes = json::texts(run.notes, true); !notes.empty()) j["notes"] = notes;
  out << j.dump() << '\n';
}

}  // namespace sfg
