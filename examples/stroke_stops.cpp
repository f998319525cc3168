// A vehicle whose suspension runs against its stops: from the elements to the stationary motion over a wavy road.
#include <algorithm>
#include <cstdio>

#include "sfg/derive/polar/polar_derivation.hpp"
#include "sfg/graph/from_equations.hpp"
#include "sfg/nonlinear/balance/periodic_motion.hpp"
#include "sfg/nonlinear/rest/operating_points.hpp"
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
  const auto stroke = std::ranges::find(motions.signals, "x(stops)") - motions.signals.begin();
  for (const sfg::PeriodicMotion& motion : motions.points)
    std::printf("at %2.0f rad/s the stroke is %.4f m, %s\n", motion.frequency,
                std::abs(motion.harmonics[static_cast<std::size_t>(stroke)][1]),
                motion.stable.value_or(false) ? "stable" : "unstable");
  for (const sfg::MotionMark& mark : motions.marks)
    if (mark.frequency < 12) std::printf("fold at %.3f rad/s\n", mark.frequency);
}

/* prints
under  500 N the body is at 0.03667 m, the stroke at 0.03333 m
under 2000 N the body is at 0.07845 m, the stroke at 0.06512 m
at  4 rad/s the stroke is 0.0138 m, stable
at 10 rad/s the stroke is 0.0468 m, stable
at 10 rad/s the stroke is 0.0700 m, unstable
at 10 rad/s the stroke is 0.0842 m, stable
fold at 8.279 rad/s
*/
