#include "sfg/write/noise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>

#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/write/json_numbers.hpp"
#include "sfg/write/page/page_parts.hpp"

namespace sfg {

using json::Json;
using json::number;
using json::numbers;

namespace {

std::string band(const NoiseAnalysis& noise, bool hertz) {
  if (!noise.low || !noise.high) return "0…∞";
  const double scale = hertz ? per_hertz : 1;
  return fmt::format("{:.6g} to {:.6g} {}", *noise.low / scale, *noise.high / scale, hertz ? "Hz" : "rad/s");
}

/// What can be read at all: the densities of a large circuit fill pages.
Expression readable(const GiNaC::ex& density) {
  constexpr std::size_t most = 1000;
  Math tree = math(density);
  const std::size_t size = write(tree, Notation::text).size();
  if (size <= most) return tree;
  return Math::word(fmt::format("a fraction of {} characters, which JSON states", size));
}

/// How much of the mean square comes from whom, the loudest first.
void add_shares(Page& page, const NoiseAnalysis& noise) {
  std::vector<const NoiseContribution*> loudest;
  for (const NoiseContribution& contribution : noise.contributions)
    if (contribution.mean_square) loudest.push_back(&contribution);
  std::ranges::stable_sort(loudest, [](const auto* a, const auto* b) { return *a->mean_square > *b->mean_square; });
  const double whole = *noise.rms * *noise.rms;
  if (loudest.size() < 2 || whole <= 0) return;
  constexpr double least = 5e-5;
  Table table{{{{}, true, 6}, {}}, {}, 1, false};
  for (const NoiseContribution* contribution : loudest)
    if (*contribution->mean_square >= least * whole)
      table.rows.push_back({words(fmt::format("{:.2f} %", 100 * *contribution->mean_square / whole)),
                            words("of the mean square from " + contribution->element)});
  page.add(std::move(table));
}

/// About as many rows as can be taken in.
Table densities(const NoiseAnalysis& noise, const NoiseUnits& units, bool hertz) {
  constexpr std::size_t most = 20;
  const std::size_t n = noise.frequency.size(), step = n <= most ? 1 : (n + most - 1) / most;
  Table table{{{hertz ? words("f, Hz") : Prose{Math::name("omega"), ", rad/s"}, true, 14},
               {words("output, " + units.output + "/sqrt(Hz)"), true, 18}},
              {},
              1};
  if (!noise.input_density.empty()) table.columns.push_back({words("input, " + units.input + "/sqrt(Hz)"), true, 18});
  for (std::size_t i = 0; i < n; i += step) {
    table.rows.push_back(
        {{number_math(noise.frequency[i] / (hertz ? per_hertz : 1))}, {number_math(std::sqrt(noise.output_density[i]))}});
    if (noise.input_density.empty()) continue;
    const double input = noise.input_density[i];
    table.rows.back().push_back(std::isnan(input) ? words("–") : Prose{number_math(std::sqrt(input))});
  }
  return table;
}

}  // namespace

Page page(const NoiseAnalysis& noise, const NoiseUnits& units, bool hertz) {
  Page page;
  page.add(
      Paragraph{{"noise of ", Math::signal(noise.output), ": one-sided densities over w in rad/s, " + units.output + "^2/Hz"}});
  Equations list{{}, {}, 1};
  bool shot = false;
  for (const NoiseContribution& contribution : noise.contributions) {
    if (!contribution.density) continue;
    list.rows.push_back({Math::name("S_" + contribution.element), {readable(*contribution.density)}});
    const auto names = symbol_names(*contribution.density);
    shot = shot || std::ranges::find(names, elementary_charge) != names.end();
  }
  if (noise.input_density_expression)
    list.rows.push_back({Math::name("S_input"), {readable(*noise.input_density_expression)}});
  if (!list.rows.empty()) page.add(std::move(list));
  page.add(Paragraph{
      words("k_B = 1.380649e-23 J/K, T_K = " + print(noise.temperature) + " K" + (shot ? ", q_e = 1.602176634e-19 C" : ""))});
  if (noise.variance) page.add(Equations{{{Math::word("variance over 0…∞"), {readable(*noise.variance)}}}});
  if (noise.rms) {
    page.add(Paragraph{{"rms over " + band(noise, hertz) + ": ", number_math(*noise.rms), " " + units.output}});
    add_shares(page, noise);
  }
  for (const std::string& note : noise.notes) page.add(Paragraph{words("note: " + note), 1});
  if (!noise.output_density.empty()) page.add(densities(noise, units, hertz));
  return page;
}

void write_json(std::ostream& out, const NoiseAnalysis& noise, const NoiseUnits& units, const NoiseBudget* budget) {
  Json j{{"schema", "sfg/noise/1"},
         {"output", noise.output},
         {"input", noise.input.empty() ? Json(nullptr) : Json(noise.input)},
         {"unit",
          {{"output", units.output + "^2/Hz"}, {"input", noise.input.empty() ? Json(nullptr) : Json(units.input + "^2/Hz")}}},
         {"temperature", noise.temperature},
         {"contributions", Json::array()}};
  const auto formula = [](const std::optional<GiNaC::ex>& e) { return e ? Json(print(*e)) : Json(nullptr); };
  for (const NoiseContribution& contribution : noise.contributions) {
    Json one{{"element", contribution.element}, {"density", formula(contribution.density)}};
    if (!noise.input.empty()) one["input_density"] = formula(contribution.input_density);
    one["values"] = numbers(contribution.values);
    one["mean_square"] = number(contribution.mean_square);
    j["contributions"].push_back(std::move(one));
  }
  j["frequency"] = numbers(noise.frequency);
  j["output_density"] = numbers(noise.output_density);
  j["input_density"] = noise.input.empty() ? Json(nullptr) : numbers(noise.input_density);
  if (!noise.input.empty()) j["input_density_expression"] = formula(noise.input_density_expression);
  j["band"] = noise.low && noise.high ? Json::array({*noise.low, *noise.high}) : Json::array({0, nullptr});
  if (!noise.low) j["variance"] = noise.variance ? Json(print(*noise.variance)) : Json(nullptr);
  j["rms"] = number(noise.rms);
  if (budget != nullptr) {
    j["budget"] = Json::array();
    for (const NoiseBudget::Element& element : budget->elements)
      j["budget"].push_back({{"element", element.name},
                             {"sources", element.sources},
                             {"share", number(element.share)},
                             {"input_share", number(element.input_share)},
                             {"shares", numbers(element.shares)}});
  }
  if (!noise.notes.empty()) j["notes"] = noise.notes;
  out << j.dump() << '\n';
}

void write_csv(std::ostream& out, const NoiseAnalysis& noise, bool hertz) {
  out << (hertz ? "f_hz" : "omega_rad_s") << ",output_density" << (noise.input_density.empty() ? "" : ",input_density");
  for (const NoiseContribution& contribution : noise.contributions) out << ',' << contribution.element;
  out << '\n';
  for (std::size_t i = 0; i < noise.frequency.size(); ++i) {
    out << print(noise.frequency[i] / (hertz ? per_hertz : 1)) << ',' << print(noise.output_density[i]);
    if (!noise.input_density.empty())
      out << ',' << (std::isnan(noise.input_density[i]) ? std::string() : print(noise.input_density[i]));
    for (const NoiseContribution& contribution : noise.contributions) out << ',' << print(contribution.values[i]);
    out << '\n';
  }
}

}  // namespace sfg
