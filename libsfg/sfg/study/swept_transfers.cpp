// The transfer functions as rational functions of the operator and of what is swept, evaluated set by set.
//
// A value may be one where the symbolic way says something else than the equations: R → x of gain 1 with a self-loop 1 − k and
// x → y of gain k give 1 for every k but 0, where there is no unique solution. So every set is asked whether all gains have
// values and the determinant does not vanish; then, by Cramer's rule, the symbolic answer is that of the set.
#include "sfg/error.hpp"
#include "sfg/expr/derived_parameters.hpp"
#include "sfg/expr/exact_value.hpp"
#include "sfg/study/sweep.hpp"
#include "sfg/transfer/singular.hpp"

namespace sfg {

namespace {

constexpr std::uint64_t most_terms = 20'000;  // beyond, numbers first are the quicker way

}  // namespace

SweptTransfers::SweptTransfers(const SignalFlowGraph& graph, std::span<const Question> questions, const Sweep& sweep,
                               const TransferOptions& options)
    : graph_(graph), questions_(questions.begin(), questions.end()), options_(options) {
  std::vector<GiNaC::ex> kept;
  for (const auto& [symbol, value] : values_in(graph, sweep[0])) kept.push_back(symbol);
  if (kept.empty() || sweep.size() == 1) return;
  GiNaC::exmap values = values_keeping(graph.symbols, kept);
  values.erase(graph.op.in(graph.symbols));
  numbered_ = graph.substituted(values);
  try {
    TransferOptions limited = options;
    limited.budget = options.budget.with_terms(most_terms);
    transfers_ = transfer_functions(numbered_, questions_, limited);
  } catch (const LimitReached&) {
    options.budget.check("the transfer functions");
  } catch (const NoAnswer&) {  // the sets say why
  }
}

std::vector<ExactTransfer> SweptTransfers::anew(const SweepSet& set) const {
  return exact_transfers(sfg::at(graph_, set), questions_, options_);
}

std::vector<ExactTransfer> SweptTransfers::at(const SweepSet& set) const {
  options_.budget.check("the sweep");
  if (transfers_.empty()) return anew(set);
  std::vector<ExactTransfer> result;
  try {
    require_answers(sfg::at(numbered_, set), questions_, options_.budget);
    SignalFlowGraph there = numbered_;
    for (const SweepSet::Value& entry : set.values) there.symbols.find(entry.name)->value = numeric_value(entry.value);
    for (const TransferFunction& transfer : transfers_) {
      result.push_back(exact_transfer(transfer, there));
      if (result.back().cancelled.is_zero() || result.back().numerator.parts.empty()) return anew(set);
    }
  } catch (const Failure&) {
    return anew(set);
  }
  return result;
}

}  // namespace sfg
