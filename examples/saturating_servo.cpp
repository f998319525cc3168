// A servo whose amplifier saturates: up to which gain is it stable however far from rest it starts, and how does it come to rest?
#include <cstdio>

#include "sfg/nonlinear/absolute_stability.hpp"
#include "sfg/nonlinear/run/transient.hpp"
#include "sfg/read/input.hpp"

int main() {
  const sfg::Input input = sfg::read_file("saturating_servo.dot");
  const auto& graph = std::get<sfg::SignalFlowGraph>(input.content);
  const sfg::Sector up_to_1{sfg::exact::Rational::of(0.001), sfg::exact::Rational(1)};
  for (const int K : {1, 2, 4}) {
    const sfg::SignalFlowGraph servo = graph.substituted({{graph.symbols.at("K").expr, K}});
    const sfg::AbsoluteStability found = sfg::absolute_stability(servo, {.sector = up_to_1});
    std::printf("K = %d: circle criterion %s, Popov's %s\n", K, found.circle.holds ? "holds" : "fails",
                found.popov->holds ? "holds" : "fails");
  }

  const sfg::SimulationQuestion question{.drives = {}, .initial = {{"theta", 20}}, .outputs = {*graph.find("theta")}, .time = {}};
  const std::vector<double> times{0, 5, 10, 20, 40};
  const sfg::TimeResponse theta = sfg::transient(graph, question, times).front().value;
  for (std::size_t i = 0; i < times.size(); ++i) std::printf("theta(%2.0f) = %.4f\n", times[i], theta.value[i]);
}

/* prints
K = 1: circle criterion fails, Popov's holds
K = 2: circle criterion fails, Popov's holds
K = 4: circle criterion fails, Popov's fails
theta( 0) = 20.0000
theta( 5) = 12.9731
theta(10) = 2.9998
theta(20) = 0.2682
theta(40) = -0.0568
*/
