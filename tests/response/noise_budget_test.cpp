// The noise budget of random circuits: shares that add up to 1, against the densities integrated by Simpson's rule.
#include "sfg/response/noise_budget.hpp"

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>
#include <random>

#include "sfg/ask/subject.hpp"
#include "sfg/read/input.hpp"

namespace sfg {
namespace {

std::string random_amplifier(std::mt19937& random) {
  const auto value = [&](double unit) { return std::to_string(unit * std::uniform_real_distribution(1.0, 9.0)(random)); };
  std::string text = "* amplifier\n.model qn npn bf=100 vaf=50\nV1 in 0 AC 1\nRs in b " + value(100) + "\nRb b 0 " + value(1e4) +
                     "\nQ1 c b e qn GM=38.6m\nRe e 0 " + value(10) + "\nRc c 0 " + value(1000) + "\nC1 c 0 1n\n";
  if (random() % 2 == 0) text += "Rb_Q1 b 0 " + value(1e4) + "\n";  // not of Q1, whatever it is called
  if (random() % 2 == 0) text += "C2 in b 10n\n";
  return text;
}

/// ∫ of a density over a band, by Simpson's rule on a logarithmic scale.
double integral(const GiNaC::ex& density, const GiNaC::exmap& values, const GiNaC::ex& w, double low, double high) {
  constexpr int steps = 200;
  const GiNaC::ex of_w = density.subs(values).evalf();
  const double h = std::log(high / low) / steps;
  double sum = 0;
  for (int i = 0; i <= steps; ++i) {
    const double at = low * std::exp(h * i);
    const double f = GiNaC::ex_to<GiNaC::numeric>(of_w.subs(w == at).evalf()).to_double();
    sum += f * at * (i == 0 || i == steps ? 1 : i % 2 == 1 ? 4 : 2);
  }
  return sum * h / 3 / (2 * std::numbers::pi);
}

TEST(NoiseBudget, SharesAddUpAndAreThoseOfIntegrals) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    std::mt19937 random(seed);
    const std::string netlist = random_amplifier(random);
    const Subject subject(read(netlist, InputFormat::spice, "a.cir"), {.signals = {"v(c)"}});
    const NoisyCircuit noisy = subject.noisy_circuit();
    const Subject asked = subject.with(noisy.circuit);
    const SignalFlowGraph& graph = asked.graph();
    const double low = 1e3, high = 1e7;
    const NoiseAnalysis noise =
        sfg::noise(graph, noisy.sources, graph.at("v(c)"), graph.at("V1"),
                   {.frequency = {low, 1e5, high}, .band = NoiseOptions::Band{low, high}, .referred_mean_squares = true});
    const NoiseBudget budget = noise_budget(noise, noisy.sources);
    GiNaC::exmap values = graph.symbols.values();
    GiNaC::ex w;
    for (const NoiseContribution& part : noise.contributions) {
      for (GiNaC::const_preorder_iterator i = part.density->preorder_begin(); i != part.density->preorder_end(); ++i)
        if (GiNaC::is_a<GiNaC::symbol>(*i)) {
          const std::string name = GiNaC::ex_to<GiNaC::symbol>(*i).get_name();
          if (name == noise_frequency) w = *i;
          if (name == boltzmann) values[*i] = 1.380649e-23;
          if (name == noise_temperature) values[*i] = noise.temperature;
          if (name == elementary_charge) values[*i] = 1.602176634e-19;
        }
    }
    std::map<std::string, double> parts, input_parts;
    double all = 0, input_all = 0;
    for (const NoiseContribution& part : noise.contributions) {
      const std::string name = part.element.ends_with("_Q1") && part.element != "Rb_Q1" ? "Q1" : part.element;
      const double own = integral(*part.density, values, w, low, high);
      const double own_input = integral(*part.input_density, values, w, low, high);
      parts[name] += own, all += own, input_parts[name] += own_input, input_all += own_input;
    }
    EXPECT_EQ(budget.elements.size(), parts.size()) << netlist;
    double share = 0, input_share = 0, before = 1;
    std::vector<double> at(3);
    for (const NoiseBudget::Element& element : budget.elements) {
      ASSERT_TRUE(element.share && element.input_share) << element.name;
      EXPECT_NEAR(*element.share, parts.at(element.name) / all, 1e-5) << netlist << element.name;
      EXPECT_NEAR(*element.input_share, input_parts.at(element.name) / input_all, 1e-5) << netlist << element.name;
      EXPECT_LE(*element.share, before);
      before = *element.share;
      share += *element.share, input_share += *element.input_share;
      for (std::size_t k = 0; k < 3; ++k) at[k] += element.shares[k];
    }
    for (const double sum : {share, input_share, at[0], at[1], at[2]}) EXPECT_NEAR(sum, 1, 1e-12);
  }
}

}  // namespace
}  // namespace sfg
