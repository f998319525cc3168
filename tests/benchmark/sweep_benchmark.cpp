// Many points: sweep_benchmark WHAT FILE, with WHAT
//   response     T at 10,000 frequencies, compiled, on one core and on all; values at three of them for comparison
//   eigen        the same by Eigen's sparse LU, one factorisation for each frequency, on one core
//   monte-carlo  100 sets of all parameters, ±5 %, at 100 frequencies each
//   edges        cost of an edge of the diagram: building, values in batches; bandwidth of the memory in the same run
// One line of JSON.
#include <Eigen/SparseLU>
#include <cmath>
#include <complex>
#include <random>

#include "benchmark/measure.hpp"
#include "ddd/families.hpp"
#include "sfg/ddd/ordering.hpp"
#include "sfg/expr/compile.hpp"
#include "sfg/read/input.hpp"
#include "sfg/response/compiled_response.hpp"
#include "sfg/response/frequency_response.hpp"

namespace sfg::benchmark {
namespace {

using Complex = std::complex<double>;
constexpr std::size_t points = 10'000;
constexpr int runs = 3;

std::vector<Complex> axis(double low, double high, std::size_t count) {
  std::vector<Complex> s;
  for (const double w : logarithmic(low, high, count)) s.emplace_back(0, w);
  return s;
}

std::vector<std::pair<std::string, double>> with_samples(std::vector<std::pair<std::string, double>> line, const Complex& a,
                                                         const Complex& b, const Complex& c) {
  int k = 0;
  for (const Complex& z : {a, b, c}) {
    line.emplace_back("re" + std::to_string(k), z.real());
    line.emplace_back("im" + std::to_string(k++), z.imag());
  }
  return line;
}

void response(const SignalFlowGraph& graph) {
  const auto asked = questions(graph);
  const Clock clock;
  const CompiledResponse compiled(graph, asked);
  const double compile = clock.seconds();
  const std::vector<Complex> s = axis(1e-3, 10, points);
  CompiledValues values;
  const auto time = [&](double tolerance, unsigned threads) {
    return best_of(runs, [&] { values = compiled.values(s, {}, {.tolerance = tolerance, .threads = threads}); });
  };
  const double plain = time(0, 1), plain_all = time(0, 0), bounded = time(1e-8, 1), bounded_all = time(1e-8, 0);
  double bound = 0;
  for (const double error : values.error) bound = std::max(bound, error);
  print_line(with_samples({{"compile", compile},
                           {"operations", static_cast<double>(compiled.tape().operation_count())},
                           {"plain", plain},
                           {"plain_all", plain_all},
                           {"bounded", bounded},
                           {"bounded_all", bounded_all},
                           {"bound", bound},
                           {"points", static_cast<double>(points)}},
                          values.value[0], values.value[points / 2], values.value[points - 1]));
}

void eigen(const SignalFlowGraph& graph) {
  constexpr std::size_t few = points / 20;
  const Question asked = questions(graph).front();
  const auto n = static_cast<Eigen::Index>(graph.nodes().size());
  std::vector<GiNaC::ex> gains;
  for (const Branch& branch : graph.branches()) gains.push_back(branch.gain());
  const GiNaC::ex variable = graph.op.in(graph.symbols);
  const numeric::Tape tape = compile(gains, std::span(&variable, 1), {});
  const std::vector<Complex> all = axis(1e-3, 10, points);
  std::vector<Complex> values(few);
  Eigen::SparseMatrix<Complex> M(n, n);
  Eigen::VectorXcd b = Eigen::VectorXcd::Zero(n);
  b[static_cast<Eigen::Index>(asked.input.index)] = 1;
  const double seconds = best_of(1, [&] {
    Eigen::SparseLU<Eigen::SparseMatrix<Complex>> lu;
    for (std::size_t k = 0; k < few; ++k) {
      const Complex s = all[k * (points - 1) / (few - 1)];
      const std::vector<Complex> gain = tape.values<Complex>(std::span(&s, 1));
      std::vector<Eigen::Triplet<Complex>> entries;
      for (Eigen::Index i = 0; i < n; ++i) entries.emplace_back(i, i, 1.0);
      for (std::size_t e = 0; e < gain.size(); ++e)
        entries.emplace_back(graph.branches()[e].to.index, graph.branches()[e].from.index, -gain[e]);
      M.setFromTriplets(entries.begin(), entries.end());
      if (k == 0) lu.analyzePattern(M);
      lu.factorize(M);
      values[k] = lu.solve(b)[static_cast<Eigen::Index>(asked.output.index)];
    }
  });
  print_line(
      with_samples({{"seconds", seconds}, {"points", static_cast<double>(few)}}, values.front(), values[few / 2], values.back()));
}

void monte_carlo(const SignalFlowGraph& graph) {
  constexpr std::size_t sets = 100, frequencies = 100;
  const auto asked = questions(graph);
  std::vector<std::string> names;
  for (const Symbol& symbol : graph.symbols.all())
    if (symbol.value) names.push_back(symbol.name);
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> spread(0.95, 1.05);
  std::vector<std::vector<double>> samples(names.size());
  const GiNaC::exmap values = graph.symbols.values();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const double nominal = GiNaC::ex_to<GiNaC::numeric>(values.at(graph.symbols.at(names[i]).expr).evalf()).to_double();
    for (std::size_t k = 0; k < sets; ++k) samples[i].push_back(nominal * spread(random));
  }
  const Clock clock;
  const CompiledResponse compiled(graph, asked, {.parameters = names});
  const double compile = clock.seconds();
  const std::vector<Complex> s = axis(1, 1e4, frequencies);
  const auto time = [&](double tolerance, unsigned threads) {
    return best_of(runs, [&] { static_cast<void>(compiled.sampled(s, samples, {.tolerance = tolerance, .threads = threads})); });
  };
  print_line({{"compile", compile},
              {"parameters", static_cast<double>(names.size())},
              {"plain", time(0, 1)},
              {"plain_all", time(0, 0)},
              {"bounded_all", time(1e-8, 0)},
              {"points", static_cast<double>(sets * frequencies)}});
}

/// Gigabytes a second of a[i] = b[i] + 3 c[i] over arrays far larger than any cache.
double bandwidth() {
  constexpr std::size_t length = 16'000'000;
  std::vector<double> a(length, 1), b(length, 2), c(length, 3);
  const double seconds = best_of(5, [&] {
    for (std::size_t i = 0; i < length; ++i) a[i] = b[i] + 3 * c[i];
    asm volatile("" : : "r"(a.data()) : "memory");
  });
  return 3.0 * sizeof(double) * length / seconds / 1e9;
}

void edges(const std::string& family) {
  using namespace ddd;
  const Pattern pattern = family == "complete18"   ? families::complete(18)
                          : family == "complete14" ? families::complete(14)
                          : family == "grid9"      ? families::grid(9)
                          : family == "grid7"      ? families::grid(7)
                                                   : families::ladder(1000);
  const Order order = best_order(pattern);
  const double build = best_of(5, [&] { static_cast<void>(DeterminantDiagram(pattern, order).edge_count()); });
  const DeterminantDiagram diagram(pattern, order);
  const auto count = static_cast<double>(diagram.edge_count());
  numeric::TapeBuilder builder;
  std::vector<numeric::TapeBuilder::Value> entries;
  for (std::size_t e = 0; e < pattern.entries().size(); ++e) entries.push_back(builder.input("x" + std::to_string(e)));
  const std::vector outputs{evaluate(diagram, numeric::TapeRing{&builder}, entries)};
  const numeric::Tape tape = builder.tape(outputs);
  constexpr std::size_t batch = 64 * 4;
  const double value = 0.3;
  const std::vector<std::span<const double>> values(tape.inputs().size(), std::span<const double>(&value, 1));
  std::vector<double> results(batch), workspace(tape.slot_count() * numeric::Tape::batch_size);
  const double seconds = best_of(10, [&] { tape.run_batch<double>(batch, values, results, workspace); });
  const double per_edge = seconds / count / batch;
  // Every edge reads the child's value and the entry's, and reads and writes the sum: four doubles.
  print_line({{"edges", count},
              {"build_ns", build / count * 1e9},
              {"value_ns", per_edge * 1e9},
              {"moved_GB_s", 32 / per_edge / 1e9},
              {"memory_GB_s", bandwidth()}});
}

int run(const std::string& what, const std::string& file) {
  if (what == "edges") {
    edges(file);
    return 0;
  }
  const Input input = read_file(file, {});
  const auto& graph = std::get<SignalFlowGraph>(input.content);
  if (what == "response")
    response(graph);
  else if (what == "eigen")
    eigen(graph);
  else if (what == "monte-carlo")
    monte_carlo(graph);
  else
    return 2;
  return 0;
}

}  // namespace
}  // namespace sfg::benchmark

int main(int argc, char** argv) { return sfg::benchmark::program(argc, argv, sfg::benchmark::run); }
