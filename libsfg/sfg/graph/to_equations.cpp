#include "sfg/graph/from_equations.hpp"

#include <algorithm>
#include <optional>

#include "sfg/graph/polynomial_rows.hpp"

namespace sfg {

namespace {

using ring::Polynomial;
using Row = PolynomialRows::Row;

/// The row of one node while others are put into it.
struct Equation {
  std::size_t node;
  Row left;   ///< by node
  Row right;  ///< by source
};

void add_product(Row& row, const Polynomial& factor, const Row& other, std::optional<std::size_t> but = {}) {
  for (const auto& [column, value] : other) {
    if (column == but) continue;
    const auto [entry, is_new] = row.emplace(column, factor * value);
    if (!is_new) entry->second += factor * value;
    if (entry->second.is_zero()) row.erase(entry);
  }
}

std::size_t degree(const Row& row) {
  std::size_t highest = 0;
  for (const auto& [column, value] : row) highest = std::max(highest, value.degree(0));
  return highest;
}

/// The other row with that node put in: own coefficient of the node in `solved` is a number.
Equation with_node_put_in(Equation other, const Equation& solved) {
  const auto entry = other.left.find(solved.node);
  if (entry == other.left.end()) return other;
  const Polynomial own = solved.left.at(solved.node);
  const Polynomial factor = -entry->second;  // other · own − entry · solved
  other.left.erase(entry);
  for (Row* row : {&other.left, &other.right})
    for (auto& [column, value] : *row) value *= own;
  add_product(other.left, factor, solved.left, solved.node);
  add_product(other.right, factor, solved.right);
  return other;
}

/// Puts adding nodes into the others, one after the other, as long as powers stay low.
class Clearing {
 public:
  Clearing(std::vector<Equation> equations, std::size_t highest) : equations_(std::move(equations)), highest_(highest) {}

  std::vector<Equation> cleared(const std::vector<NodeId>& kept) {
    for (bool again = true; again;) {
      again = false;
      for (std::size_t i = 0; i < equations_.size();) {
        const NodeId node{static_cast<std::uint32_t>(equations_[i].node)};
        const bool done = std::ranges::find(kept, node) == kept.end() && put_in(i);
        again = again || done;
        if (!done) ++i;
      }
    }
    return std::move(equations_);
  }

 private:
  bool put_in(std::size_t i) {
    const Equation& solved = equations_[i];
    const auto own = solved.left.find(solved.node);
    if (own == solved.left.end() || !own->second.is_constant()) return false;
    std::vector<std::pair<std::size_t, Equation>> changed;
    for (std::size_t k = 0; k < equations_.size(); ++k) {
      if (k == i || !equations_[k].left.contains(solved.node)) continue;
      changed.emplace_back(k, with_node_put_in(equations_[k], solved));
      const std::size_t before = std::max(highest_, std::max(degree(equations_[k].left), degree(equations_[k].right)));
      const Equation& now = changed.back().second;
      if (degree(now.left) > before || degree(now.right) > before) return false;
    }
    for (auto& [k, equation] : changed) equations_[k] = std::move(equation);
    equations_.erase(equations_.begin() + static_cast<std::ptrdiff_t>(i));
    return true;
  }

  std::vector<Equation> equations_;
  std::size_t highest_;
};

}  // namespace

EquationSystem to_equations(const SignalFlowGraph& graph, std::size_t degree) {
  const PolynomialRows rows = polynomial_rows(graph);
  EquationSystem system;
  system.title = graph.title;
  system.op = graph.op;
  system.symbols = graph.symbols;
  std::map<std::size_t, std::size_t> source_of;  // node → source
  const auto sources = graph.sources();
  const auto inputs = graph.stated_inputs();
  const auto outputs = graph.stated_outputs();
  for (NodeId id : graph.node_ids()) {
    const bool source = std::ranges::find(sources, id) != sources.end();
    if (!source && std::ranges::find(inputs, id) == inputs.end()) continue;
    source_of[id.index] = system.sources.size();
    std::string name = graph[id].name;
    while (!source && graph.find(name)) name += "_in";
    system.sources.push_back({name, SourceKind::input, graph[id].where});
  }
  for (NodeId id : inputs) system.inputs.push_back(system.sources[source_of.at(id.index)].name);
  for (NodeId id : outputs) system.outputs.push_back(graph[id].name);

  std::vector<Equation> equations;
  for (NodeId id : graph.node_ids()) {
    if (std::ranges::find(sources, id) != sources.end()) continue;
    Equation equation{id.index, {}, {}};
    for (const auto& [node, value] : rows.left[id.index])
      if (std::ranges::find(sources, NodeId{static_cast<std::uint32_t>(node)}) != sources.end())
        equation.right.emplace(source_of.at(node), -value);
      else
        equation.left.emplace(node, value);
    if (const auto source = source_of.find(id.index); source != source_of.end())
      equation.right.emplace(source->second, rows.right[id.index]);
    equations.push_back(std::move(equation));
  }
  equations = Clearing(std::move(equations), degree).cleared(outputs);

  std::map<std::size_t, std::size_t> unknown_of;
  for (const Equation& equation : equations) {
    unknown_of[equation.node] = system.unknowns.size();
    system.unknowns.push_back({graph.nodes()[equation.node].name, graph.nodes()[equation.node].where});
  }
  for (const Equation& equation : equations) {
    EquationSystem::Equation row{graph.nodes()[equation.node].name, {}, {}, graph.nodes()[equation.node].where};
    for (const auto& [node, value] : equation.left) row.left[unknown_of.at(node)] = rows.space.expression(value);
    for (const auto& [source, value] : equation.right) row.right[source] = rows.space.expression(value);
    system.equations.push_back(std::move(row));
  }
  return system;
}

}  // namespace sfg
