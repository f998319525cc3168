// A vehicle whose suspension runs against its stops: from the elements to the stationary motion over a wavy road.
#include <cstdio>

#include "sfg/derive/polar/polar_derivation.hpp"
#include "sfg/graph/from_equations.hpp"
#include "sfg/nonlinear/balance.hpp"
#include "sfg/nonlinear/operating_points.hpp"
#include "sfg/read/input.hpp"

int main() {
  const sfg::Input input = sfg::read_file("stroke_stops.toml");
  const auto& network = std::get<sfg::PolarNetwork>(std::get<sfg::Model>(input.content));
  const sfg::SignalFlowGraph graph = sfg::from_equations(sfg::polar_derivation(network).equations).graph;

  for (const double load : {500.0, 2000.0}) {
    const sfg::OperatingPoints rest = sfg::operating_points(graph, {.inputs = {{*graph.find("load"), load}}});
    std::printf("under %4.0f N the body is at %.5f m, the stroke at %.5f m\n", load, rest.points[0].signals.at("x(b)"),
                rest.points[0].signals.at("x(stops)"));
  }

  const std::vector<sfg::PeriodicInput> road{{.input = *graph.find("road"), .amplitude = 0.03}};
  const std::vector<double> frequencies{4, 10};
  const sfg::PeriodicMotions motions = sfg::periodic_motions(graph, road, frequencies, {.outputs = {*graph.find("x(b)")}});
  for (const sfg::PeriodicMotion& motion : motions.points)
    std::printf("at %2.0f rad/s the stroke is %.4f m, %s\n", motion.frequency, std::abs(motion.harmonics[0][1]),
                motion.stable.value_or(false) ? "stable" : "unstable");
  for (const sfg::MotionMark& mark : motions.marks)
    if (mark.frequency < 12) std::printf("fold at %.3f rad/s\n", mark.frequency);
}

/* prints
*/
