#include "sfg/write/study/monte_carlo.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <iterator>
#include <numbers>
#include <ostream>

#include "sfg/text/unit_text.hpp"
#include "sfg/write/json_numbers.hpp"
#include "sfg/write/page/page_parts.hpp"

namespace sfg {

namespace {

using Json = nlohmann::ordered_json;

std::string level_text(double level) { return fmt::format("{}", level); }

Json envelope_json(const Envelope& envelope) {
  Json j;
  for (std::size_t l = 0; l < envelope.quantiles.size(); ++l)
    j[level_text(envelope_levels[l])] = json::numbers(envelope.quantiles[l]);
  j["min"] = json::numbers(envelope.minimum);
  j["max"] = json::numbers(envelope.maximum);
  return j;
}

Json measure_json(const MeasureStatistics& measure) {
  Json quantiles;
  for (std::size_t l = 0; l < measure.quantiles.size(); ++l)
    quantiles[level_text(measure_levels[l])] = json::number(measure.quantiles[l]);
  Json j{{"name", measure.name}};
  if (!measure.unit.empty()) j["unit"] = measure.unit;
  j["nominal"] = json::number(measure.nominal);
  j["mean"] = json::number(measure.mean);
  j["std"] = json::number(measure.deviation);
  j["min"] = json::number(measure.minimum);
  j["max"] = json::number(measure.maximum);
  j["failed"] = measure.failed;
  j["quantiles"] = std::move(quantiles);
  return j;
}

Table measures_table(const MonteCarlo& study) {
  Table table{{{words("measure"), false, 12}}, {}, 1};
  for (const char* head : {"nominal", "mean", "std", "min", "5 %", "50 %", "95 %", "max", "failed"})
    table.columns.push_back({words(head), true, 10});
  const auto of_level = [](const MeasureStatistics& m, double level) {
    return m.quantiles[static_cast<std::size_t>(std::ranges::find(measure_levels, level) - std::begin(measure_levels))];
  };
  for (const MeasureStatistics& m : study.measures) {
    std::vector<Prose> row{words(m.unit.empty() ? m.name : m.name + ", " + unit_text(m.unit))};
    for (const double x :
         {m.nominal, m.mean, m.deviation, m.minimum, of_level(m, 0.05), of_level(m, 0.5), of_level(m, 0.95), m.maximum})
      row.push_back({number_math(x, 5)});
    row.push_back(words(std::to_string(m.failed)));
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string percent(double share) { return fmt::format("{:.6g} %", 100 * share); }

Table yield_table(const MonteCarlo& study) {
  Table table{
      {{words("spec"), false, 20}, {words("met"), true, 10}, {words("yield"), true, 12}, {words("95 % interval"), true, 24}},
      {},
      1};
  for (const SpecStatistics& spec : study.specs)
    table.rows.push_back({words(spec.spec.text), words(std::to_string(spec.met)), words(percent(spec.yield)),
                          words(percent(spec.confidence[0]) + " … " + percent(spec.confidence[1]))});
  return table;
}

/// One row a point: quantiles of each of some envelopes.
Table envelope_table(Prose place, std::span<const double> at, const std::vector<std::pair<std::string, const Envelope*>>& all) {
  Table table{{{std::move(place), true, 12}}, {}, 1};
  for (const auto& [name, envelope] : all)
    for (const char* level : {"min", "5 %", "50 %", "95 %", "max"})
      table.columns.push_back({words(name.empty() ? level : name + " " + level), true, 11});
  for (const std::size_t i : shown_rows(at.size())) {
    std::vector<Prose> row{{number_math(at[i])}};
    for (const auto& [name, e] : all) {
      row.push_back({number_math(e->minimum[i], 5)});
      for (const std::vector<double>& quantile : e->quantiles) row.push_back({number_math(quantile[i], 5)});
      row.push_back({number_math(e->maximum[i], 5)});
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

Page page(const MonteCarlo& study, bool hertz) {
  Page page;
  page.add(Paragraph{{Math::relation(Math::signal(study.input), "→", Math::signal(study.output)),
                      fmt::format(", {} samples ({}, seed {}) of {} parameters", study.samples, to_string(study.sampling),
                                  study.seed, study.variation.parameters.size())}});
  if (!study.measures.empty()) page.add(measures_table(study));
  if (!study.specs.empty()) {
    page.add(yield_table(study));
    if (study.specs.size() > 1)
      page.add(Paragraph{{fmt::format("all specs at once: {} ({})", percent(*study.yield()), study.met)}, 1});
  }
  if (!study.frequency.empty()) {
    std::vector<double> shown = study.frequency;
    if (hertz)
      for (double& w : shown) w /= 2 * std::numbers::pi;
    page.add(envelope_table(hertz ? words("f, Hz") : Prose{Math::name("omega"), ", rad/s"}, shown,
                            {{"dB", &study.magnitude_db}, {"deg", &study.phase_deg}}));
  }
  if (!study.time.empty()) page.add(envelope_table(words("t, s"), study.time, {{"", &study.step}}));
  return page;
}

namespace {

Json document_of(const MonteCarlo& study) {
  Json j{{"schema", "sfg/sens/1"},
         {"input", study.input},
         {"output", study.output},
         {"study",
          {{"kind", "monte-carlo"}, {"samples", study.samples}, {"seed", study.seed}, {"sampling", to_string(study.sampling)}}}};
  j["measures"] = Json::array();
  for (const MeasureStatistics& measure : study.measures) j["measures"].push_back(measure_json(measure));
  j["specs"] = Json::array();
  for (const SpecStatistics& spec : study.specs)
    j["specs"].push_back({{"spec", spec.spec.text},
                          {"met", spec.met},
                          {"yield", spec.yield},
                          {"confidence", {spec.confidence[0], spec.confidence[1]}}});
  j["yield"] = json::number(study.yield());
  if (!study.frequency.empty())
    j["envelope"] = {{"frequency", json::numbers(study.frequency)},
                     {"magnitude_db", envelope_json(study.magnitude_db)},
                     {"phase_deg", envelope_json(study.phase_deg)}};
  if (!study.time.empty()) j["step_envelope"] = {{"time", json::numbers(study.time)}, {"value", envelope_json(study.step)}};
  return j;
}

/// The columns of the packed rows by their names.
Json columns_of(const MonteCarlo& study, std::string_view rows) {
  std::vector<std::string> names;
  for (const VaryingParameter& parameter : study.variation.parameters) names.push_back(parameter.name);
  for (const MeasureStatistics& measure : study.measures) names.push_back(measure.name);
  std::vector<Json> columns(names.size(), Json::array());
  for (std::size_t at = 0; at + sizeof(double) <= rows.size(); at += sizeof(double)) {
    double value = 0;
    std::memcpy(&value, rows.data() + at, sizeof value);
    columns[at / sizeof(double) % names.size()].push_back(json::number(value));
  }
  Json named = Json::object();
  for (std::size_t c = 0; c < names.size(); ++c) named[names[c]] = std::move(columns[c]);
  return named;
}

}  // namespace

void write_json(std::ostream& out, const MonteCarlo& study) { out << document_of(study).dump() << '\n'; }

void write_json(std::ostream& out, const MonteCarlo& study, std::string_view rows) {
  Json j = document_of(study);
  j["samples"] = columns_of(study, rows);
  out << j.dump() << '\n';
}

std::string packed_rows(const SampleBlock& block) {
  std::string bytes;
  for (std::size_t i = 0; i < block.size; ++i)
    for (const std::span<const double> columns : {block.parameters, block.measures})
      for (std::size_t c = i; c < columns.size(); c += block.size)
        bytes.append(reinterpret_cast<const char*>(&columns[c]), sizeof(double));
  return bytes;
}

namespace {

std::string quoted_where_needed(const std::string& name) {
  if (name.find_first_of(",\"\n") == std::string::npos) return name;
  std::string text = "\"";
  for (const char c : name) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + '"';
}

}  // namespace

std::string csv_head(const Variation& variation, const SampledQuestions& questions) {
  std::string head;
  const auto add = [&](const std::string& name) { head += (head.empty() ? "" : ",") + quoted_where_needed(name); };
  for (const VaryingParameter& parameter : variation.parameters) add(parameter.name);
  for (const Measure& measure : questions.measures) add(measure.text);
  return head + '\n';
}

std::string csv_rows(const SampleBlock& block) {
  std::string text;
  const auto add = [&](std::span<const double> columns, std::size_t i, bool first) {
    for (std::size_t c = i; c < columns.size(); c += block.size) {
      if (!first || c != i) text += ',';
      if (std::isfinite(columns[c])) fmt::format_to(std::back_inserter(text), "{}", columns[c]);
    }
  };
  for (std::size_t i = 0; i < block.size; ++i) {
    add(block.parameters, i, true);
    add(block.measures, i, block.parameters.empty());
    text += '\n';
  }
  return text;
}

}  // namespace sfg
