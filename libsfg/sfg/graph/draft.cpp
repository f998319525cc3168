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

/// Operands in the expression as a tree, counted up to `most`; every term and factor with a sign of its own: which of the sums
/// of a product carries the sign differs from run to run.
std::size_t tree_size(const GiNaC::ex& e, std::size_t most) {
  std::size_t count = 1;
  const bool product = GiNaC::is_exactly_a<GiNaC::mul>(e);
  for (std::size_t i = 0; i < e.nops() && count < most; ++i)
    if (!product || !e.op(i).is_equal(-1)) count += tree_size(e.op(i), most - count);
  return product && e.nops() == 2 && e.op(1).is_equal(-1) ? count - 1 : count;
}

/// The sums in products with the sign that GiNaC gives them under a power, which differs from run to run: b − a and a − b cancel
/// in a quotient on every run then, or on none.
struct SumsOfOneSign : GiNaC::map_function {
  GiNaC::ex operator()(const GiNaC::ex& e) override {
    const GiNaC::ex inside = e.map(*this);
    if (!GiNaC::is_exactly_a<GiNaC::mul>(inside)) return inside;
    GiNaC::exvector factors;
    for (std::size_t i = 0; i < inside.nops(); ++i) {
      const GiNaC::ex factor = inside.op(i);
      const bool turned = is_turned(factor);
      factors.push_back(turned ? -factor : factor);
      if (turned) factors.push_back(-1);
    }
    return GiNaC::mul(factors);
  }

  static bool is_turned(const GiNaC::ex& e) {
    if (!GiNaC::is_exactly_a<GiNaC::add>(e)) return false;
    const GiNaC::ex inverse = GiNaC::power(e, -1);
    if (!GiNaC::is_exactly_a<GiNaC::mul>(inverse)) return false;
    const GiNaC::ex number = inverse.op(inverse.nops() - 1);
    return GiNaC::is_exactly_a<GiNaC::numeric>(number) && GiNaC::ex_to<GiNaC::numeric>(number).is_negative();
  }
};

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

GiNaC::ex tidy(const GiNaC::ex& given, const GiNaC::ex& main, std::uint64_t terms) {
  if (tree_size(given, largest_tidied) >= largest_tidied) return given;
  const GiNaC::ex e = SumsOfOneSign()(given);
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
      operator_(graph.op.in(graph.symbols)),
      modes_(graph, options.terms) {
  for (const Node& node : graph.nodes()) nodes_.push_back({node});
  for (const Branch& branch : graph.branches()) branches_.push_back({branch});
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
  Branch& changed = branches_[id.index].branch;
  const bool none = is_zero_function(gain);
  if (none && hidden_modes(changed, original_.symbols).is_equal(1)) return remove(id);
  changed.law = none ? GiNaC::ex(0) : tidy(gain, operator_, options_.terms);
  std::erase_if(changed.attributes, [](const auto& attribute) { return attribute.first == "label"; });  // it showed the old gain
}

void Draft::set_gain(BranchId id, const GiNaC::ex& gain, const GiNaC::ex& cleared) {
  Branch& changed = branches_[id.index].branch;
  changed.law = is_zero_function(gain) ? GiNaC::ex(0) : tidy(gain, operator_, options_.terms);
  modes_.keep_lost(changed, cleared);
  set_gain(id, changed.gain());
}

void Draft::set_law(BranchId id, const GiNaC::ex& law) { std::get<Nonlinearity>(branches_[id.index].branch.law).law = law; }

void Draft::add_gain(NodeId from, NodeId to, const GiNaC::ex& gain, const GiNaC::ex& cleared, const SourceSpan& where) {
  for (std::uint32_t i = 0; i < branches_.size(); ++i) {
    const Branch& known = branches_[i].branch;
    if (!branches_[i].gone && known.from == from && known.to == to && known.linear())
      return set_gain({i}, known.gain() + gain, modes_.common_multiple(modes_.of(known), cleared));
  }
  branches_.push_back({Branch{from, to, GiNaC::ex(0), where, {}}});
  set_gain({static_cast<std::uint32_t>(branches_.size() - 1)}, gain, cleared);
}

void Draft::add_branch(NodeId from, NodeId to, const GiNaC::ex& gain, const SourceSpan& where) {
  if (is_zero_function(gain)) return;
  branches_.push_back({Branch{from, to, tidy(gain, operator_, options_.terms), where, {}}});
}

SignalFlowGraph Draft::graph(bool keep_ports) const {
  SignalFlowGraph result = SignalFlowGraph::like(original_);
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
