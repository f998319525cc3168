// The tolerances of a mechanism whose rest is searched: every sample finds its own, and is linearised there.
#include <sfg/ask/measured.hpp>
#include <sfg/expr/tolerance.hpp>
#include <sfg/sfg.hpp>

#include <cstdio>

int main() {
  //! [subject]
  const sfg::Subject crank(sfg::read_file("slider_crank.toml"), {.rest = sfg::Rest::moves});
  const sfg::MeasuredSystem system = measured(crank, sfg::between("tau", "theta"));
  const sfg::SymbolTable& symbols = system.graph.symbols;
  const sfg::Variation variation = variation_of(symbols, {.everything = sfg::parse_tolerance("5%")});
  const sfg::SampledQuestions asked{.measures = {measure_of("frequency:1", symbols)}};
  const sfg::MonteCarlo found = monte_carlo(system, variation, asked, {.samples = 100});
  //! [subject]
  for (const sfg::MeasureStatistics& measure : found.measures)
    std::printf("%s: %.3f as stated, %.3f ± %.3f\n", measure.name.c_str(), measure.nominal, measure.mean, measure.deviation);
}

/* prints
frequency:1: 3.988 as stated, 3.994 ± 0.114
*/
