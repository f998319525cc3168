#include "sfg/graph/draft.hpp"

#include <ginac/ginac.h>

#include <algorithm>

#include "sfg/budget.hpp"
#include "sfg/expr/rational.hpp"

namespace sfg {

namespace {

// A Mersenne prime and the largest prime below 2^61 − 1 that the modular routines take.
constexpr std::uint64_t first_prime = 2305843009213693951ULL;
constexpr std::uint64_t second_prime = 2305843009213693921ULL;
constexpr std::uint64_t unlucky_points = 8;     // points at which a denominator may vanish before we look closely
constexpr std::size_t largest_tidied = 20'000;  // operations of an expression that a normal form is tried for

/// Operands in the expression as a tree, counted up to `most`.
std::size_t tree_size(const GiNaC::ex& e, std::size_t most) {
  std::size_t count = 1;
  for (std::size_t i = 0; i < e.nops() && count < most; ++i) count += tree_size(e.op(i), most - count);
  return count;
}

bool appears_stated(const std::vector<NodeId>& wanted, const std::vector<NodeId>& inferred) {
  auto sorted = [](std::vector<NodeId> ids) {
    std::sort(ids.begin(), ids.end());
    return ids;
  };
  return sorted(wanted) != sorted(inferred);
}

}  // namespace

bool is_zero_function(const GiNaC::ex& e) {
  if (e.is_zero()) return true;
  if (GiNaC::is_a<GiNaC::numeric>(e) || GiNaC::is_a<GiNaC::symbol>(e)) return false;
  std::size_t zeros = 0;
  for (std::uint64_t seed = 1; seed <= unlucky_points; ++seed) {
    const auto value = ModularPoint(seed % 2 ? first_prime : second_prime, seed)(e);
    if (value && *value != 0) return vanishes(e);  // sin² + cos² − 1 has values at points that know functions as letters
    if (value && ++zeros == 3) return true;
  }
  return vanishes(e);
}

GiNaC::ex tidy(const GiNaC::ex& e, const GiNaC::ex& main, std::uint64_t terms) {
  const std::size_t size = tree_size(e, largest_tidied);
  if (size <= 2 || size >= largest_tidied) return e;
  try {
    Budget::Limits limits;
    limits.terms = terms;
    const std::vector<GiNaC::ex> whole{e};
    const RationalFunction fraction = PolynomialSpace(whole, main).rational(e, Budget(limits)).reduced();
    if (fraction.numerator().term_count() + fraction.denominator().term_count() > terms) return e;
    const GiNaC::ex normal = fraction.expression();
    return tree_size(normal, size) < size ? normal : e;
  } catch (const LimitReached&) {
    return e;
  }
}

std::string free_name(const SignalFlowGraph& graph, std::string_view name) {
  std::string candidate(name);
  for (int i = 2; graph.find(candidate); ++i) candidate = std::string(name) + std::to_string(i);
  return candidate;
}

Draft::Draft(const SignalFlowGraph& graph, const RewriteOptions& options)
    : inputs(graph.stated_inputs()),
      outputs(graph.stated_outputs()),
      original_(graph),
      options_(options),
      operator_(graph.op.in(graph.symbols)) {
  for (const Node& node : graph.nodes()) nodes_.push_back({node});
  for (const Branch& branch : graph.branches()) branches_.push_back({branch});
}

std::vector<BranchId> Draft::branches() const {
  std::vector<BranchId> ids;
  for (std::uint32_t i = 0; i < branches_.size(); ++i)
    if (!branches_[i].gone) ids.push_back({i});
  return ids;
}

std::vector<BranchId> Draft::entering(NodeId node) const {
  std::vector<BranchId> ids = branches();
  std::erase_if(ids, [&](BranchId id) { return branch(id).to != node; });
  return ids;
}

std::vector<BranchId> Draft::leaving(NodeId node) const {
  std::vector<BranchId> ids = branches();
  std::erase_if(ids, [&](BranchId id) { return branch(id).from != node; });
  return ids;
}

NodeId Draft::add_node(Node node) {
  nodes_.push_back({std::move(node)});
  return {static_cast<std::uint32_t>(nodes_.size() - 1)};
}

void Draft::remove(NodeId node) {
  nodes_[node.index].gone = true;
  for (BranchEntry& entry : branches_)
    if (entry.branch.from == node || entry.branch.to == node) entry.gone = true;
  std::erase(inputs, node);
  std::erase(outputs, node);
}

void Draft::move(BranchId id, NodeId from, NodeId to) {
  branches_[id.index].branch.from = from;
  branches_[id.index].branch.to = to;
}

void Draft::set_gain(BranchId id, const GiNaC::ex& gain) {
  if (is_zero_function(gain)) return remove(id);
  Branch& changed = branches_[id.index].branch;
  changed.law = tidy(gain, operator_, options_.terms);
  std::erase_if(changed.attributes, [](const auto& attribute) { return attribute.first == "label"; });  // it showed the old gain
}

void Draft::set_law(BranchId id, const GiNaC::ex& law) { std::get<Nonlinearity>(branches_[id.index].branch.law).law = law; }

void Draft::add_gain(NodeId from, NodeId to, const GiNaC::ex& gain, const SourceSpan& where) {
  for (std::uint32_t i = 0; i < branches_.size(); ++i) {
    const Branch& known = branches_[i].branch;
    if (!branches_[i].gone && known.from == from && known.to == to && known.linear()) return set_gain({i}, known.gain() + gain);
  }
  add_branch(from, to, gain, where);
}

void Draft::add_branch(NodeId from, NodeId to, const GiNaC::ex& gain, const SourceSpan& where) {
  if (is_zero_function(gain)) return;
  branches_.push_back({Branch{from, to, tidy(gain, operator_, options_.terms), where, {}}});
}

SignalFlowGraph Draft::graph(bool keep_ports) const {
  SignalFlowGraph result;
  result.title = original_.title;
  result.op = original_.op;
  result.attributes = original_.attributes;
  result.symbols = original_.symbols;
  result.where = original_.where;
  std::vector<NodeId> place(nodes_.size());
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    if (!nodes_[i].gone) place[i] = result.add_node(nodes_[i].node);
  for (const BranchEntry& entry : branches_) {
    if (entry.gone) continue;
    Branch moved = entry.branch;
    moved.from = place[moved.from.index];
    moved.to = place[moved.to.index];
    if (auto* nonlinear = std::get_if<Nonlinearity>(&moved.law))
      for (Nonlinearity::Argument& argument : nonlinear->arguments) argument.node = place[argument.node.index];
    result.add_branch(std::move(moved));
  }
  auto placed = [&](const std::vector<NodeId>& ids) {
    std::vector<NodeId> moved;
    for (NodeId id : ids) moved.push_back(place[id.index]);
    return moved;
  };
  if (!original_.inputs.empty() || (keep_ports && appears_stated(placed(inputs), result.stated_inputs())))
    result.inputs = placed(inputs);
  if (!original_.outputs.empty() || (keep_ports && appears_stated(placed(outputs), result.stated_outputs())))
    result.outputs = placed(outputs);
  return result;
}

}  // namespace sfg
