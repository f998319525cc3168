#include "sfg/study/local/exact_sensitivity.hpp"

#include <ginac/ginac.h>

#include "sfg/expr/derived_parameters.hpp"

namespace sfg {

std::vector<ExactTransfer> exact_sensitivities(const StudiedGraph& studied, std::span<const Question> questions,
                                               const StudyParameter& parameter, const TransferOptions& options) {
  const SignalFlowGraph& graph = studied.graph;
  const GiNaC::ex s = graph.op.in(graph.symbols);
  const SignalFlowGraph mostly_numbers =
      graph.substituted(values_keeping(graph.symbols, std::vector<GiNaC::ex>{parameter.symbol, s}));
  const StudiedGraph alone{mostly_numbers, {parameter}};
  std::vector<ExactTransfer> result;
  for (const TransferFunction& T : transfer_functions(mostly_numbers, questions, options)) {
    options.budget.check("the sensitivities");
    const RationalFunction slope = derivative(T, alone, parameter);
    const ring::Polynomial one = ring::Polynomial::constant(slope.space().context(), 1);
    result.push_back(exact_transfer(TransferFunction{T.question, slope, one, {}, {}}, mostly_numbers));
  }
  return result;
}

ExactTransfer exact_sensitivity(const StudiedGraph& studied, const Question& question, const StudyParameter& parameter,
                                const TransferOptions& options) {
  return exact_sensitivities(studied, std::span(&question, 1), parameter, options).front();
}

}  // namespace sfg
