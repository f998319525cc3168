#include "sfg/compare/comparison.hpp"

#include <ginac/ex.h>
#include <ginac/ginac.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include "sfg/budget.hpp"
#include "sfg/compare/relations.hpp"
#include "sfg/compare/single_change.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/graph/draft.hpp"
#include "sfg/graph/from_equations.hpp"
#include "sfg/graph/rewrite.hpp"
#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/transfer/question.hpp"
#include "sfg/transfer/transfer.hpp"

namespace sfg {

namespace {

/// What a branch would have to add to the gain between two nodes for a response to become `wanted`, in lowest terms: a response
/// is (α + βδ)/(γ + εδ) in it. Nothing where the place does not influence the response, or no gain does that.
/// @throws as transfer_functions.
std::optional<GiNaC::ex> solved_gain(const SignalFlowGraph& graph, const Question& question, NodeId from, NodeId to,
                                     const GiNaC::ex& wanted, const Budget& budget) {
  using GiNaC::ex;
  const NodeId source = driver(question);
  const auto added = [](NodeId input, NodeId output) { return Question{input, output, Question::Mode::inject, {}}; };
  const std::array asked{added(source, question.output), added(to, question.output), added(source, question.input),
                         added(to, question.input),      added(source, from),        added(to, from)};
  const std::vector<TransferFunction> found = transfer_functions(graph, asked, {.budget = budget});
  const auto value = [&](std::size_t i) { return found[i].value.expression(); };
  const bool ratio = question.mode == Question::Mode::ratio;
  const ex rest = value(0) - wanted * (ratio ? value(2) : ex(1));
  const ex influence = (ratio ? ex(value(1) - wanted * value(3)) : value(1)) * value(4);
  const ex below = rest * value(5) - influence;
  if (vanishes(influence) || vanishes(rest) || vanishes(below)) return {};
  return normal_form(rest / below, graph.op.in(graph.symbols));
}

using GiNaC::ex;
using Change = Explanation::Change;
using Kind = Explanation::Kind;
using Side = Explanation::Side;

/// Zero as a function: by values modulo primes, exact enough for what is proved as a whole afterwards.
bool differ(const ex& x, const ex& y) { return !x.is_equal(y) && !vanishes(x - y); }

Change change_from(const ex& a, const ex& b) {
  if (b.is_zero()) return Change::missing;
  if (a.is_zero()) return Change::extra;
  return vanishes(a + b) ? Change::sign : Change::gain;
}

/// Places of either with what stands there, by row and column.
using Places = std::map<std::pair<std::string, std::string>, std::pair<ex, ex>>;

std::set<std::string> nodes_that_matter(const SignalFlowGraph& graph, std::span<const Question> questions) {
  std::set<std::string> names;
  for (const Question& question : questions) {
    const std::vector<bool> relevant = relevant_nodes(graph, question);
    for (std::size_t i = 0; i < relevant.size(); ++i)
      if (relevant[i]) names.insert(graph.nodes()[i].name);
  }
  return names;
}

/// Of a gain that was solved for, since no plain one does.
constexpr int solved_rank = 40;

class Explainer {
 public:
  Explainer(const ModelPair& pair, const ExplanationOptions& options)
      : pair_(pair), options_(options), of_a_(questions_of_a(pair)), of_b_(questions_of_b(pair)), random_(random_points(pair)) {
    for (std::size_t i = 0; i < of_a_.size(); ++i) {
      names_[pair.b.graph[of_b_[i].input].name] = pair.a.graph[of_a_[i].input].name;
      names_[pair.b.graph[of_b_[i].output].name] = pair.a.graph[of_a_[i].output].name;
    }
  }

  Explanations run() {
    const bool models = pair_.a.equations && pair_.b.equations;
    std::vector<Explanation> differing = models ? differing_entries() : std::vector<Explanation>{};
    if (differing.empty() && !models) differing = differing_branches();
    if (differing.size() == 1) {
      found_.alternatives = differing;
      found_.alternatives.front().exact = true;
      return std::move(found_);
    }
    if (models || of_a_.size() > 1) search_signals();
    search_parameters(letters_of(differing));
    if (models) search_entries();
    search_branches();
    const bool plain = !found_.alternatives.empty() && found_.alternatives.front().rank < solved_rank;
    if (plain || differing.size() > options_.together) return std::move(found_);
    found_.together = std::move(differing);
    if (!found_.together.empty() && found_.alternatives.size() > 1) found_.alternatives.resize(1);
    return std::move(found_);
  }

 private:
  bool full() const { return found_.alternatives.size() >= options_.most; }
  /// Beside a plain explanation a far-fetched one is none.
  bool far_fetched(int rank) const { return !found_.alternatives.empty() && rank / 10 > found_.alternatives.front().rank / 10; }
  std::string name_in_a(const std::string& name) const {
    const auto known = names_.find(name);
    return known == names_.end() ? name : known->second;
  }

  std::vector<Explanation> listed(const Places& places, Kind kind) const {
    std::vector<Explanation> all;
    for (const auto& [place, values] : places)
      if (differ(values.first, values.second))
        all.push_back({kind, Side::both, change_from(values.first, values.second), place.first, place.second, values.first,
                       values.second, true});
    return all;
  }

  /// Where the graphs have the same nodes, up to some: the branches that are not the same.
  std::vector<Explanation> differing_branches() const {
    if (pair_.transposed) return {};
    Places places;
    const std::set<std::string> of_a = nodes_that_matter(pair_.a.graph, of_a_), of_b = nodes_that_matter(pair_.b.graph, of_b_);
    for (const std::string& node : of_a)
      if (!std::ranges::any_of(pair_.b.graph.nodes(), [&](const Node& n) { return name_in_a(n.name) == node; })) return {};
    for (const std::string& node : of_b)
      if (!pair_.a.graph.find(name_in_a(node))) return {};
    for (const Branch& branch : pair_.a.graph.branches()) {
      const std::string &from = pair_.a.graph[branch.from].name, &to = pair_.a.graph[branch.to].name;
      if (branch.linear()) places[{from, to}].first += branch.gain();
    }
    for (const Branch& branch : pair_.b.graph.branches()) {
      const std::string from = name_in_a(pair_.b.graph[branch.from].name), to = name_in_a(pair_.b.graph[branch.to].name);
      if (branch.linear()) places[{from, to}].second += branch.gain();
    }
    std::erase_if(places, [&](const auto& place) {
      const auto known = [&](const std::string& name) { return of_a.contains(name) || of_b.contains(name); };
      return !known(place.first.first) || !known(place.first.second);
    });
    return listed(places, Kind::branch);
  }

  std::vector<Explanation> differing_entries() const {
    const EquationSystem &a = *pair_.a.equations, &b = *pair_.b.equations;
    const auto unknowns = [](const EquationSystem& system) {
      std::set<std::string> names;
      for (const auto& unknown : system.unknowns) names.insert(unknown.name);
      return names;
    };
    if (unknowns(a) != unknowns(b) || a.equations.size() != b.equations.size() || !a.laws.empty() || !b.laws.empty()) return {};
    Places places;
    const auto put = [&](const EquationSystem& system, ex std::pair<ex, ex>::*side) {
      for (const auto& equation : system.equations) {
        for (const auto& [column, value] : equation.left) places[{equation.name, system.unknowns[column].name}].*side += value;
        for (const auto& [column, value] : equation.right) places[{equation.name, system.sources[column].name}].*side += value;
      }
    };
    put(a, &std::pair<ex, ex>::first);
    put(b, &std::pair<ex, ex>::second);
    return listed(places, Kind::entry);
  }

  /// Takes the explanation where the changed graph has the transfer functions of the other.
  void take(Explanation explanation, const SignalFlowGraph& changed, bool of_a) {
    ModelPair candidate{pair_.a, pair_.b, pair_.transfers};
    (of_a ? candidate.a : candidate.b).graph = changed;
    take(std::move(explanation), std::move(candidate));
  }

  void take(Explanation explanation, ModelPair candidate) {
    if (!same_modulo(candidate.a.graph, questions_of_a(candidate), candidate.b.graph, of_b_, 2, options_.budget)) return;
    const Equality proof = equality(candidate, {.budget = options_.budget, .seed = options_.seed});
    if (!proof.all()) return;
    explanation.exact = proof.method == Equality::Method::exact;
    found_.alternatives.push_back(std::move(explanation));
  }

  std::vector<ex> gains(const SignalFlowGraph& graph) const {
    std::vector<ex> all;
    for (const Branch& branch : graph.branches())
      if (branch.linear()) all.push_back(branch.gain());
    return all;
  }

  TargetValues targets(const SignalFlowGraph& graph, const std::vector<Question>& questions) const {
    return [this, &graph, &questions](const ModularPoint& point) {
      return responses_modulo(graph, questions, point, options_.budget);
    };
  }

  struct Found {
    SingleChange change;
    bool in_a;
  };

  struct Searched {
    std::vector<Found> named = {};  ///< the plainest first; of a before b
    std::vector<Found> unnamed = {};
  };

  void search(Searched& all, const Relations& relations, bool in_a) const {
    const SignalFlowGraph& other = in_a ? pair_.b.graph : pair_.a.graph;
    const std::vector<Question>& questions = in_a ? of_b_ : of_a_;
    SingleChanges found = single_changes(relations, targets(other, questions), random_,
                                         {.gains = gains(other), .budget = options_.budget, .seed = options_.seed});
    for (SingleChange& change : found.named) all.named.push_back({std::move(change), in_a});
    for (const auto& [row, column] : found.unnamed)
      all.unnamed.push_back({{SingleChange::Kind::gain, row, column, relations.sum(row, column), 0, solved_rank}, in_a});
  }

  Searched changes(const std::optional<Relations>& in_a, const std::optional<Relations>& in_b) const {
    Searched all;
    if (in_a) search(all, *in_a, true);
    if (in_b) search(all, *in_b, false);
    std::ranges::stable_sort(all.named, {}, [](const Found& found) { return found.change.rank; });
    return all;
  }

  static Explanation explanation(const Found& found, Kind kind, const std::string& from, const std::string& to) {
    Explanation result{kind,
                       found.in_a ? Side::a : Side::b,
                       Change::gain,
                       from,
                       to,
                       found.change.before,
                       found.change.after,
                       false,
                       found.change.rank};
    if (!found.in_a) std::swap(result.a, result.b);
    result.change = change_from(result.a, result.b);
    return result;
  }

  void search_branches() {
    const Relations of_a = relations(pair_.a.graph, of_a_), of_b = relations(pair_.b.graph, of_b_);
    const Searched all = changes(of_a, of_b);
    for (const Found& found : all.named) {
      if (full() || far_fetched(found.change.rank)) return;
      take_branch(found);
    }
    if (!found_.alternatives.empty()) return;
    for (const Found& found : solved(all.unnamed)) {
      if (full()) return;
      take_branch(found);
    }
  }

  void take_branch(const Found& found) {
    const SignalFlowGraph& graph = found.in_a ? pair_.a.graph : pair_.b.graph;
    const NodeId from{found.change.column}, to{found.change.row};
    const ex gain = gain_between(graph, from, to) - found.change.before + found.change.after;
    take(explanation(found, Kind::branch, graph[from].name, graph[to].name), with_gain(graph, from, to, gain), found.in_a);
  }

  /// The gains that no list of plain ones has, in closed form, if they are short: branches that are there before others.
  std::vector<Found> solved(const std::vector<Found>& unnamed) const {
    constexpr std::size_t most = 160, terms = 5000, for_new = 12, about = 8;
    const Budget budget = options_.budget.with_terms(terms);
    std::vector<std::pair<std::size_t, Found>> all;
    try {
      const Differing in_a = differing(budget);
      std::vector<Found> ordered = unnamed;
      std::ranges::stable_sort(ordered, {}, [](const Found& found) { return found.change.before.is_zero(); });
      ordered.resize(std::min(ordered.size(), most));
      for (Found& found : ordered) {
        const SignalFlowGraph& graph = found.in_a ? pair_.a.graph : pair_.b.graph;
        const auto more = solved_gain(graph, (found.in_a ? of_a_ : of_b_)[in_a.transfer], NodeId{found.change.column},
                                      NodeId{found.change.row}, found.in_a ? in_a.b : in_a.a, budget);
        if (!more) continue;
        found.change.after = normal_form(found.change.before + *more, graph.op.in(graph.symbols));
        const bool fresh = found.change.before.is_zero();
        all.emplace_back(print(found.change.after).size() + (fresh ? for_new : 0), std::move(found));
      }
    } catch (const LimitReached&) {  // what was found until then
      options_.budget.check("the search for what differs");
    }
    std::ranges::stable_sort(all, {}, [](const auto& entry) { return entry.first; });
    std::vector<Found> shortest;
    for (auto& [length, found] : all)
      if (length <= longest_gain() && length <= all.front().first + about) shortest.push_back(std::move(found));
    return shortest;
  }

  /// The first transfer function that differs, in closed form on both sides.
  struct Differing {
    std::size_t transfer = 0;
    ex a, b;
  };
  Differing differing(const Budget& budget) const {
    const TransferOptions how{.budget = budget, .seed = options_.seed};
    for (std::size_t i = 0; i < of_a_.size(); ++i) {
      const ex a = transfer_function(pair_.a.graph, of_a_[i], how).value.expression();
      const ex b = transfer_function(pair_.b.graph, of_b_[i], how).value.expression();
      if (!vanishes(a - b)) return {i, a, b};
    }
    throw LimitReached("no transfer function differs");
  }

  /// Characters that a gain may have to pass for one of these models.
  std::size_t longest_gain() const {
    std::size_t longest = 20;
    for (const SignalFlowGraph* graph : {&pair_.a.graph, &pair_.b.graph})
      for (const ex& gain : gains(*graph)) longest = std::max(longest, std::min<std::size_t>(print(gain).size(), 40));
    return longest + 10;
  }

  /// The graph of equations one entry of which is another.
  std::optional<SignalFlowGraph> changed(const EquationSystem& system, const SignalFlowGraph& graph, const SingleChange& change,
                                         const std::vector<Question>& questions) const {
    EquationSystem other = system;
    auto& equation = other.equations[change.row];
    const bool left = change.column < system.unknowns.size();
    auto& entries = left ? equation.left : equation.right;
    const std::size_t column = left ? change.column : change.column - system.unknowns.size();
    const ex value = entries[column] - change.before + change.after;
    if (vanishes(value))
      entries.erase(column);
    else
      entries[column] = value;
    try {
      SignalFlowGraph made = from_equations(other, {}).graph;
      for (const Question& question : questions)  // the questions are those of the graph as it was
        for (const NodeId node : {question.input, question.output})
          if (made.nodes().size() <= node.index || made[node].name != graph[node].name) return {};
      return made;
    } catch (const Failure&) {
      return {};
    }
  }

  void search_entries() {
    const auto of_a = relations(*pair_.a.equations, pair_.a.graph, of_a_),
               of_b = relations(*pair_.b.equations, pair_.b.graph, of_b_);
    for (const Found& found : changes(of_a, of_b).named) {
      if (full() || far_fetched(found.change.rank)) return;
      const ComparedModel& model = found.in_a ? pair_.a : pair_.b;
      const auto graph = changed(*model.equations, model.graph, found.change, found.in_a ? of_a_ : of_b_);
      const Relations& places = found.in_a ? *of_a : *of_b;
      if (graph)
        take(explanation(found, Kind::entry, places.rows[found.change.row], places.columns[found.change.column]), *graph,
             found.in_a);
    }
  }

  /// An input or output whose transfer functions have the other sign, and all others not.
  void search_signals() {
    for (const bool input : {true, false}) {
      std::set<NodeId> seen;
      for (const Question& question : of_a_) {
        const NodeId node = input ? question.input : question.output;
        if (full() || !seen.insert(node).second) continue;
        ModelPair candidate{pair_.a, pair_.b, pair_.transfers};
        SignalFlowGraph& graph = candidate.a.graph;
        for (TransferPair& transfer : candidate.transfers)
          if ((input ? transfer.a.input : transfer.a.output) == node) transfer.a.output = negative_of(graph, transfer.a.output);
        const Explanation found{Kind::signal, Side::both, Change::sign, graph[node].name, "", 1, -1, false};
        take(found, std::move(candidate));
      }
    }
  }

  /// A node that has the signal with the other sign.
  static NodeId negative_of(SignalFlowGraph& graph, NodeId node) {
    const NodeId negative = graph.add_node({free_name(graph, "-" + graph[node].name), {}, {}});
    graph.add_branch(node, negative, -1);
    return negative;
  }

  /// What the places that differ do not share.
  static std::set<std::string> letters_of(const std::vector<Explanation>& differing) {
    std::set<std::string> letters;
    for (const Explanation& place : differing)
      for (const std::string& name : symbol_names(GiNaC::ex(place.a - place.b))) letters.insert(name);
    return letters;
  }

  /// Of some, or of all where none is suspected: a parameter with another sign, none, its inverse, or another one in its place,
  /// everywhere.
  void search_parameters(const std::set<std::string>& suspects) {
    constexpr std::size_t most = 60;
    for (const bool in_a : {true, false}) {
      const SignalFlowGraph& graph = in_a ? pair_.a.graph : pair_.b.graph;
      std::map<std::string, ex> letters;
      std::map<std::string, std::size_t> places;
      for (const Branch& branch : graph.branches())
        if (branch.linear())
          for (const std::string& name : symbol_names(branch.gain())) ++places[name];
      for (const auto& [name, count] : places)
        if (const Symbol* symbol = graph.symbols.find(name);
            symbol && name != graph.op.symbol() && (suspects.empty() || suspects.contains(name)))
          letters[name] = symbol->expr;
      if (letters.size() > most) continue;
      for (const auto& [name, letter] : letters)
        for (const ex& value : {ex(-letter), ex(1 / letter), ex(2 * letter), ex(letter / 2), ex(0)}) {
          if (full()) return;
          options_.budget.check("the search for what differs");
          const bool once = places[name] == 1 && !(pair_.a.equations && pair_.b.equations);
          if (once) continue;  // said of its branch
          try_parameter(graph, in_a, name, letter, value);
        }
    }
  }

  void try_parameter(const SignalFlowGraph& graph, bool in_a, const std::string& name, const ex& letter, const ex& value) {
    try {
      const SignalFlowGraph other = graph.substituted({{letter, value}});
      Explanation found{Kind::parameter, in_a ? Side::a : Side::b, Change::gain, name, "", letter, value, false};
      if (!in_a) std::swap(found.a, found.b);
      found.change = change_from(found.a, found.b);
      take(std::move(found), other, in_a);
    } catch (const Error&) {  // divides by zero
    } catch (const NoAnswer&) {
    }
  }

  const ModelPair& pair_;
  const ExplanationOptions& options_;
  std::vector<Question> of_a_, of_b_;
  RandomPoints random_;
  std::map<std::string, std::string> names_;  ///< inputs and outputs of b as a calls them
  Explanations found_;
};

}  // namespace

SignalFlowGraph with_gain(const SignalFlowGraph& graph, NodeId from, NodeId to, const ex& gain) {
  SignalFlowGraph result = SignalFlowGraph::like_with_nodes(graph);
  result.inputs = graph.inputs;
  result.outputs = graph.outputs;
  for (const Branch& branch : graph.branches())
    if (!branch.linear() || branch.from != from || branch.to != to) result.add_branch(branch);
  if (!vanishes(gain)) result.add_branch(from, to, gain);
  return result;
}

Explanations explanations(const ModelPair& pair, const ExplanationOptions& options) { return Explainer(pair, options).run(); }

}  // namespace sfg
