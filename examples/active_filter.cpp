// From poles to parts that can be bought: resistors are tuned for Butterworth's poles, rounded to the series E96, and the mask of
// the filter is checked on twenty thousand filters as they leave the factory.
#include <sfg/expr/exact_value.hpp>
#include <sfg/read/input.hpp>
#include <sfg/sfg.hpp>

#include <cmath>
#include <complex>
#include <cstdio>
#include <numbers>

/// The nearest value of the series E96: 96 values a decade in equal ratios, rounded to three digits (IEC 60063).
sfg::exact::Rational nearest_e96(double value) {
  const long place = std::lround(96 * std::log10(value));
  const long decade = static_cast<long>(std::floor(static_cast<double>(place) / 96));
  const long digits = std::lround(100 * std::pow(10, static_cast<double>(place - 96 * decade) / 96));
  return sfg::exact::Rational(digits) * sfg::exact::Rational::of(std::pow(10, decade - 2));
}

int main() {
  const sfg::Input input = sfg::read_file("active_filter.toml");
  sfg::SignalFlowGraph graph = graph_of(std::get<sfg::Model>(input.content));
  const sfg::Question question = sfg::question(graph, "V1", "v(out)");

  //! [tune]
  sfg::TuningGoal goal{.kind = sfg::TuningGoal::Kind::place};
  for (const double degrees : {112.5, 157.5}) {  // on a circle about 0
    const std::complex<double> pole = std::polar(2 * std::numbers::pi * 1000, degrees * std::numbers::pi / 180);
    goal.poles.insert(goal.poles.end(), {pole, std::conj(pole)});
  }
  const sfg::Tuning tuning =
      tuned({graph, question}, {{"R1", 1e3, 1e5}, {"R2", 1e3, 1e5}, {"R3", 1e3, 1e5}, {"R4", 1e3, 1e5}}, goal);
  for (const sfg::TunedParameter& resistor : tuning.parameters) {
    const sfg::exact::Rational bought = nearest_e96(resistor.value);
    graph.symbols.find(resistor.name)->value = sfg::numeric_value(bought);
    std::printf("%s = %.0f Ohm, bought as %g Ohm\n", resistor.name.c_str(), resistor.value, bought.to_double());
  }
  //! [tune]

  sfg::SampledQuestions mask;
  for (const char* spec : {"db@5026.5 > -0.9", "db@25133 < -47.5", "peak < 1.0116"})
    mask.specs.push_back(spec_of(spec, graph.symbols));
  const sfg::Variation variation = variation_of(graph.symbols);
  const sfg::MonteCarlo study = monte_carlo({graph, question}, variation, mask, {.samples = 20'000});
  for (const sfg::SpecStatistics& spec : study.specs) std::printf("%-16s %.1f %%\n", spec.spec.text.c_str(), 100 * spec.yield);
  std::printf("all at once      %.1f %%\n", 100 * *study.yield());
}

/* prints
R1 = 16967 Ohm, bought as 16900 Ohm
R2 = 12441 Ohm, bought as 12400 Ohm
R3 = 15106 Ohm, bought as 15000 Ohm
R4 = 10811 Ohm, bought as 10700 Ohm
db@5026.5 > -0.9 94.2 %
db@25133 < -47.5 90.2 %
peak < 1.0116    94.7 %
all at once      79.8 %
*/
