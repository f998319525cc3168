#include "sfg/graph/hidden_modes.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <vector>

#include "sfg/expr/parse.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"

namespace sfg {

namespace {

bool is_hidden(const Attributes::value_type& attribute) { return attribute.first == "hidden_modes"; }

}  // namespace

GiNaC::ex hidden_modes(const Branch& branch, const SymbolTable& known) {
  const auto stated = std::ranges::find_if(branch.attributes, is_hidden);
  if (stated == branch.attributes.end()) return 1;
  SymbolTable symbols = known;
  return parse(stated->second, symbols, branch.where);
}

void keep_hidden_modes(Branch& branch, const GiNaC::ex& factor) {
  std::erase_if(branch.attributes, is_hidden);
  if (!factor.is_equal(1)) branch.attributes.emplace_back("hidden_modes", print(factor));
}

GainModes::GainModes(const SignalFlowGraph& graph, std::uint64_t terms)
    : graph_(graph), operator_(graph.op.in(graph.symbols)), terms_(terms) {}

std::optional<GainModes::Fraction> GainModes::fraction(const GiNaC::ex& e) const {
  if (!e.has(operator_)) return Fraction{e, 1};
  try {
    Budget::Limits limits;
    limits.terms = terms_;
    const std::vector<GiNaC::ex> whole{e};
    const PolynomialSpace space(whole, operator_);
    const RationalFunction reduced = space.rational(e, Budget(limits)).reduced();
    return Fraction{space.expression(reduced.numerator()), space.expression(reduced.denominator())};
  } catch (const LimitReached&) {
    return std::nullopt;
  }
}

GiNaC::ex GainModes::of(const Branch& branch) const {
  const auto gain = fraction(branch.gain());
  return (gain ? gain->second : GiNaC::ex(1)) * hidden_modes(branch, graph_.symbols);
}

GiNaC::ex GainModes::between(NodeId from, NodeId to) const {
  GiNaC::ex common = 1;
  for (const BranchId id : graph_.leaving(from))
    if (graph_[id].to == to && graph_[id].linear()) common = common_multiple(common, of(graph_[id]));
  return common;
}

GiNaC::ex GainModes::in_place_of(NodeId from, NodeId to, const GiNaC::ex& cleared) const {
  const GiNaC::ex product = cleared * between(from, to);
  if (!cleared.has(operator_)) return product;
  GiNaC::ex others = 1;
  for (const BranchId id : graph_.entering(to))
    if (graph_[id].from != from && graph_[id].linear()) others = common_multiple(others, of(graph_[id]));
  return product * cleared * others / common_multiple(cleared, others);
}

GiNaC::ex GainModes::common_multiple(const GiNaC::ex& a, const GiNaC::ex& b) const {
  const auto quotient = fraction(b / a);
  return quotient ? a * quotient->first : a;
}

void GainModes::keep_lost(Branch& branch, const GiNaC::ex& cleared) const {
  const auto gain = fraction(branch.gain());
  const auto lost = gain ? fraction(cleared / gain->second) : std::nullopt;
  if (lost) keep_hidden_modes(branch, lost->first.has(operator_) ? lost->first : GiNaC::ex(1));
}

}  // namespace sfg
