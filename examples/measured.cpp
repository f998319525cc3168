// Measured beside calculated: the logged step of the servo over that of its model, and how far the two are apart.
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>

#include "sfg/plot/figures.hpp"
#include "sfg/read/input.hpp"
#include "sfg/read/measurement/measurement.hpp"
#include "sfg/response/measured_response.hpp"
#include "sfg/response/time_response.hpp"

int main() {
  const sfg::Input input = sfg::read_file("servo.dot");
  const auto& graph = std::get<sfg::SignalFlowGraph>(input.content);
  std::ifstream file("servo_step.csv");
  const std::string table(std::istreambuf_iterator<char>(file), {});
  const std::vector<sfg::Measurement> records{
      sfg::read_measurement(table, "servo_step.csv", {.signals = {"theta"}, .axis = sfg::MeasuredAxis::time})};

  const auto transfers = sfg::exact_transfers(graph, sfg::questions(graph));
  const auto model = sfg::responses(transfers, sfg::Excitation::step, sfg::measured_times(records, graph.op));
  const auto measured = sfg::beside(records, model, graph.op, 0.0);
  const sfg::Misfit& misfit = measured.front().misfit;
  std::printf("%zu samples, rms %.3f rad, fit %.1f %%\n", misfit.samples, misfit.rms.value(), misfit.fit.value());

  sfg::Figure figure = sfg::response_figure(model, "Step response");
  sfg::add_measured(figure, model, measured);
  std::cout << figure.panels.size() << " panels, the second with " << figure.panels[1].series.front().x.size() << " residuals\n";
}

/* prints
40 samples, rms 0.122 rad, fit 70.6 %
2 panels, the second with 41 residuals
*/
