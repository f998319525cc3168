#include "sfg/write/derivation.hpp"

#include <ginac/ginac.h>

#include <ostream>

#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/write/derivation_parts.hpp"
#include "sfg/write/json_numbers.hpp"
#include "sfg/write/page/page_parts.hpp"

namespace sfg {

namespace {

using Json = nlohmann::ordered_json;
using Relation = PolarGraph::Relation;

const char* relation_name(Relation relation) {
  switch (relation) {
    case Relation::linear: return "linear";
    case Relation::law: return "law";
    case Relation::through_source: return "through source";
    case Relation::across_source: return "across source";
    case Relation::port: return "port";
  }
  return "";
}

std::vector<std::string> edge_names(const PolarGraph& graph, const std::vector<std::size_t>& edges) {
  std::vector<std::string> found;
  for (const std::size_t i : edges) found.push_back(graph.edges[i].name);
  return found;
}

Table edge_table(const PolarDerivation& derivation) {
  Table table;
  for (const char* head : {"element", "type", "from", "to", "part", "across", "through"}) table.columns.push_back({words(head)});
  for (std::size_t i = 0; i < derivation.graph.edges.size(); ++i) {
    const PolarGraph::Edge& edge = derivation.graph.edges[i];
    table.rows.push_back({words(edge.name),
                          words(edge.type),
                          words(edge.from),
                          words(edge.to),
                          words(edge.tree ? "tree" : "chord"),
                          {Math::signal(derivation.across[i])},
                          {Math::signal(derivation.through[i])}});
  }
  table.depth = 1;
  return table;
}

/// A row of the incidence with its zeros.
std::vector<int> incidence_row(const PolarGraph& graph, std::size_t row) {
  std::vector<int> found(graph.chords.size(), 0);
  for (const auto& [column, sign] : graph.incidence[row]) found[column] = sign;
  return found;
}

/// Rows: the tree; columns: the chords.
Table incidence_table(const PolarGraph& graph) {
  Table table;
  table.columns.push_back({words("B")});
  for (const std::string& chord : edge_names(graph, graph.chords)) table.columns.push_back({words(chord), true});
  for (std::size_t row = 0; row < graph.tree.size(); ++row) {
    std::vector<Prose> cells{words(graph.edges[graph.tree[row]].name)};
    for (const int sign : incidence_row(graph, row)) cells.push_back(words(std::to_string(sign)));
    table.rows.push_back(std::move(cells));
  }
  table.depth = 1;
  return table;
}

/// gain · signal, the signal in the numerator.
Math product(const GiNaC::ex& gain, const Math& signal, const GiNaC::ex& p, const std::string& name) {
  const auto [above, below] = fraction(gain, p);
  Math factor = math(above, name);
  const bool negative = factor.is_negative();
  if (negative) factor = Math(factor.parts.front());
  const bool is_one = above.is_equal(1) || above.is_equal(-1);
  Math value = is_one ? signal : Math::product({std::move(factor), signal});
  if (!below.is_equal(1)) value = Math::quotient(std::move(value), math(below, name));
  return negative ? Math::negative(std::move(value)) : value;
}

/// to = gain · from, one element a line.
Equations skeleton(const PolarDerivation& derivation) {
  const Operator& op = derivation.equations.op;
  const GiNaC::ex p = op.in(derivation.equations.symbols);
  Equations list{{}, op.symbol(), 1, true};
  for (const PolarDerivation::Branch& branch : derivation.skeleton) {
    const Math from = Math::signal(branch.from);
    if (branch.law)
      list.rows.push_back({Math::signal(branch.to), {math(branch.gain)}, {"u = ", from}});
    else
      list.rows.push_back({Math::signal(branch.to), {product(branch.gain, from, p, op.symbol())}});
  }
  return list;
}

/// The laws of circuits and vertices: every signal as a sum of others.
Equations closing(const PolarDerivation& derivation) {
  std::vector<std::string> heads;
  std::map<std::string, std::vector<Math>> sums;
  for (const PolarDerivation::Branch& branch : derivation.closing) {
    if (!sums.contains(branch.to)) heads.push_back(branch.to);
    const Math from = Math::signal(branch.from);
    sums[branch.to].push_back(branch.gain.is_equal(1) ? from : Math::negative(from));
  }
  Equations list{{}, {}, 1, true};
  for (const std::string& head : heads) {
    const std::vector<Math>& terms = sums.at(head);
    list.rows.push_back({Math::signal(head), {terms.size() == 1 ? terms.front() : Math::sum(terms)}});
  }
  return list;
}

void add_closed_form(Page& page, const PolarDerivation& derivation) {
  if (!derivation.closed_form || derivation.closed_form->unknowns.empty()) return;
  add_heading(page, "Dynamic stiffness, D x = G u");
  add_polynomials(page, *derivation.closed_form);
  if (const auto matrices = operator_matrices(*derivation.closed_form)) add_second_order(page, *matrices);
}

Json branch_list(const std::vector<PolarDerivation::Branch>& list) {
  Json result = Json::array();
  for (const PolarDerivation::Branch& branch : list)
    result.push_back({{"from", branch.from}, {"to", branch.to}, {branch.law ? "law" : "gain", print(branch.gain)}});
  return result;
}

}  // namespace

Page page(const PolarDerivation& derivation) {
  const PolarGraph& graph = derivation.graph;
  Page page{graph.title, {}};
  page.add(summary({{words("operator"), {Math::name(derivation.equations.op.symbol()), " = d/dt"}},
                    {words("vertices"), listed(graph.vertices)},
                    {words(graph.star() ? "Lagrange tree, a star" : "Lagrange tree"), listed(edge_names(graph, graph.tree))},
                    {words("chords"), listed(edge_names(graph, graph.chords))}}));
  add_heading(page, "Polar graph");
  page.add(edge_table(derivation));
  if (!graph.chords.empty()) {
    add_heading(page, "Incidence of tree and chords");
    page.add(incidence_table(graph));
  }
  add_heading(page, "Skeleton: each element alone");
  page.add(skeleton(derivation));
  add_heading(page, "Closing branches: the laws of circuits and vertices");
  page.add(closing(derivation));
  add_closed_form(page, derivation);
  add_laws(page, derivation.equations);
  add_notes(page, derivation.notes);
  return page;
}

void write_json(std::ostream& out, const PolarDerivation& derivation, const Assignment& assignment) {
  Json result = equations_json(derivation.shortest(), assignment);
  const PolarGraph& graph = derivation.graph;
  result["vertices"] = graph.vertices;
  result["edges"] = Json::array();
  for (std::size_t i = 0; i < graph.edges.size(); ++i) {
    const PolarGraph::Edge& edge = graph.edges[i];
    result["edges"].push_back({{"name", edge.name},
                               {"type", edge.type},
                               {"nodes", {edge.from, edge.to}},
                               {"relation", relation_name(edge.relation)},
                               {"tree", edge.tree},
                               {"across", derivation.across[i]},
                               {"through", derivation.through[i]}});
  }
  result["tree"] = edge_names(graph, graph.tree);
  result["chords"] = edge_names(graph, graph.chords);
  result["incidence"] = Json::array();
  for (std::size_t row = 0; row < graph.tree.size(); ++row) result["incidence"].push_back(incidence_row(graph, row));
  result["skeleton"] = branch_list(derivation.skeleton);
  result["closing"] = branch_list(derivation.closing);
  result["warnings"] = json::texts(derivation.notes, true);
  result["notes"] = json::texts(derivation.notes, false);
  out << result.dump(2) << '\n';
}

}  // namespace sfg
