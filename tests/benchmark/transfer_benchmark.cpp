// From a file to a verified answer: transfer_benchmark FORM FILE, with FORM rational, all (rational, every source), sequence,
// count, diagram, poles or read (the file alone). One line of JSON: the least time of several runs, and the answer's value at
// the point of comparison.
#include <sys/resource.h>

#include "benchmark/measure.hpp"
#include "sfg/control/poles.hpp"
#include "sfg/derive/derive.hpp"
#include "sfg/graph/from_equations.hpp"
#include "sfg/read/input.hpp"
#include "sfg/transfer/graph_matrix.hpp"
#include "sfg/transfer/sequence.hpp"
#include "sfg/transfer/term_counts.hpp"
#include "sfg/transfer/transfer.hpp"

namespace sfg::benchmark {
namespace {

constexpr int runs = 5;

SignalFlowGraph graph_of(const std::string& file) {
  Input input = read_file(file, {});
  if (auto* graph = std::get_if<SignalFlowGraph>(&input.content)) return std::move(*graph);
  const EquationSystem equations = derive(std::get<Model>(input.content));
  SignalFlowGraph graph = std::move(from_equations(equations, {}).graph);
  for (const auto& unknown : equations.unknowns)
    if (const auto node = graph.find(unknown.name)) graph.outputs.push_back(*node);
  return graph;
}

double mebibytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

/// With `all` every source with every output, else what the file asks.
void rational(const std::string& file, bool all) {
  std::vector<TransferFunction> answers;
  const double seconds = best_of(runs, [&] {
    const SignalFlowGraph graph = graph_of(file);
    const auto asked = all ? questions(graph, graph.sources(), graph.outputs) : questions(graph);
    answers = transfer_functions(graph, asked);
  });
  const RationalFunction& first = answers.front().value;
  const std::size_t terms = first.numerator().term_count() + first.denominator().term_count();
  const ComparisonPoint point;
  std::vector<std::uint64_t> residues;
  for (std::size_t i = 0; i < first.space().size(); ++i) residues.push_back(point(first.space().generator(i)));
  const std::uint64_t p = point.field().prime();
  const std::uint64_t value =
      point.field().divide(first.numerator().modulo(p, residues), first.denominator().modulo(p, residues));
  print_line({{"seconds", seconds},
              {"terms", static_cast<double>(terms)},
              {"answers", static_cast<double>(answers.size())},
              {"mebibytes", mebibytes()}},
             {{"value", std::to_string(value)}});
}

void sequence(const std::string& file) {
  std::uint64_t value = 0;
  std::string terms;
  double operations = 0;
  const double seconds = best_of(runs, [&] {
    const SignalFlowGraph graph = graph_of(file);
    const TransferSequence answer = transfer_sequence(graph, questions(graph).front());
    terms = to_string(answer.terms.determinant.value());
    operations = static_cast<double>(answer.operations.total());
    if (value != 0) return;
    ComparisonPoint point;
    for (const auto& definition : answer.definitions) point.define(definition.symbol, definition.value);
    value = point.field().divide(point(answer.numerator), point(answer.denominator));
  });
  print_line(
      {{"seconds", seconds}, {"operations", operations}, {"mebibytes", mebibytes()}},
      {{"value", std::to_string(value)}, {"terms", terms.size() < 26 ? terms : "~10^" + std::to_string(terms.size() - 1)}});
}

void count(const std::string& file) {
  std::string terms;
  const double seconds = best_of(runs, [&] {
    const SignalFlowGraph graph = graph_of(file);
    GraphMatrix matrix(graph);
    TermCounter counter(matrix, ParallelBranches::apart);
    const auto number = counter.count(matrix.determinant());
    terms = number ? to_string(*number) : "very many";
  });
  print_line({{"seconds", seconds}}, {{"terms", terms.size() < 26 ? terms : "~10^" + std::to_string(terms.size() - 1)}});
}

/// The diagrams of Δ, from a graph that is read; building alone.
void diagram(const std::string& file) {
  const SignalFlowGraph graph = graph_of(file);
  double edges = 0, vertices = 0;
  const double seconds = best_of(runs, [&] {
    GraphMatrix matrix(graph);
    edges = vertices = 0;
    for (const std::size_t id : matrix.determinant().blocks) {
      edges += static_cast<double>(matrix.diagram(id).edge_count());
      vertices += static_cast<double>(matrix.diagram(id).vertex_count());
    }
  });
  print_line({{"seconds", seconds}, {"edges", edges}, {"vertices", vertices}, {"mebibytes", mebibytes()}});
}

void roots(const std::string& file) {
  std::size_t found = 0;
  const double seconds = best_of(runs, [&] {
    const SignalFlowGraph graph = graph_of(file);
    const Question asked = questions(graph).front();
    found = 0;
    const PolesZeros all = poles_zeros(exact_transfers(graph, std::span(&asked, 1)).front(), 17);
    for (const Mode& mode : all.modes) found += mode.pole.multiplicity;
  });
  print_line({{"seconds", seconds}, {"poles", static_cast<double>(found)}});
}

void reading(const std::string& file) {
  std::size_t notes = 0;
  const double seconds = best_of(runs, [&] { notes = read_file(file, {}).notes.size(); });
  print_line({{"seconds", seconds}, {"notes", static_cast<double>(notes)}, {"mebibytes", mebibytes()}});
}

int run(const std::string& form, const std::string& file) {
  if (form == "rational" || form == "all")
    rational(file, form == "all");
  else if (form == "sequence")
    sequence(file);
  else if (form == "count")
    count(file);
  else if (form == "diagram")
    diagram(file);
  else if (form == "poles")
    roots(file);
  else if (form == "read")
    reading(file);
  else
    return 2;
  return 0;
}

}  // namespace
}  // namespace sfg::benchmark

int main(int argc, char** argv) { return sfg::benchmark::program(argc, argv, sfg::benchmark::run); }
