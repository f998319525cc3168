#include "sfg/derive/polar/polar_derivation.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <map>

#include "sfg/expr/rational.hpp"

namespace sfg {

namespace {

using GiNaC::ex;
using Edge = PolarGraph::Edge;
using Relation = PolarGraph::Relation;
using Role = ElementKind::Role;
using Terms = std::vector<std::pair<std::string, ex>>;

class Derivation {
 public:
  Derivation(const PolarNetwork& network, const Budget& budget) : network_(network), domains_(network.domains()) {
    system().title = network.title;
    system().op = network.op;
    system().symbols = network.symbols;
    p_ = system().op.declare(system().symbols);
    result_.graph = lagrange_tree(network, budget);
    circuits_.resize(graph().chords.size());
    for (std::size_t row = 0; row < graph().tree.size(); ++row)
      for (const auto& [column, sign] : graph().incidence[row]) circuits_[column].emplace_back(row, sign);
  }

  PolarDerivation operator()(const Budget& budget) {
    name_signals();
    for (const std::size_t i : graph().tree) relate(i);
    for (const std::size_t i : graph().chords) relate(i);
    budget.check("the equations of the polar graph");
    close();
    for (const auto& [target, where] : unknowns_) state_row(target, where);
    state_laws();
    define_signals();
    note_loops();
    budget.check("the equations of the polar graph");
    state_closed_form();
    system().inputs = network_.inputs;
    system().outputs = network_.outputs;
    result_.across = std::move(across_);
    result_.through = std::move(through_);
    return std::move(result_);
  }

 private:
  /// What brings a signal about: Σ coefficient/divisor · signal.
  struct Sum {
    std::string name;
    Terms terms = {};
    ex divisor = 1;
  };

  EquationSystem& system() { return result_.equations; }
  const PolarGraph& graph() const { return result_.graph; }
  const Edge& edge(std::size_t i) const { return graph().edges[i]; }
  const PolarNetwork::Element& element(std::size_t i) const { return network_.elements[edge(i).elements.front()]; }

  Domain domain(std::size_t i) const { return domains_.at(edge(i).from == reference_node ? edge(i).to : edge(i).from); }
  char letter(std::size_t i) const { return is_mechanical(domain(i)) ? 'x' : 'v'; }
  /// The across variable is that of v by so many integrations.
  int integrations(std::size_t i) const { return is_mechanical(domain(i)) ? 1 : 0; }

  void add_source(const std::string& name, SourceKind kind, const SourceSpan& where) {
    sources_.emplace(name, system().sources.size());
    system().sources.push_back({name, kind, where});
  }

  void add_unknown(const std::string& name, const SourceSpan& where) {
    sums_.emplace(name, Sum{name});
    unknowns_.emplace_back(name, where);
    columns_.emplace(name, system().unknowns.size());
    system().unknowns.push_back({name, where});
  }

  void name_signals() {
    place_.resize(graph().edges.size());
    across_.resize(graph().edges.size());
    through_.resize(graph().edges.size());
    for (const auto* part : {&graph().tree, &graph().chords})
      for (std::size_t place = 0; place < part->size(); ++place) {
        const std::size_t i = (*part)[place];
        place_[i] = place;
        const bool own_node = edge(i).tree && edge(i).to == reference_node;
        across_[i] = signal_name(letter(i), own_node ? edge(i).from : edge(i).name);
        through_[i] = signal_name('f', edge(i).name);
        switch (edge(i).relation) {
          case Relation::through_source:
            add_source(edge(i).name, SourceKind::input, edge(i).where);
            through_[i] = edge(i).name;
            break;
          case Relation::across_source:
            add_source(edge(i).name, SourceKind::input, edge(i).where);
            if (element(i).kind.power == integrations(i))
              across_[i] = edge(i).name;
            else
              add_unknown(across_[i], edge(i).where);
            break;
          case Relation::law:
            add_unknown(across_[i], edge(i).where);
            add_source(through_[i], SourceKind::law, edge(i).where);
            break;
          case Relation::linear:
          case Relation::port: {
            const std::string &first = edge(i).tree ? through_[i] : across_[i], &second = edge(i).tree ? across_[i] : through_[i];
            add_unknown(first, edge(i).where);
            add_unknown(second, edge(i).where);
          }
        }
      }
  }

  /// A branch of the skeleton: from · above/below.
  void bring(const std::string& from, const std::string& to, const ex& above, const ex& below) {
    result_.skeleton.push_back({from, to, above / below});
    sums_.at(to).terms.emplace_back(from, above);
    sums_.at(to).divisor = below;
  }

  void relate(std::size_t i) {
    const auto sources_power = [&] { return GiNaC::power(p_, integrations(i) - element(i).kind.power); };
    switch (edge(i).relation) {
      case Relation::through_source: return;
      case Relation::across_source:
        if (across_[i] != edge(i).name) bring(edge(i).name, across_[i], 1, sources_power());
        return;
      case Relation::law: result_.skeleton.push_back({across_[i], through_[i], *element(i).law, true}); return;
      case Relation::linear: {
        const EdgeRelation own = edge_relation(network_, edge(i), domain(i));
        if (edge(i).tree)
          bring(through_[i], across_[i], own.through_factor, own.across_factor);
        else
          bring(across_[i], through_[i], own.across_factor, own.through_factor);
        return;
      }
      case Relation::port: return relate_port(i);
    }
  }

  /// One branch of a two-port, into the port i; with s the operator where the across variable is a displacement, v = s x.
  void relate_port(std::size_t i) {
    const bool second = edge(i).port == 1;
    const std::size_t other = second ? i - 1 : i + 1;
    if (vanishes(element(i).value))
      throw Error(element(i).value_where, "the ratio of '" + element(i).name + "' is 0", "leave the element out");
    const ex ratio = element(i).value, s = GiNaC::power(p_, integrations(i)), s_other = GiNaC::power(p_, integrations(other));
    const ex sign = second ? 1 : -1;
    const auto across = [&](ex above, ex below, const std::string& from) {  // above and below without common powers of s
      if (above.is_equal(below)) above = below = 1;
      bring(from, across_[i], above, below);
    };
    switch (element(i).kind.role) {
      case Role::transformer:
        if (edge(i).tree) {
          const bool alike = s.is_equal(s_other);
          const ex from = alike ? ex(1) : s_other, own = alike ? ex(1) : s;
          return second ? across(from, ratio * own, across_[other]) : across(ratio * from, own, across_[other]);
        }
        return second ? bring(through_[other], through_[i], -ratio, 1) : bring(through_[other], through_[i], -1, ratio);
      case Role::gyrator:  // v1 = −ratio f2, v2 = ratio f1
        if (edge(i).tree) return bring(through_[other], across_[i], sign * ratio, s);
        return bring(across_[other], through_[i], -sign * s_other, ratio);
      default:  // piston: f1 = ratio v2, f2 = −ratio v1
        if (edge(i).tree) return bring(through_[other], across_[i], sign, ratio * s);
        return bring(across_[other], through_[i], -sign * ratio * s_other, 1);
    }
  }

  void close() {
    const auto add = [&](const std::string& from, const std::string& to, int sign) {
      result_.closing.push_back({from, to, sign});
      sums_.at(to).terms.emplace_back(from, sign);
    };
    for (std::size_t column = 0; column < graph().chords.size(); ++column) {
      const std::size_t chord = graph().chords[column];
      const bool source = edge(chord).relation == Relation::through_source;
      for (const auto& [row, sign] : circuits_[column]) {
        const std::size_t branch = graph().tree[row];
        if (!source) add(across_[branch], across_[chord], sign);
        if (edge(branch).relation != Relation::across_source) add(through_[chord], through_[branch], source ? sign : -sign);
      }
    }
  }

  void state_row(const std::string& target, const SourceSpan& where) {
    const Sum& sum = sums_.at(target);
    EquationSystem::Equation& row = system().equations.emplace_back();
    row.name = target;
    row.where = where;
    row.sum = true;
    row.left[columns_.at(target)] = sum.divisor;
    for (const auto& [signal, coefficient] : sum.terms)
      if (const auto source = sources_.find(signal); source != sources_.end())
        row.right[source->second] = coefficient;
      else if (!vanishes(coefficient))
        row.left[columns_.at(signal)] = -coefficient;
  }

  void state_laws() {
    for (const std::size_t i : graph().chords) {
      if (edge(i).relation != Relation::law) continue;
      const SymbolTable& symbols = system().symbols;
      system().laws.push_back({sources_.at(through_[i]),
                               *element(i).law,
                               {{across_[i], symbols.at("u").expr, symbols.at("v").expr}},
                               element(i).value_where});
    }
  }

  static Terms scaled(Terms terms, const ex& factor) {
    if (vanishes(factor)) return {};
    for (auto& [signal, coefficient] : terms) coefficient *= factor;
    return terms;
  }

  /// Across and through variables of an edge by signals of the graph.
  Terms across_terms(std::size_t i) const {
    if (edge(i).relation != Relation::through_source) return {{across_[i], 1}};
    Terms sum;
    for (const auto& [row, sign] : circuits_[place_[i]]) sum.emplace_back(across_[graph().tree[row]], sign);
    return sum;
  }

  Terms through_terms(std::size_t i) const {
    if (edge(i).relation != Relation::across_source) return {{through_[i], 1}};
    Terms sum;  // what the source gives to its first node
    for (const auto& [column, sign] : graph().incidence[place_[i]]) {
      const std::size_t chord = graph().chords[column];
      sum.emplace_back(through_[chord], edge(chord).relation == Relation::through_source ? -sign : sign);
    }
    return sum;
  }

  void define(const std::string& name, const Terms& terms, const ex& factor) {
    if (columns_.contains(name) || sources_.contains(name)) return;
    system().definitions.push_back({name, scaled(terms, factor)});
  }

  /// x, v and a of what has that across variable.
  void define_motion(const std::string& of, const Terms& across, Domain domain) {
    const int power = is_mechanical(domain) ? 0 : 1;
    define(signal_name('x', of), across, GiNaC::power(p_, -power));
    define(signal_name('v', of), across, GiNaC::power(p_, 1 - power));
    define(signal_name('a', of), across, GiNaC::power(p_, 2 - power));
  }

  void define_signals() {
    const std::map<std::string, Terms> vertices = vertex_terms();
    for (const std::string& node : network_.nodes()) define_motion(node, vertices.at(node), domains_.at(node));
    for (std::size_t i = 0; i < graph().edges.size(); ++i) {
      if (edge(i).elements.size() > 1) {
        define_masses(i);
        continue;
      }
      const bool turned = edge(i).from != element(i).nodes[2 * edge(i).port];  // a mass from the reference to its vertex
      define_motion(edge(i).name, scaled(across_terms(i), turned ? -1 : 1), domain(i));
      define(signal_name('f', edge(i).name), through_terms(i), turned ? -1 : 1);
    }
  }

  /// Each of the masses that are one edge.
  void define_masses(std::size_t i) {
    for (const std::size_t number : edge(i).elements) {
      const PolarNetwork::Element& mass = network_.elements[number];
      Edge alone = edge(i);
      alone.elements = {number};
      const ex sign = mass.nodes[0] == edge(i).from ? 1 : -1;
      const Terms across{{across_[i], sign}};
      define_motion(mass.name, across, domain(i));
      const EdgeRelation own = edge_relation(network_, alone, domain(i));
      define(signal_name('f', mass.name), across, own.across_factor / own.through_factor);
    }
  }

  /// The across variable between every vertex and the reference: along the tree.
  std::map<std::string, Terms> vertex_terms() const {
    std::multimap<std::string, std::size_t> at;
    for (const std::size_t i : graph().tree)
      for (const std::string* end : {&edge(i).from, &edge(i).to}) at.emplace(*end, i);
    std::map<std::string, Terms> found{{std::string(reference_node), {}}};
    std::vector<std::string> open{std::string(reference_node)};
    while (!open.empty()) {
      const std::string vertex = std::move(open.back());
      open.pop_back();
      for (auto [next, end] = at.equal_range(vertex); next != end; ++next) {
        const std::size_t i = next->second;
        const bool towards = edge(i).to == vertex;
        const auto [reached, is_new] = found.emplace(towards ? edge(i).from : edge(i).to, found.at(vertex));
        if (!is_new) continue;
        reached->second.emplace_back(across_[i], towards ? 1 : -1);
        open.push_back(reached->first);
      }
    }
    return found;
  }

  long degree(std::size_t i) const {
    const EdgeRelation own = edge_relation(network_, edge(i), domain(i));
    return own.across_factor.degree(p_) - own.through_factor.degree(p_);
  }

  /// A loop of a chord's stiffness and a compliance of the tree is algebraic where neither falls off with frequency.
  void note_loops() {
    for (std::size_t column = 0; column < graph().chords.size(); ++column) {
      const std::size_t chord = graph().chords[column];
      if (edge(chord).relation != Relation::linear) continue;
      for (const long own = degree(chord); const auto& [row, sign] : circuits_[column]) {
        const std::size_t branch = graph().tree[row];
        if (edge(branch).relation != Relation::linear || own < degree(branch)) continue;
        result_.notes.push_back(
            {edge(chord).where,
             "the loop of the " + edge(chord).type + " '" + edge(chord).name + "' and the " + edge(branch).type + " '" +
                 edge(branch).name + "' is algebraic: its gain does not fall off with frequency",
             "transfer functions are not affected; simulate from the matrices, not branch by branch", Severity::note});
        break;
      }
    }
  }

  void state_closed_form() {
    const auto is_port = [](const Edge& any) { return any.relation == Relation::port; };
    if (std::ranges::any_of(graph().edges, is_port)) {
      result_.notes.push_back(
          {std::ranges::find_if(graph().edges, is_port)->where,
           "elements are coupled: there is no graph of the first category, and its ports are edges of two-ports", "",
           Severity::note});
      return;
    }
    EquationSystem form;
    form.title = network_.title;
    form.op = system().op;
    form.symbols = system().symbols;
    form.sources = system().sources;
    std::map<std::size_t, std::size_t> column_of;  // by row of the incidence
    for (std::size_t row = 0; row < graph().tree.size(); ++row)
      if (const std::size_t i = graph().tree[row]; edge(i).relation == Relation::linear) {
        column_of.emplace(row, form.unknowns.size());
        form.unknowns.push_back({across_[i], edge(i).where});
      }
    for (const auto& [row, column] : column_of) form.equations.push_back(closed_row(row, column_of));
    form.laws = system().laws;
    for (std::size_t column = 0; column < graph().chords.size(); ++column)
      if (const std::size_t i = graph().chords[column]; edge(i).relation == Relation::law) {
        EquationSystem::Definition& across = form.definitions.emplace_back(EquationSystem::Definition{across_[i]});
        for (const auto& [row, sign] : circuits_[column]) across.terms.push_back(tree_term(row, sign));
      }
    result_.closed_form = std::move(form);
  }

  /// An edge of the tree in the closed form, where a source stands for what it prescribes.
  std::pair<std::string, ex> tree_term(std::size_t row, int sign) const {
    const std::size_t i = graph().tree[row];
    if (edge(i).relation == Relation::linear) return {across_[i], sign};
    return {edge(i).name, sign * GiNaC::power(p_, element(i).kind.power - integrations(i))};
  }

  EquationSystem::Equation closed_row(std::size_t row, const std::map<std::size_t, std::size_t>& column_of) const {
    const auto stiffness = [&](std::size_t i) {
      const EdgeRelation own = edge_relation(network_, edge(i), domain(i));
      return own.across_factor / own.through_factor;
    };
    EquationSystem::Equation equation{across_[graph().tree[row]]};
    equation.where = edge(graph().tree[row]).where;
    equation.left[column_of.at(row)] = stiffness(graph().tree[row]);
    for (const auto& [chord, sign] : graph().incidence[row]) {
      const std::size_t i = graph().chords[chord];
      if (edge(i).relation != Relation::linear) {
        ex& entry = equation.right[sources_.at(through_[i])];
        entry += edge(i).relation == Relation::through_source ? sign : -sign;
        continue;
      }
      const ex own = stiffness(i);
      for (const auto& [other, others_sign] : circuits_[chord]) {
        const ex entry = sign * others_sign * own;
        if (const auto column = column_of.find(other); column != column_of.end()) {
          equation.left[column->second] += entry;
          continue;
        }
        const std::size_t source = graph().tree[other];
        equation.right[sources_.at(edge(source).name)] -=
            entry * GiNaC::power(p_, element(source).kind.power - integrations(source));
      }
    }
    for (auto* side : {&equation.left, &equation.right})
      std::erase_if(*side, [](const auto& entry) { return vanishes(entry.second); });
    return equation;
  }

  const PolarNetwork& network_;
  std::map<std::string, Domain> domains_;
  ex p_;
  PolarDerivation result_;
  std::vector<std::string> across_, through_;                       ///< signals, by edge
  std::vector<std::vector<std::pair<std::size_t, int>>> circuits_;  ///< by chord: rows of the incidence and signs
  std::vector<std::size_t> place_;                                  ///< in the tree or among the chords, by edge
  std::map<std::string, Sum> sums_;
  std::vector<std::pair<std::string, SourceSpan>> unknowns_;
  std::map<std::string, std::size_t> columns_, sources_;
};

}  // namespace

SignalFlowGraph skeleton_graph(const PolarDerivation& derivation) {
  SignalFlowGraph graph;
  graph.title = derivation.graph.title;
  graph.op = derivation.equations.op;
  graph.symbols = derivation.equations.symbols;
  for (const PolarDerivation::Branch& branch : derivation.skeleton) {
    const NodeId from = graph.node(branch.from), to = graph.node(branch.to);
    graph.inputs.push_back(from);
    graph.outputs.push_back(to);
    if (branch.law)
      graph.add_branch({from, to, Nonlinearity{branch.gain}, {}, {}});
    else
      graph.add_branch(from, to, branch.gain);
  }
  return graph;
}

PolarDerivation polar_derivation(const PolarNetwork& network, const Budget& budget) {
  if (std::vector<Diagnostic> found = problems(network); !found.empty()) throw Error(std::move(found));
  return Derivation(network, budget)(budget);
}

}  // namespace sfg
