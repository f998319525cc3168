#include "sfg/write/margins.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "sfg/write/json_numbers.hpp"
#include "sfg/write/page/page_parts.hpp"

namespace sfg {

using json::Json;
using json::number;

namespace {

using LoopVerdict = ClosedLoop::Verdict;

std::string without(const Margins& m, bool everywhere, const char* reason) {
  if (everywhere) return std::string("none (") + reason + " at every frequency)";
  return m.closed_loop.verdict == LoopVerdict::stable ? "infinite (no crossing)" : "none (no crossing)";
}

std::string without_delay(const Margins& m) {
  switch (m.closed_loop.verdict) {
    case LoopVerdict::unstable: return "none (the closed loop is unstable)";
    case LoopVerdict::unknown: return "unknown";
    case LoopVerdict::on_the_edge: return "none (the closed loop is not stable)";
    case LoopVerdict::stable: break;
  }
  return "infinite (no crossing)";
}

/// A frequency unit of tables.
struct Unit {
  double per_unit = 1;  ///< rad/s
  const char* name = "rad/s";
};
constexpr Unit radians{}, hertz_unit{per_hertz, "Hz"};

std::string real_text(const Margins& m, const Unit& unit) {
  if (m.negative_ranges.empty()) return "L is real and positive at every frequency";
  if (m.negative_ranges.front() == std::pair<double, std::optional<double>>(0.0, std::nullopt))
    return "L is real and negative at every frequency: it has no isolated phase crossover";
  std::string text = "L is real at every frequency, and negative ";
  for (std::size_t i = 0; i < m.negative_ranges.size(); ++i) {
    const auto& [low, high] = m.negative_ranges[i];
    text += (i > 0 ? " and " : "") +
            (high ? low == 0 ? fmt::format("below {:.6g}", *high / unit.per_unit)
                             : fmt::format("from {:.6g} to {:.6g}", low / unit.per_unit, *high / unit.per_unit)
                  : fmt::format("above {:.6g}", low / unit.per_unit));
  }
  return text + " " + unit.name + ": it has no isolated phase crossover there";
}

}  // namespace

Page page(const Margins& m, bool hertz) {
  const Unit& unit = hertz ? hertz_unit : radians;
  Page page;
  std::vector<std::vector<Prose>> rows{
      {words("closed loop"),
       words(name_of(m.closed_loop.verdict) + (m.closed_loop.reason.empty() ? "" : ": " + m.closed_loop.reason))}};
  const auto headline = [&](const char* name, const std::optional<double>& v, const char* unit, const std::string& otherwise) {
    rows.push_back({words(name), v ? Prose{number_math(*v), unit} : words(otherwise)});
  };
  headline("gain margin", m.gain_margin_db, " dB", without(m, m.real, "L is real"));
  headline("phase margin", m.phase_margin_deg, " deg", without(m, m.unit_modulus, "|L| is 1"));
  headline("modulus margin", m.modulus_margin, "", "unknown");
  headline("delay margin", m.delay_margin, " s", without_delay(m));
  page.add(summary(std::move(rows)));
  if (m.real) page.add(Paragraph{words("note: " + real_text(m, unit)), 1});
  for (const std::string& note : m.notes) page.add(Paragraph{words("note: " + note), 1});
  Table crossings{{{}, {{}, true, 18}, {}}, {}, 1, false};
  for (const auto& c : m.gain_crossovers)
    crossings.rows.push_back({words("gain crossover"),
                              {number_math(c.frequency / unit.per_unit), std::string(" ") + unit.name},
                              {"phase margin ", number_math(c.phase_margin_deg), " deg"}});
  constexpr std::size_t shown = 8;  // with dead time there is no end of them
  for (std::size_t i = 0; i < std::min(shown, m.phase_crossovers.size()); ++i)
    crossings.rows.push_back({words("phase crossover"),
                              {number_math(m.phase_crossovers[i].frequency / unit.per_unit), std::string(" ") + unit.name},
                              {"gain margin ", number_math(m.phase_crossovers[i].gain_margin_db), " dB"}});
  if (!crossings.rows.empty()) page.add(std::move(crossings));
  if (m.phase_crossovers.size() > shown)
    page.add(Paragraph{
        words("and " + std::to_string(m.phase_crossovers.size() - shown) + " more phase crossovers (JSON lists them all)"), 1});
  return page;
}

namespace {

Json fields(const Margins& m) {
  Json j{{"closed_loop", name_of(m.closed_loop.verdict)},
         {"gain_margin_db", number(m.gain_margin_db)},
         {"phase_margin_deg", number(m.phase_margin_deg)},
         {"modulus_margin", number(m.modulus_margin)},
         {"delay_margin", number(m.delay_margin)},
         {"gain_crossovers", Json::array()},
         {"phase_crossovers", Json::array()}};
  for (const auto& c : m.gain_crossovers)
    j["gain_crossovers"].push_back({{"frequency", c.frequency}, {"phase_margin_deg", c.phase_margin_deg}});
  for (const auto& c : m.phase_crossovers)
    j["phase_crossovers"].push_back({{"frequency", c.frequency}, {"gain_margin_db", c.gain_margin_db}});
  std::vector<std::string> notes = m.notes;
  if (!m.closed_loop.reason.empty())
    notes.insert(notes.begin(), std::string("closed loop ") + name_of(m.closed_loop.verdict) + ": " + m.closed_loop.reason);
  if (m.real) notes.push_back(real_text(m, radians));
  if (m.unit_modulus) notes.push_back("|L| is 1 at every frequency: it has no isolated gain crossover");
  if (!notes.empty()) j["notes"] = notes;
  return j;
}

}  // namespace

void write_json(std::ostream& out, const Margins& m) {
  Json j{{"schema", "sfg/margins/1"}};
  j.update(fields(m));
  out << j.dump() << '\n';
}

Page page(const std::vector<LoopMargins>& loops, bool hertz) {
  Page all;
  for (const LoopMargins& loop : loops) {
    if (&loop != &loops.front()) all.add(Gap{});
    all.add(Paragraph{words("opened at " + loop.place + ":")});
    all.add(page(loop.margins, hertz));
  }
  return all;
}

void write_json(std::ostream& out, const std::vector<LoopMargins>& loops) {
  Json j{{"schema", "sfg/margins/1"}, {"loops", Json::array()}};
  for (const LoopMargins& loop : loops) {
    Json entry{{"break", loop.place}};
    entry.update(fields(loop.margins));
    j["loops"].push_back(std::move(entry));
  }
  out << j.dump() << '\n';
}

}  // namespace sfg
