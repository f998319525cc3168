#include "sfg/response/noise_budget.hpp"

#include <algorithm>
#include <cctype>
#include <limits>
#include <numeric>

namespace sfg {

namespace {

/// The device that a part of it belongs to: its place in the netlist is the device's name, "Q2", its own name "Rb_Q2" (in an
/// instance X1 of a subcircuit "Rb_Q2_X1"). What stands there itself has a name that begins with what stands there.
std::string device_of(const NoiseSource& source) {
  const std::string& name = source.element;
  const std::size_t written = source.where.length, bar = name.find('_');
  if (written == 0 || written >= name.size() || bar == std::string::npos) return name;
  const bool in_instance =
      name[written] == '_' && written + 1 < name.size() && std::tolower(static_cast<unsigned char>(name[written + 1])) == 'x';
  const std::string rest = name.substr(bar + 1);
  const bool whole = rest.size() == written || (rest.size() > written && rest[written] == '_');
  return !in_instance && whole ? rest : name;
}

using Elements = std::vector<NoiseBudget::Element>;

/// Sums to shares, where all of them are there.
void divide(Elements& elements, std::optional<double> NoiseBudget::Element::*of) {
  double sum = 0;
  bool all = true;
  for (const auto& element : elements) {
    all = all && element.*of;
    sum += (element.*of).value_or(0);
  }
  for (auto& element : elements) {
    if (all && sum > 0)
      element.*of = *(element.*of) / sum;
    else
      (element.*of).reset();
  }
}

void add_to(std::optional<double>& sum, const std::optional<double>& part, bool first) {
  if (first)
    sum = part;
  else if (sum && part)
    *sum += *part;
  else
    sum.reset();
}

}  // namespace

NoiseBudget noise_budget(const NoiseAnalysis& noise, std::span<const NoiseSource> sources) {
  NoiseBudget budget;
  const std::size_t n = noise.output_density.size();
  for (std::size_t i = 0; i < noise.contributions.size(); ++i) {
    const NoiseContribution& part = noise.contributions[i];
    const std::string name = device_of(sources[i]);
    auto element = std::ranges::find(budget.elements, name, &NoiseBudget::Element::name);
    const bool first = element == budget.elements.end();
    if (first) element = budget.elements.insert(element, {name, {}, std::vector<double>(n, 0.0)});
    element->sources.push_back(part.element);
    add_to(element->share, part.mean_square, first);
    add_to(element->input_share, part.input_mean_square, first);
    for (std::size_t k = 0; k < n; ++k) {
      const double all = noise.output_density[k];
      element->shares[k] += all > 0 ? part.values[k] / all : std::numeric_limits<double>::quiet_NaN();
    }
  }
  divide(budget.elements, &NoiseBudget::Element::share);
  divide(budget.elements, &NoiseBudget::Element::input_share);
  const auto loudness = [](const NoiseBudget::Element& element) {
    return element.share ? *element.share : std::accumulate(element.shares.begin(), element.shares.end(), 0.0);
  };
  std::ranges::stable_sort(budget.elements, [&](const auto& a, const auto& b) { return loudness(a) > loudness(b); });
  return budget;
}

}  // namespace sfg
