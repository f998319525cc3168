#include "sfg/write/noise.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <ostream>

#include "sfg/expr/print.hpp"
#include "sfg/write/json_numbers.hpp"

namespace sfg {

using json::Json;
using json::number;
using json::numbers;

namespace {

constexpr double per_hertz = 2 * std::numbers::pi;

std::string band(const NoiseAnalysis& noise, bool hertz) {
  if (!noise.low || !noise.high) return "0…∞";
  const double scale = hertz ? per_hertz : 1;
  return fmt::format("{:.6g} to {:.6g} {}", *noise.low / scale, *noise.high / scale, hertz ? "Hz" : "rad/s");
}

/// What can be read at all: the densities of a large circuit fill pages.
std::string readable(const GiNaC::ex& density) {
  constexpr std::size_t most = 1000;
  std::string text = print(density);
  return text.size() <= most ? text : fmt::format("a fraction of {} characters, which JSON states", text.size());
}

/// How much of the mean square comes from whom, the loudest first.
void write_shares(std::ostream& out, const NoiseAnalysis& noise) {
  std::vector<const NoiseContribution*> loudest;
  for (const NoiseContribution& contribution : noise.contributions)
    if (contribution.mean_square) loudest.push_back(&contribution);
  std::ranges::stable_sort(loudest, [](const auto* a, const auto* b) { return *a->mean_square > *b->mean_square; });
  const double whole = *noise.rms * *noise.rms;
  if (loudest.size() < 2 || whole <= 0) return;
  constexpr double least = 5e-5;
  for (const NoiseContribution* contribution : loudest)
    if (*contribution->mean_square >= least * whole)
      fmt::print(out, "  {:>6.2f} % of the mean square from {}\n", 100 * *contribution->mean_square / whole,
                 contribution->element);
}

/// About as many rows as can be taken in.
void write_table(std::ostream& out, const NoiseAnalysis& noise, const NoiseUnits& units, bool hertz) {
  constexpr std::size_t most = 20;
  const std::size_t n = noise.frequency.size(), step = n <= most ? 1 : (n + most - 1) / most;
  fmt::print(out, "  {:>14}  {:>18}{}\n", hertz ? "f, Hz" : "omega, rad/s", "output, " + units.output + "/sqrt(Hz)",
             noise.input_density.empty() ? "" : fmt::format("  {:>18}", "input, " + units.input + "/sqrt(Hz)"));
  for (std::size_t i = 0; i < n; i += step) {
    fmt::print(out, "  {:>14.6g}  {:>18.6g}", noise.frequency[i] / (hertz ? per_hertz : 1), std::sqrt(noise.output_density[i]));
    if (!noise.input_density.empty()) {
      const double input = noise.input_density[i];
      fmt::print(out, "  {:>18}", std::isnan(input) ? "–" : fmt::format("{:.6g}", std::sqrt(input)));
    }
    out << '\n';
  }
}

}  // namespace

void write_text(std::ostream& out, const NoiseAnalysis& noise, const NoiseUnits& units, bool hertz) {
  fmt::print(out, "noise of {}: one-sided densities over w in rad/s, {}^2/Hz\n", noise.output, units.output);
  for (const NoiseContribution& contribution : noise.contributions)
    fmt::print(out, "  {}: {}\n", contribution.element, readable(contribution.density));
  fmt::print(out, "k_B = 1.380649e-23 J/K, T_K = {} K\n", print(noise.temperature));
  if (noise.variance) fmt::print(out, "variance over 0…∞: {}\n", readable(*noise.variance));
  if (noise.rms) {
    fmt::print(out, "rms over {}: {:.6g} {}\n", band(noise, hertz), *noise.rms, units.output);
    write_shares(out, noise);
  }
  for (const std::string& note : noise.notes) fmt::print(out, "  note: {}\n", note);
  if (!noise.output_density.empty()) write_table(out, noise, units, hertz);
}

void write_json(std::ostream& out, const NoiseAnalysis& noise, const NoiseUnits& units) {
  Json j{{"schema", "sfg/noise/1"},
         {"output", noise.output},
         {"input", noise.input.empty() ? Json(nullptr) : Json(noise.input)},
         {"unit",
          {{"output", units.output + "^2/Hz"}, {"input", noise.input.empty() ? Json(nullptr) : Json(units.input + "^2/Hz")}}},
         {"temperature", noise.temperature},
         {"contributions", Json::array()}};
  for (const NoiseContribution& contribution : noise.contributions)
    j["contributions"].push_back({{"element", contribution.element},
                                  {"density", print(contribution.density)},
                                  {"values", numbers(contribution.values)},
                                  {"mean_square", number(contribution.mean_square)}});
  j["frequency"] = numbers(noise.frequency);
  j["output_density"] = numbers(noise.output_density);
  j["input_density"] = noise.input.empty() ? Json(nullptr) : numbers(noise.input_density);
  j["band"] = noise.low && noise.high ? Json::array({*noise.low, *noise.high}) : Json::array({0, nullptr});
  if (!noise.low) j["variance"] = noise.variance ? Json(print(*noise.variance)) : Json(nullptr);
  j["rms"] = number(noise.rms);
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
