#include "sfg/transfer/pade_graph.hpp"

#include <ginac/ginac.h>

namespace sfg {

namespace {

/// P(−x)/P(x) for e^(−x), P(x) = Σ c_k x^k, c_0 = 1, c_(k+1) = c_k (n − k)/((2n − k)(k + 1)).
GiNaC::ex approximant(const GiNaC::ex& x, std::size_t order) {
  const auto n = static_cast<long>(order);
  GiNaC::ex above = 0, below = 0;
  GiNaC::numeric c = 1;
  for (long k = 0; k <= n; ++k) {
    above += c * GiNaC::pow(-x, static_cast<int>(k));
    below += c * GiNaC::pow(x, static_cast<int>(k));
    c = c * GiNaC::numeric(n - k) / GiNaC::numeric((2 * n - k) * (k + 1));
  }
  return above / below;
}

/// Adds what stands for every dead time of the expression.
void add_approximants(const GiNaC::ex& gain, const GiNaC::ex& s, std::size_t order, GiNaC::exmap& replaced) {
  for (auto part = gain.preorder_begin(); part != gain.preorder_end(); ++part) {
    if (!GiNaC::is_the_function<GiNaC::exp_SERIAL>(*part) || !part->has(s)) continue;
    const GiNaC::ex exponent = part->op(0).expand();
    if (!exponent.is_polynomial(s) || exponent.degree(s) != 1) continue;
    replaced[*part] = approximant(-exponent.coeff(s, 1) * s, order) * GiNaC::exp(exponent.coeff(s, 0));
  }
}

}  // namespace

SignalFlowGraph pade(const SignalFlowGraph& graph, std::size_t order) {
  GiNaC::exmap replaced;
  const GiNaC::ex s = graph.op.in(graph.symbols);
  for (const BranchId id : graph.branch_ids())
    if (const Branch& branch = graph[id]; branch.linear()) add_approximants(branch.gain(), s, order, replaced);
  return graph.substituted(replaced);
}

}  // namespace sfg
