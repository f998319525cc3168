#include "sfg/write/margins.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ostream>

#include "sfg/expr/print.hpp"
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

const char* disk_name(int skew) { return skew == 0 ? "disk margin" : skew == 1 ? "disk margin of S" : "disk margin of T"; }

Prose disk_text(const DiskMargin& disk, const Unit& unit) {
  Prose text{std::isfinite(disk.radius) ? Prose::value_type(number_math(disk.radius)) : "unbounded", ": "};
  const auto say = [&](std::initializer_list<std::variant<std::string, Math>> parts) {
    text.insert(text.end(), parts.begin(), parts.end());
  };
  if (disk.gain_low_db && disk.gain_high_db)
    say({"gain ", number_math(*disk.gain_low_db), " to ", number_math(*disk.gain_high_db), " dB"});
  else if (disk.gain_low_db)
    say({"gain above ", number_math(*disk.gain_low_db), " dB"});
  else if (disk.gain_high_db)
    say({"gain below ", number_math(*disk.gain_high_db), " dB"});
  else
    say({"any gain above 0"});
  if (disk.phase_deg)
    say({", phase ", number_math(*disk.phase_deg), " deg"});
  else
    say({", any phase"});
  if (disk.frequency)
    say({", at ", number_math(*disk.frequency / unit.per_unit), std::string(" ") + unit.name});
  else
    say({", at infinite frequency"});
  return text;
}

std::string without_disk(const Margins& m) {
  switch (m.closed_loop.verdict) {
    case LoopVerdict::unstable: return "none (the closed loop is unstable)";
    case LoopVerdict::on_the_edge: return "none (the closed loop is not stable)";
    default: return "unknown";
  }
}

constexpr std::array constant_names{"Kp", "Kv", "Ka"};

/// "Kp infinite, Kv = K/a, Ka = 0"; a long expression stands below.
Prose constants_text(const ErrorConstants& found, Equations& below) {
  constexpr std::size_t longest = 80;
  Prose text;
  for (std::size_t j = 0; j < constant_names.size(); ++j) {
    const std::string name = std::string(j > 0 ? ", " : "") + constant_names[j];
    if (!found.constants[j]) {
      text.emplace_back(name + " infinite");
      continue;
    }
    Math value = math(*found.constants[j]);
    if (write(value, Notation::text).size() > longest) {
      text.emplace_back(name + " below");
      below.rows.push_back({Math::name(constant_names[j]), {std::move(value)}});
    } else {
      text.emplace_back(name + " = ");
      text.emplace_back(std::move(value));
    }
  }
  return text;
}

Json disk_json(const std::vector<DiskMargin>& disks) {
  if (disks.empty()) return nullptr;
  Json list = Json::array();
  for (const DiskMargin& disk : disks)
    list.push_back({{"skew", disk.skew},
                    {"radius", number(disk.radius)},
                    {"gain_db", Json::array({number(disk.gain_low_db), number(disk.gain_high_db)})},
                    {"phase_deg", number(disk.phase_deg)},
                    {"frequency", number(disk.frequency)}});
  return list;
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
  if (m.disk.empty()) rows.push_back({words("disk margin"), words(without_disk(m))});
  for (const DiskMargin& disk : m.disk) rows.push_back({words(disk_name(disk.skew)), disk_text(disk, unit)});
  Equations long_constants;
  long_constants.depth = 1;
  rows.push_back({words("type"), words(std::to_string(m.error_constants.type))});
  rows.push_back({words("error constants"), constants_text(m.error_constants, long_constants)});
  page.add(summary(std::move(rows)));
  if (!long_constants.rows.empty()) page.add(std::move(long_constants));
  if (m.real) page.add(Paragraph{words("note: " + real_text(m, unit)), 1});
  for (const std::string& note : m.notes) page.add(Paragraph{words("note: " + note), 1});
  if (!m.error_constants.note.empty()) page.add(Paragraph{words("note: " + m.error_constants.note), 1});
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
         {"disk", disk_json(m.disk)},
         {"type", m.error_constants.type},
         {"error_constants", Json::object()},
         {"gain_crossovers", Json::array()},
         {"phase_crossovers", Json::array()}};
  for (const auto& c : m.gain_crossovers)
    j["gain_crossovers"].push_back({{"frequency", c.frequency}, {"phase_margin_deg", c.phase_margin_deg}});
  for (const auto& c : m.phase_crossovers)
    j["phase_crossovers"].push_back({{"frequency", c.frequency}, {"gain_margin_db", c.gain_margin_db}});
  for (std::size_t k = 0; k < constant_names.size(); ++k) {
    const std::optional<GiNaC::ex>& value = m.error_constants.constants[k];
    j["error_constants"][constant_names[k]] = value ? Json(print(*value)) : Json(nullptr);
  }
  std::vector<std::string> notes = m.notes;
  if (!m.error_constants.note.empty()) notes.push_back(m.error_constants.note);
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
