// What a circuit designer asks: any signal as output, ports, loop gain, noise.
#include <iostream>

#include "sfg/control/margins.hpp"
#include "sfg/derive/circuit.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/graph/from_equations.hpp"
#include "sfg/read/input.hpp"
#include "sfg/response/noise.hpp"
#include "sfg/transfer/exact_transfer.hpp"

namespace {

sfg::Circuit circuit(const char* file) { return std::get<sfg::Circuit>(std::get<sfg::Model>(sfg::read_file(file).content)); }

}  // namespace

int main() {
  const sfg::Circuit stage = circuit("inverting_stage.cir"), tee = circuit("tee.cir");

  sfg::SignalFlowGraph graph = sfg::from_equations(sfg::circuit_equations(stage)).graph;
  const sfg::NodeId error = sfg::output_signal(graph, "v(in) - v(n)");
  std::cout << "(v(in) - v(n))/V1 = " << sfg::transfer_function(graph, {graph.at("V1"), error}).value.text() << '\n';

  const std::vector<sfg::Port> ports{{"1"}, {"2"}};
  const sfg::SignalFlowGraph driven = sfg::from_equations(sfg::port_equations(tee, ports, sfg::PortParameters::z)).graph;
  for (const sfg::TransferFunction& entry : sfg::transfer_functions(driven, sfg::questions(driven)))
    std::cout << driven[entry.question.output].name << '/' << driven[entry.question.input].name << " = " << entry.value.text()
              << '\n';

  const sfg::SignalFlowGraph open = sfg::from_equations(sfg::opened_at(stage, "E1")).graph;
  const sfg::Margins margins = sfg::margins(sfg::exact_transfers(open, sfg::questions(open)).front());
  std::cout << "phase margin " << *margins.phase_margin_deg << " deg\n";

  const sfg::NoisyCircuit noisy = sfg::noisy(circuit("sallen_key.cir"));
  const sfg::SignalFlowGraph loud = sfg::from_equations(sfg::circuit_equations(noisy.circuit)).graph;
  const sfg::NoiseAnalysis noise = sfg::noise(loud, noisy.sources, loud.at("v(out)"));
  std::cout << "variance " << sfg::print(*noise.variance) << ", rms " << *noise.rms << " V\n";
}

/* prints
(v(in) - v(n))/V1 = (Cn*R1*R2*s^2 + (Cn*R1*R2*wa + R1)*s + A0*R1*wa + R1*wa)/(Cn*R1*R2*s^2 + (Cn*R1*R2*wa + R1 + R2)*s + A0*R1*wa + R1*wa + R2*wa)
V1/I1 = (C1*R1*s + 1)/(C1*s)
V2/I1 = 1/(C1*s)
V1/I2 = 1/(C1*s)
V2/I2 = (C1*R2*s + 1)/(C1*s)
phase margin 83.5964 deg
variance (k_B*T_K*C1*R1 + k_B*T_K*C2*R1 + k_B*T_K*C2*R2)/(C2^2*R1 + C2^2*R2), rms 9.10387e-07 V
*/
