// Aggregates: the cost of a body in chains and trees of any size, and simulated seconds of the spacecraft per second.
#include <benchmark/benchmark.h>

#include <memory>
#include <numeric>
#include <vector>

#include "sfg/multibody/aggregate_run.hpp"
#include "sfg/multibody/bodies.hpp"
#include "sfg/read/input.hpp"

namespace sfg {
namespace {

struct Forest {
  Aggregate aggregate;
  std::vector<double> state;
};

/// Rigid bodies that turn about hinges; each hangs on the body before it, or in a tree on that of half its number.
Forest bodies(std::size_t count, bool chain) {
  const auto body = std::make_shared<RigidPart>(RigidMass{2, {0.3, 0, 0}, {1, 0, 0, 0, 2, 0, 0, 0, 2}},
                                                std::vector<FramedPart::Place>{{{0, 0, 0}}, {{0.6, 0.1, 0}}});
  Forest forest;
  for (std::size_t k = 0; k < count; ++k) forest.aggregate.add("body", body);
  for (std::size_t k = 1; k < count; ++k)
    forest.aggregate.connect("hinge", {chain ? k - 1 : (k - 1) / 2, 1}, {k, 0}, {false, false, false, false, false, true});
  forest.state.assign(forest.aggregate.size().states, 0.0);
  for (std::size_t k = 0; k < count; ++k) forest.state[13 * k + 3] = 1, forest.state[13 * k + 12] = 0.1;
  normalise(forest.aggregate, forest.state, Normalization::tree);
  return forest;
}

void accelerations(benchmark::State& state, bool chain) {
  const auto count = static_cast<std::size_t>(state.range(0));
  const Forest forest = bodies(count, chain);
  for (auto _ : state) benchmark::DoNotOptimize(forest.aggregate.motion(0, forest.state));
  state.counters["per_body"] =
      benchmark::Counter(static_cast<double>(count), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  state.SetComplexityN(state.range(0));
}

void manoeuvre(benchmark::State& state) {
  const Input input = read_file(SFG_SOURCE_DIR "/examples/spacecraft.toml");
  const AggregateModel model(std::get<Multibody>(std::get<Model>(input.content)));
  std::vector<double> times(121);
  std::iota(times.begin(), times.end(), 0);
  for (auto _ : state)
    benchmark::DoNotOptimize(run(model.aggregate(), model.state({{"Om1", 20}, {"Om2", -10}, {"Om3", 5}}), times, model.law(),
                                 {.rtol = 1e-8, .atol = 1e-10}));
  state.counters["simulated_seconds_per_second"] =
      benchmark::Counter(times.back(), benchmark::Counter::kIsIterationInvariantRate);
}

BENCHMARK_CAPTURE(accelerations, chain, true)->RangeMultiplier(10)->Range(10, 100000)->Complexity(benchmark::oN);
BENCHMARK_CAPTURE(accelerations, tree, false)->RangeMultiplier(10)->Range(10, 100000)->Complexity(benchmark::oN);
BENCHMARK(manoeuvre)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace sfg

BENCHMARK_MAIN();
