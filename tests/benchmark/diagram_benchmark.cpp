// Determinant diagrams of the families: order, build, count, evaluate. Counters are per edge (and point).
#include <benchmark/benchmark.h>

#include <functional>
#include <string>

#include "ddd/families.hpp"
#include "sfg/ddd/elimination.hpp"
#include "sfg/ddd/ordering.hpp"
#include "sfg/numeric/tape.hpp"
#include "sfg/ring/integer.hpp"
#include "sfg/ring/modular.hpp"

namespace sfg::ddd {
namespace {

struct Family {
  std::string name;
  Pattern pattern;
};

const std::vector<Family>& all() {
  static const std::vector<Family> list{{"ladder 10", families::ladder(10)},
                                        {"ladder 1000", families::ladder(1000)},
                                        {"complete 14", families::complete(14)},
                                        {"complete 18", families::complete(18)},
                                        {"grid 7x7", families::grid(7)},
                                        {"grid 9x9", families::grid(9)},
                                        {"star 1000", families::star(1000)},
                                        {"random 30", families::random_graph(30, 3, 1)},
                                        {"random 60", families::random_graph(60, 3, 1)}};
  return list;
}

void per_edge(benchmark::State& state, const DeterminantDiagram& diagram, double points = 1) {
  state.counters["edges"] = static_cast<double>(diagram.edge_count());
  state.counters["per_edge"] = benchmark::Counter(static_cast<double>(diagram.edge_count()) * points,
                                                  benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void order(benchmark::State& state, const Family& family) {
  double states = 0;
  for (auto _ : state) states = best_order(family.pattern).prediction.states;
  state.counters["states"] = states;
}

void build(benchmark::State& state, const Family& family) {
  const Order order = best_order(family.pattern);
  for (auto _ : state) benchmark::DoNotOptimize(DeterminantDiagram(family.pattern, order));
  per_edge(state, DeterminantDiagram(family.pattern, order));
}

void everything(benchmark::State& state, const Family& family) {  // from the pattern to the exact number of terms
  std::string count;
  for (auto _ : state)
    count = to_string(evaluate(DeterminantDiagram(family.pattern), ring::CountRing(),
                               std::vector<ring::Integer>(family.pattern.entries().size(), 1)));
  state.SetLabel(count.size() <= 26 ? count : "10^" + std::to_string(count.size() - 1));
}

template <class R>
void evaluation(benchmark::State& state, const Family& family, const R& ring, double points) {
  const DeterminantDiagram diagram(family.pattern);
  typename R::Value value = ring.one();
  for (int k = 0; k < 3; ++k) value = ring.add(value, ring.one());
  const std::vector<typename R::Value> entries(family.pattern.entries().size(), value);
  for (auto _ : state) benchmark::DoNotOptimize(evaluate(diagram, ring, entries));
  per_edge(state, diagram, points);
}

std::vector<numeric::TapeBuilder::Value> inputs(numeric::TapeBuilder& builder, const Pattern& pattern) {
  std::vector<numeric::TapeBuilder::Value> entries;
  for (std::size_t e = 0; e < pattern.entries().size(); ++e) entries.push_back(builder.input("x" + std::to_string(e)));
  return entries;
}

void run_batches(benchmark::State& state, const numeric::Tape& tape, double work) {
  constexpr std::size_t points = 640;
  const double value = 0.3;
  const std::vector<std::span<const double>> values(tape.inputs().size(), std::span<const double>(&value, 1));
  std::vector<double> outputs(points), workspace(tape.slot_count() * numeric::Tape::batch_size);
  for (auto _ : state) {
    tape.run_batch<double>(points, values, outputs, workspace);
    benchmark::ClobberMemory();
  }
  state.counters["slots"] = static_cast<double>(tape.slot_count());
  state.counters["per_edge"] =
      benchmark::Counter(work * points, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void tape_of_diagram(benchmark::State& state, const Family& family) {
  const DeterminantDiagram diagram(family.pattern);
  numeric::TapeBuilder builder;
  const auto entries = inputs(builder, family.pattern);
  const std::vector outputs{evaluate(diagram, numeric::TapeRing{&builder}, entries)};
  run_batches(state, builder.tape(outputs), static_cast<double>(diagram.edge_count()));
}

void tape_of_elimination(benchmark::State& state, const Family& family) {
  numeric::TapeBuilder builder;
  const auto entries = inputs(builder, family.pattern);
  const Elimination plan(family.pattern);
  const std::vector outputs{eliminate(plan, numeric::TapeRing{&builder}, entries).determinant};
  run_batches(state, builder.tape(outputs), static_cast<double>(plan.steps().size()));
  state.counters["operations"] = static_cast<double>(plan.steps().size());
}

void plan_elimination(benchmark::State& state, const Family& family) {
  for (auto _ : state) benchmark::DoNotOptimize(Elimination(family.pattern));
}

void add(const std::string& what, const Family& family, const std::function<void(benchmark::State&, const Family&)>& run) {
  benchmark::RegisterBenchmark((what + "/" + family.name).c_str(), [&family, run](benchmark::State& state) {
    run(state, family);
  })->Unit(benchmark::kMillisecond);
}

}  // namespace
}  // namespace sfg::ddd

int main(int argc, char** argv) {
  using namespace sfg;
  using namespace sfg::ddd;
  for (const Family& family : all()) {
    add("order", family, order);
    add("build", family, build);
    add("pattern to count", family, everything);
    add("modular", family, [](auto& state, const Family& f) { evaluation(state, f, ring::ModularRing(), 1); });
    if (family.name != "random 60" && family.name != "complete 18") add("tape", family, tape_of_diagram);
    if (!family.name.starts_with("complete")) {
      add("elimination plan", family, plan_elimination);
      add("elimination tape", family, tape_of_elimination);
    }
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
