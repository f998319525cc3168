// A motor on the bench: gain, time constant and dead time from what was recorded, and how well they are known.
#include <sfg/ask/fit.hpp>
#include <sfg/read/input.hpp>
#include <sfg/read/measurement/measurement.hpp>
#include <sfg/sfg.hpp>

#include <cstdio>

int main() {
  const auto graph = std::get<sfg::SignalFlowGraph>(sfg::read_file("bench_motor.dot").content);
  //! [fit]
  sfg::FitQuestion question{.parameters = {{"K", 20}, {"T", 0.1}, {"L", 0.005, 0, 0.05}}, .inputs = {"u"}, .time = GiNaC::symbol("t")};
  question.records = {sfg::read_measurement(sfg::text_of_file("bench_motor.csv"), "bench_motor.csv", {.signals = {"w"}, .inputs = {"u"}})};
  const sfg::Fit found = sfg::fitted(graph, question).fit;
  for (const sfg::FittedParameter& p : found.parameters)
    std::printf("%s = %.3g, 95 %%: %.3g to %.3g\n", p.name.c_str(), p.value, p.interval_low, p.interval_high);
  std::printf("rms %.2f rad/s of %zu samples\n", found.rms, found.samples);
  //! [fit]
}

/* prints
K = 23.4, 95 %: 23.3 to 23.4
T = 0.0821, 95 %: 0.0801 to 0.084
L = 0.0125, 95 %: 0.0113 to 0.0138
rms 1.20 rad/s of 51 samples
*/
