// A small graph drawn from the bytes: engines that share no algorithm must agree.
#include <cmath>
#include <complex>
#include <optional>

#include "fuzz/drawn_graph.hpp"
#include "fuzz/targets.hpp"
#include "response_modulo.hpp"
#include "sfg/control/poles.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/random_point.hpp"
#include "sfg/response/compiled_response.hpp"
#include "sfg/ring/modular.hpp"
#include "sfg/transfer/mason.hpp"
#include "sfg/transfer/reduce.hpp"
#include "sfg/transfer/sequence.hpp"
#include "sfg/transfer/transfer.hpp"
#include "sfg/transfer/verify.hpp"

namespace sfg::fuzz {

namespace {

const Budget small_budget({.seconds = 20, .memory_bytes = std::size_t{64} << 20, .terms = 20'000});

/// The same where both have a value.
void same_modulo(const GiNaC::ex& value, const ModularPoint& point, std::optional<std::uint64_t> wanted, const char* engine) {
  const auto found = point(value);
  require(!found || !wanted || *found == *wanted, std::string(engine) + " and the elimination disagree: " + print(value));
}

void against_elimination(const SignalFlowGraph& graph, const Question& question) {
  std::optional<TransferFunction> found;
  bool singular = false;
  try {
    found = transfer_function(graph, question, {.budget = small_budget});
  } catch (const NoAnswer&) {
    singular = true;
  }
  const ModularPoint point = random_point(7);
  const auto wanted = test::response_modulo(graph, question, point);
  // Of the whole graph: what reaches the output without being reached may have no value either.
  require(!singular || !ModularElimination(graph, point).response(question), "the diagram finds no answer, the elimination does");
  attempt([&] {
    const MasonListing listing = mason(graph, question, {.budget = small_budget});
    require(!singular, "the diagram finds no answer, the listing does");
    const auto [above, below] = gain_by_paths(listing);
    const auto divisor = point(below);
    if (wanted && divisor)
      same_modulo(above, point, ring::ModularRing(point.prime()).multiply(*wanted, *divisor), "Mason's rule");
  });
  if (!found) return;
  same_modulo(found->value.expression(), point, wanted, "the diagram");
  for (const auto method : {SequenceOptions::Choice::diagram, SequenceOptions::Choice::elimination})
    attempt([&] {
      const TransferSequence sequence = transfer_sequence(graph, question, {.method = method, .budget = small_budget});
      const auto value = value_modulo(sequence, point);
      require(!value || !wanted || *value == *wanted, "the sequence and the elimination disagree");
    });
}

/// The compiled program and the exact fraction with the stated numbers.
void against_program(const SignalFlowGraph& graph, const Question& question) {
  const std::complex<double> at(0.3, 1.7);
  const CompiledResponse program(graph, {&question, 1}, {.budget = small_budget});
  const CompiledValues values = program.values({&at, 1}, {}, {.threads = 1});
  const auto exact = exact_transfers(graph, {&question, 1}, {.budget = small_budget});
  const std::complex<double> wanted = value_at(exact.front(), at), found = values.value.front();
  if (!std::isfinite(std::abs(wanted)) || !std::isfinite(std::abs(found))) return;
  require(std::abs(found - wanted) <= 1e-6 * std::max(1.0, std::abs(wanted)), "the program and the fraction disagree");
}

}  // namespace

int try_structure(std::string_view bytes) {
  const DrawnGraph drawn(bytes, DrawnGraph::Letters::free);
  if (!drawn.question) return 0;
  attempt([&] { against_elimination(drawn.graph, *drawn.question); });
  attempt([&] { reduce(drawn.graph, {}, {.rewrite = {.budget = small_budget}}); });
  const DrawnGraph stated(bytes, DrawnGraph::Letters::with_values);
  attempt([&] { against_program(stated.graph, *stated.question); });
  attempt([&] {
    const PolesZeros found = poles(stated.graph, *stated.question, {.digits = 8, .budget = small_budget});
    for (const Mode& mode : found.modes)
      require(std::isfinite(mode.damping) || mode.frequency == 0 || std::isinf(mode.frequency), "a damping is a number");
  });
  return 0;
}

}  // namespace sfg::fuzz
