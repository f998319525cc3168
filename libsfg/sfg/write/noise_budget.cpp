#include "sfg/write/noise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sfg/write/page/page_parts.hpp"

namespace sfg {

namespace {

Prose share_in_percent(std::optional<double> share) {
  return words(!share || std::isnan(*share) ? std::string("–") : fmt::format("{:.2f} %", 100 * *share));
}

/// So many columns can be taken in; the first and the last frequency among them.
std::vector<std::size_t> shown_frequencies(std::size_t n) {
  constexpr std::size_t most = 4;
  std::vector<std::size_t> shown;
  for (std::size_t k = 0; k < std::min(n, most); ++k) shown.push_back(n <= most ? k : k * (n - 1) / (most - 1));
  return shown;
}

}  // namespace

Page page(const NoiseBudget& budget, const NoiseAnalysis& noise, const NoiseUnits& units, bool at_frequencies, bool hertz) {
  const double scale = hertz ? per_hertz : 1;
  const std::string unit = hertz ? " Hz" : " rad/s";
  Page page;
  Prose head{"noise budget of ", Math::signal(noise.output)};
  if (!noise.input.empty()) {
    head.emplace_back(", referred to ");
    head.emplace_back(Math::signal(noise.input));
  }
  head.emplace_back(": shares of the power, of each element all that it makes");
  page.add(Paragraph{std::move(head)});
  if (noise.rms) {
    const std::string band =
        noise.low && noise.high ? fmt::format("{:.6g} to {:.6g}{}", *noise.low / scale, *noise.high / scale, unit) : "0…∞";
    page.add(Paragraph{{"rms over " + band + ": ", number_math(*noise.rms), " " + units.output}});
  }
  const bool band = std::ranges::any_of(budget.elements, [](const auto& e) { return e.share.has_value(); });
  const bool input_band = std::ranges::any_of(budget.elements, [](const auto& e) { return e.input_share.has_value(); });
  const std::vector<std::size_t> shown =
      at_frequencies || !band ? shown_frequencies(noise.output_density.size()) : std::vector<std::size_t>();
  Table table{{{words("element")}}, {}, 1};
  if (band) table.columns.push_back({words("output, band"), true, 14});
  if (input_band) table.columns.push_back({words("input, band"), true, 14});
  for (const std::size_t k : shown)
    table.columns.push_back({words(fmt::format("at {:.4g}{}", noise.frequency[k] / scale, unit)), true, 14});
  const auto add = [&](const std::string& name, const NoiseBudget::Element& element) {
    std::vector<Prose> row{words(name)};
    if (band) row.push_back(share_in_percent(element.share));
    if (input_band) row.push_back(share_in_percent(element.input_share));
    for (const std::size_t k : shown) row.push_back(share_in_percent(element.shares[k]));
    table.rows.push_back(std::move(row));
  };
  NoiseBudget::Element all{"", {}, std::vector<double>(noise.output_density.size(), 0.0), 0.0, 0.0};
  for (const NoiseBudget::Element& element : budget.elements) {
    add(element.name, element);
    for (std::size_t k = 0; k < all.shares.size(); ++k) all.shares[k] += element.shares[k];
    *all.share += element.share.value_or(0);
    *all.input_share += element.input_share.value_or(0);
  }
  add("all", all);
  page.add(std::move(table));
  for (const std::string& note : noise.notes) page.add(Paragraph{words("note: " + note), 1});
  return page;
}

}  // namespace sfg
