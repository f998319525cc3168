#include "sfg/write/frequency_response.hpp"

#include <fmt/format.h>

#include <cmath>
#include <ostream>

#include "sfg/expr/print.hpp"
#include "sfg/text/unit_text.hpp"
#include "sfg/write/json_numbers.hpp"
#include "sfg/write/page/page_parts.hpp"

namespace sfg {

using json::Json;
using json::numbers;

namespace {

/// What is not there is nothing in CSV.
std::string csv_cell(double value) {
  if (std::isnan(value)) return "";
  return std::isinf(value) ? (value < 0 ? "-inf" : "inf") : print(value);
}

double unit_of(const FrequencyColumns& options) { return options.hertz ? per_hertz : 1.0; }

}  // namespace

double shown_frequency(double rad_per_s, const FrequencyColumns& columns) {
  if (!columns.hertz) return rad_per_s;
  const double hertz = rad_per_s / unit_of(columns), rounded = std::stod(fmt::format("{:.15g}", hertz));
  return rounded * unit_of(columns) == rad_per_s ? rounded : hertz;
}

Page page(std::span<const FrequencyResponse> responses, const FrequencyColumns& options) {
  Page page;
  for (const FrequencyResponse& r : responses) {
    page.add(Paragraph{{Math::relation(Math::signal(r.input), "→", Math::signal(r.output))}});
    for (const std::string& note : r.notes) page.add(Paragraph{words("note: " + note), 1});
    Table table{{{options.hertz ? words("frequency, Hz") : Prose{Math::name("omega"), ", rad/s"}, true, 14},
                 {words("magnitude, dB" + (r.unit.empty() ? "" : " re 1 " + unit_text(r.unit))), true, 14},
                 {words("phase, deg"), true, 12}},
                {},
                1};
    if (options.group_delay) table.columns.push_back({words("group delay, s"), true, 14});
    for (std::size_t i = 0; i < r.frequency.size(); ++i) {
      table.rows.push_back({{number_math(shown_frequency(r.frequency[i], options))},
                            {number_math(r.magnitude_db[i])},
                            {number_math(r.phase_deg[i])}});
      if (options.group_delay) table.rows.back().push_back({number_math(r.group_delay[i])});
    }
    page.add(std::move(table));
  }
  return page;
}

void write_json(std::ostream& out, std::span<const FrequencyResponse> responses, const std::string& verb, bool group_delay) {
  Json j{{"schema", "sfg/" + verb + "/1"},
         {"unit", "rad/s"},
         {"frequency", responses.empty() ? Json::array() : numbers(responses.front().frequency)},
         {"transfers", Json::array()}};
  for (const FrequencyResponse& r : responses) {
    Json values = Json::array();
    for (const auto& z : r.value) values.push_back(json::complex(z));
    Json transfer{{"input", r.input},
                  {"output", r.output},
                  {"value", std::move(values)},
                  {"magnitude_db", numbers(r.magnitude_db)},
                  {"phase_deg", numbers(r.phase_deg)}};
    if (group_delay) transfer["group_delay"] = numbers(r.group_delay);
    if (!r.unit.empty()) transfer["unit"] = r.unit;
    if (r.error_bound > 0) transfer["error_bound"] = r.error_bound;
    if (!r.notes.empty()) transfer["notes"] = r.notes;
    j["transfers"].push_back(std::move(transfer));
  }
  out << j.dump() << '\n';
}

void write_csv(std::ostream& out, std::span<const FrequencyResponse> responses, const FrequencyColumns& options) {
  out << (options.hertz ? "frequency_Hz" : "omega_rad_s");
  std::vector<const char*> columns{"re", "im", "dB", "deg"};
  if (options.group_delay) columns.push_back("group delay s");
  for (const FrequencyResponse& r : responses)
    for (const char* column : columns) out << fmt::format(",\"{}/{} {}\"", r.output, r.input, column);
  out << '\n';
  if (responses.empty()) return;
  for (std::size_t i = 0; i < responses.front().frequency.size(); ++i) {
    out << print(shown_frequency(responses.front().frequency[i], options));
    for (const FrequencyResponse& r : responses) {
      out << ',' << csv_cell(r.value[i].real()) << ',' << csv_cell(r.value[i].imag()) << ',' << csv_cell(r.magnitude_db[i]) << ','
          << csv_cell(r.phase_deg[i]);
      if (options.group_delay) out << ',' << csv_cell(r.group_delay[i]);
    }
    out << '\n';
  }
}

}  // namespace sfg
