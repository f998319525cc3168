// Chua's circuit: its states of rest with a proof, the principal nodes of its one law, and the double scroll as a phase portrait.
#include <algorithm>
#include <cstdio>
#include <sstream>

#include "sfg/expr/print.hpp"
#include "sfg/nonlinear/principal.hpp"
#include "sfg/nonlinear/rest/operating_points.hpp"
#include "sfg/nonlinear/run/transient.hpp"
#include "sfg/plot/figures.hpp"
#include "sfg/read/input.hpp"

int main() {
  const sfg::Input input = sfg::read_file("chua.dot");
  const auto& graph = std::get<sfg::SignalFlowGraph>(input.content);

  const sfg::PrincipalReduction reduced = sfg::principal_reduction(graph);
  std::printf("what the law sees of itself: %s\n", sfg::print(reduced.Tj(0, 0).expression()).c_str());

  const sfg::OperatingPoints rest = sfg::operating_points(graph);
  for (const auto& point : rest.points)
    std::printf("at rest v1 = %g, %s\n", point.signals.at("v1"), point.stable.value_or(false) ? "stable" : "unstable");
  std::printf("%s\n", rest.complete ? "there is no other" : "there may be others");

  sfg::PhaseQuestion question{.motion = {}, .starts = {{{"v1", 0.1}}}, .box = {}};
  question.motion.outputs = {*graph.find("v1"), *graph.find("v2")};
  std::vector<double> times(6001);
  for (std::size_t i = 0; i < times.size(); ++i) times[i] = 0.01 * static_cast<double>(i);
  const sfg::PhasePortrait portrait = sfg::phase_portrait(graph, question, times);
  const auto [low, high] = std::ranges::minmax(portrait.trajectories[0].x);
  std::printf("from v1 = 0.1 it comes to both sides: %.1f to %.1f\n", low, high);

  std::ostringstream picture;  // or a file, double_scroll.svg
  sfg::write_svg(picture, sfg::phase_figure(portrait));
  std::printf("%zu states of rest are in the picture\n", portrait.rest->points.size());
}

/* prints
what the law sees of itself: (beta + s^2 + s)/(alpha*beta + alpha*s^2 + beta*s + s^3 + s^2)
at rest v1 = -1.5, unstable
at rest v1 = 0, unstable
at rest v1 = 1.5, unstable
there is no other
from v1 = 0.1 it comes to both sides: -2.2 to 2.2
3 states of rest are in the picture
*/
