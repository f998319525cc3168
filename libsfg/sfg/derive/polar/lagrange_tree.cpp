#include "sfg/derive/polar/polar_derivation.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <span>

#include "sfg/expr/derivative.hpp"
#include "sfg/expr/rational.hpp"

namespace sfg {

namespace {

using Edge = PolarGraph::Edge;
using Relation = PolarGraph::Relation;
using Role = ElementKind::Role;

/// Vertices that are joined, as a forest with shortened paths.
class Joins {
 public:
  explicit Joins(std::size_t n) : up_(n) { std::iota(up_.begin(), up_.end(), std::size_t{0}); }
  std::size_t root(std::size_t i) {
    while (up_[i] != i) i = up_[i] = up_[up_[i]];
    return i;
  }
  bool join(std::size_t a, std::size_t b) {
    a = root(a);
    b = root(b);
    up_[a] = b;
    return a != b;
  }

 private:
  std::vector<std::size_t> up_;
};

/// Which ports of the two-ports are in the tree, and what tree that gives.
struct Choice {
  std::vector<bool> in_tree;  ///< by edge
  std::size_t faults = 0;     ///< ports that close a circuit, and vertices that are not reached
  long worth = 0;             ///< Σ of degrees of the tree's stiffnesses
};

class TreeSearch {
 public:
  TreeSearch(const PolarNetwork& network, const Budget& budget)
      : network_(network), budget_(budget), domains_(network.domains()) {
    graph_.title = network.title;
    graph_.vertices = network.nodes();
    graph_.vertices.insert(graph_.vertices.begin(), std::string(reference_node));
    for (std::size_t i = 0; i < graph_.vertices.size(); ++i) number_[graph_.vertices[i]] = i;
    add_edges();
    for (const Edge& edge : graph_.edges) ends_.emplace_back(number_.at(edge.from), number_.at(edge.to));
    rank();
  }

  PolarGraph operator()() {
    check_motions();
    if (pairs_.empty()) check_vertices();
    const Choice chosen = best();
    if (chosen.faults != 0) refuse_coupling();
    for (std::size_t i = 0; i < graph_.edges.size(); ++i) {
      graph_.edges[i].tree = chosen.in_tree[i];
      (chosen.in_tree[i] ? graph_.tree : graph_.chords).push_back(i);
    }
    check_shorts();
    set_incidence();
    return std::move(graph_);
  }

 private:
  void add_edges() {
    std::map<std::string, std::size_t> masses;  // by vertex
    for (std::size_t i = 0; i < network_.elements.size(); ++i) {
      const PolarNetwork::Element& element = network_.elements[i];
      if (element.kind.role == Role::inertia) {
        const std::string& node = element.nodes[element.nodes[0] == reference_node ? 1 : 0];
        if (const auto known = masses.find(node); known != masses.end()) {
          graph_.edges[known->second].elements.push_back(i);
          graph_.edges[known->second].name += "+" + element.name;
          continue;
        }
        masses.emplace(node, graph_.edges.size());
        add(i, 0, element.name, node, std::string(reference_node));
      } else if (element.kind.two_port()) {
        pairs_.emplace_back(graph_.edges.size(), element.kind.role == Role::transformer);
        for (std::size_t port = 0; port < 2; ++port)
          add(i, port, port_name(element.name, port), element.nodes[2 * port], element.nodes[2 * port + 1]);
      } else {
        add(i, 0, element.name, element.nodes[0], element.nodes[1]);
      }
    }
  }

  void add(std::size_t number, std::size_t port, const std::string& name, const std::string& from, const std::string& to) {
    const PolarNetwork::Element& element = network_.elements[number];
    const Role role = element.kind.role;
    const Relation relation = element.law                    ? Relation::law
                              : role == Role::through_source ? Relation::through_source
                              : role == Role::across_source  ? Relation::across_source
                              : element.kind.two_port()      ? Relation::port
                                                             : Relation::linear;
    graph_.edges.push_back({name, {number}, port, std::string(element.kind.name), from, to, relation, false, element.where});
  }

  /// The linear edges in the order in which the tree takes them.
  void rank() {
    degree_.resize(graph_.edges.size(), 0);
    const GiNaC::ex p = network_.op.in(network_.symbols);
    GiNaC::exmap values = network_.symbols.values();
    values.erase(p);
    for (std::size_t i = 0; i < graph_.edges.size(); ++i) {
      const Edge& edge = graph_.edges[i];
      if (edge.relation != Relation::linear) continue;
      const std::string& node = edge.from == reference_node ? edge.to : edge.from;
      const EdgeRelation relation = edge_relation(network_, edge, domains_.at(node));
      if (vanishes(relation.through_factor)) short_.insert(i);
      degree_[i] = relation.across_factor.degree(p) - relation.through_factor.degree(p);
      if (!vanishes(relation.across_factor.subs(values, symbols_alone))) linear_.push_back(i);
    }
    const auto key = [&](std::size_t i) {
      const bool inertia = network_.elements[graph_.edges[i].elements.front()].kind.role == Role::inertia;
      return std::pair(short_.contains(i) ? 0 : inertia ? 1 : 2, -degree_[i]);
    };
    std::ranges::stable_sort(linear_, [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  }

  bool join(Joins& joins, std::size_t edge) const { return joins.join(ends_[edge].first, ends_[edge].second); }

  void check_motions() const {
    Joins joins(graph_.vertices.size());
    std::vector<std::string> names;
    for (std::size_t i = 0; i < graph_.edges.size(); ++i) {
      const Edge& edge = graph_.edges[i];
      if (edge.relation != Relation::across_source) continue;
      names.push_back(edge.name);
      if (join(joins, i)) continue;
      std::string list;
      for (const std::string& name : names) list += (list.empty() ? "'" : ", '") + name + "'";
      throw Error(edge.where, "what '" + edge.name + "' prescribes is prescribed already: " + list + " form a circuit",
                  "leave one of them out");
    }
  }

  /// A resistance of 0 holds its nodes together whatever flows: it is no chord.
  void check_shorts() const {
    for (const std::size_t i : graph_.chords)
      if (short_.contains(i))
        throw Error(graph_.edges[i].where,
                    "the " + graph_.edges[i].type + " '" + graph_.edges[i].name +
                        "' has the value 0 and joins nodes that other elements hold already: what flows there is not determined",
                    "give it a value, or leave it out");
  }

  void check_vertices() const {
    Joins joins(graph_.vertices.size());
    for (std::size_t i = 0; i < graph_.edges.size(); ++i)
      if (graph_.edges[i].relation == Relation::across_source) join(joins, i);
    for (const std::size_t i : linear_) join(joins, i);
    std::vector<Diagnostic> found;
    std::set<std::size_t> named;
    for (std::size_t v = 1; v < graph_.vertices.size(); ++v)
      if (joins.root(v) != joins.root(0) && named.insert(joins.root(v)).second) found.push_back(unheld(v, joins));
    if (!found.empty()) throw Error(std::move(found));
  }

  /// A vertex that no linear element joins with the reference.
  Diagnostic unheld(std::size_t vertex, Joins& joins) const {
    std::string nodes, elements;
    SourceSpan where;
    for (std::size_t v = 1; v < graph_.vertices.size(); ++v)
      if (joins.root(v) == joins.root(vertex)) nodes += (nodes.empty() ? "'" : ", '") + graph_.vertices[v] + "'";
    for (const Edge& edge : graph_.edges) {
      const bool begins = joins.root(number_.at(edge.from)) == joins.root(vertex);
      if (begins == (joins.root(number_.at(edge.to)) == joins.root(vertex))) continue;
      if (elements.empty()) where = edge.where;
      elements += (elements.empty() ? "'" : ", '") + edge.name + "'";
    }
    const bool several = nodes.find(',') != std::string::npos;
    return {where,
            (several ? "nodes " : "node ") + nodes + (several ? " are" : " is") +
                " held by nothing but nonlinear elements, sources of force and elements of value 0 (" + elements +
                "): there is no Lagrange tree, whose edges are linear",
            "put a mass there, or a linear element beside the nonlinear ones"};
  }

  /// The tree that follows from which ports are in it: bit i is the first port of pair i.
  Choice choice(const std::vector<bool>& first) const {
    Choice result{std::vector<bool>(graph_.edges.size(), false), 0, 0};
    Joins joins(graph_.vertices.size());
    std::size_t reached = 1;
    const auto take = [&](std::size_t edge) {
      const bool joined = join(joins, edge);
      if (!joined) return false;
      result.in_tree[edge] = true;
      result.worth += degree_[edge];
      ++reached;
      return true;
    };
    for (std::size_t i = 0; i < graph_.edges.size(); ++i)
      if (graph_.edges[i].relation == Relation::across_source) take(i);
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const auto [edge, transformer] = pairs_[i];
      if (transformer)
        result.faults += take(edge + (first[i] ? 0 : 1)) ? 0 : 1;
      else if (first[i])
        for (const std::size_t port : {edge, edge + 1}) result.faults += take(port) ? 0 : 1;
    }
    for (const std::size_t i : linear_) take(i);
    result.faults += graph_.vertices.size() - reached;
    return result;
  }

  static bool better(const Choice& a, const Choice& b) { return a.faults != b.faults ? a.faults < b.faults : a.worth > b.worth; }

  /// No tree without faults is worth more: linear edges without a circuit, as many as the ports leave room for, the greatest
  /// degrees first.
  long most_worth() const {
    Joins joins(graph_.vertices.size());
    std::size_t room = graph_.vertices.size() - 1, gyrators = 0;
    for (std::size_t i = 0; i < graph_.edges.size(); ++i)
      if (graph_.edges[i].relation == Relation::across_source && join(joins, i)) --room;
    for (const auto& [edge, transformer] : pairs_) transformer ? room -= std::min<std::size_t>(room, 1) : ++gyrators;
    std::vector<std::size_t> steepest = linear_;
    std::ranges::stable_sort(steepest, std::greater<>(), [&](std::size_t i) { return degree_[i]; });
    std::vector<long> worth{0};  // by the number of edges
    for (const std::size_t i : steepest)
      if (worth.size() <= room && join(joins, i)) worth.push_back(worth.back() + degree_[i]);
    const std::size_t fewest = room - std::min(room, 2 * gyrators);
    return fewest < worth.size() ? std::ranges::max(std::span(worth).subspan(fewest)) : std::numeric_limits<long>::max();
  }

  /// All choices where they are few, else from one to the better next of them; none once no other can be better.
  Choice best() const {
    constexpr std::size_t most_pairs_for_all = 12;
    std::vector<bool> first(pairs_.size(), true);
    Choice found = choice(first);
    const long most = most_worth();
    if (found.faults == 0 && found.worth >= most) return found;
    if (pairs_.size() <= most_pairs_for_all) {
      for (std::size_t bits = 1; bits < (std::size_t{1} << pairs_.size()); ++bits) {
        budget_.check("the Lagrange tree");
        for (std::size_t i = 0; i < pairs_.size(); ++i) first[i] = (bits >> i & 1U) == 0;
        if (Choice next = choice(first); better(next, found)) found = std::move(next);
      }
      return found;
    }
    for (bool improves = true; improves;) {
      improves = false;
      for (std::size_t i = 0; i < pairs_.size(); ++i)
        for (std::size_t j = i; j < pairs_.size(); ++j) {
          budget_.check("the Lagrange tree");
          std::vector<bool> other = first;
          other[i] = !other[i];
          if (j != i) other[j] = !other[j];
          if (Choice next = choice(other); better(next, found)) {
            found = std::move(next);
            if (found.faults == 0 && found.worth >= most) return found;
            first = std::move(other);
            improves = true;
          }
        }
    }
    if (found.faults != 0)
      throw LimitReached("no Lagrange tree was found for " + std::to_string(pairs_.size()) + " coupled elements",
                         "eliminate some of them by hand");
    return found;
  }

  [[noreturn]] void refuse_coupling() const {
    std::string list;
    for (const auto& [edge, transformer] : pairs_)
      list += (list.empty() ? "'" : ", '") + network_.elements[graph_.edges[edge].elements.front()].name + "'";
    throw Error(graph_.edges[pairs_.front().first].where,
                "the coupled elements " + list +
                    " leave no tree: motions are prescribed twice through them, or a node is held by nothing linear",
                "free one side, or put a mass or a linear element there");
  }

  void set_incidence() {
    graph_.incidence.resize(graph_.tree.size());
    std::vector<std::vector<std::size_t>> at(graph_.vertices.size());  // rows of the tree by vertex
    for (std::size_t row = 0; row < graph_.tree.size(); ++row)
      for (const std::string* end : {&graph_.edges[graph_.tree[row]].from, &graph_.edges[graph_.tree[row]].to})
        at[number_.at(*end)].push_back(row);
    std::vector<std::optional<std::size_t>> above(graph_.vertices.size());  // the row towards the reference
    std::vector<std::size_t> depth(graph_.vertices.size(), 0), open{0};
    const auto other = [&](std::size_t row, std::size_t v) {
      const Edge& edge = graph_.edges[graph_.tree[row]];
      return number_.at(edge.from) == v ? number_.at(edge.to) : number_.at(edge.from);
    };
    while (!open.empty()) {
      const std::size_t v = open.back();
      open.pop_back();
      for (const std::size_t row : at[v]) {
        if (above[v] == row) continue;
        const std::size_t next = other(row, v);
        above[next] = row;
        depth[next] = depth[v] + 1;
        open.push_back(next);
      }
    }
    for (std::size_t column = 0; column < graph_.chords.size(); ++column) {
      const Edge& chord = graph_.edges[graph_.chords[column]];
      std::size_t a = number_.at(chord.from), b = number_.at(chord.to);
      const auto climb = [&](std::size_t& v, int sign) {
        const std::size_t row = above[v].value();
        const bool along = number_.at(graph_.edges[graph_.tree[row]].from) == v;
        graph_.incidence[row].push_back({column, along ? sign : -sign});
        v = other(row, v);
      };
      while (a != b) {
        if (depth[a] >= depth[b])
          climb(a, 1);
        else
          climb(b, -1);
      }
    }
  }

  const PolarNetwork& network_;
  const Budget& budget_;
  std::map<std::string, Domain> domains_;
  PolarGraph graph_;
  std::map<std::string, std::size_t> number_;              ///< of vertices
  std::vector<std::pair<std::size_t, std::size_t>> ends_;  ///< of edges
  std::vector<std::pair<std::size_t, bool>> pairs_;        ///< first edge of each two-port; whether it is a transformer
  std::vector<std::size_t> linear_;
  std::set<std::size_t> short_;  ///< edges that hold their vertices together
  std::vector<long> degree_;     ///< of the stiffness in the operator, by edge
};

}  // namespace

EdgeRelation edge_relation(const PolarNetwork& network, const PolarGraph::Edge& edge, Domain domain) {
  const ElementKind& kind = network.elements[edge.elements.front()].kind;
  GiNaC::ex value = 0;
  for (const std::size_t element : edge.elements) value += network.elements[element].value;
  const GiNaC::ex p = network.op.in(network.symbols);
  EdgeRelation relation{1, 1};
  const int power = kind.power + (is_mechanical(domain) ? 1 : 0);
  (power > 0 ? relation.across_factor : relation.through_factor) *= GiNaC::power(p, std::abs(power));
  const auto [above, below] = value.has(p) ? fraction(value, p) : std::pair(value, GiNaC::ex(1));  // k + c p, say
  (kind.divides ? relation.through_factor : relation.across_factor) *= above;
  (kind.divides ? relation.across_factor : relation.through_factor) *= below;
  return relation;
}

PolarGraph lagrange_tree(const PolarNetwork& network, const Budget& budget) { return TreeSearch(network, budget)(); }

}  // namespace sfg
