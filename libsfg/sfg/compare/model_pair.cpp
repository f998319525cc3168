#include "sfg/compare/comparison.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "sfg/expr/rational.hpp"

namespace sfg {

UnmatchedNames::UnmatchedNames(const std::string& message, std::string name_of_a, std::vector<std::string> names_of_b,
                               Remedy remedy)
    : Error(SourceSpan{}, message, std::move(remedy)), name_(std::move(name_of_a)), candidates_(std::move(names_of_b)) {}

namespace {

using Names = std::vector<std::string>;

bool contains(const Names& names, const std::string& name) { return std::ranges::find(names, name) != names.end(); }

std::string quoted(const Names& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "'" : ", '") + name + "'";
  return text.empty() ? "none" : text;
}

Names ends_of(const ComparedModel& model, NodeId Question::*end) {
  Names names;
  for (const Question& question : model.questions)
    if (const std::string& name = model.graph[question.*end].name; !contains(names, name)) names.push_back(name);
  return names;
}

bool uses_operator(const SignalFlowGraph& graph) {
  const GiNaC::ex op = graph.op.in(graph.symbols);
  return std::ranges::any_of(graph.branches(), [&](const Branch& branch) { return branch.linear() && branch.gain().has(op); });
}

/// Matches the names of one end of the questions.
class Matching {
 public:
  /// @param usable  whether a node may be this end though it is not among the ones asked for
  Matching(std::string what, Names a, Names b, std::span<const NamePair> names)
      : what_(std::move(what)), a_(std::move(a)), b_(std::move(b)) {
    for (const NamePair& pair : names) to_b_[pair.a] = pair.b, to_a_[pair.b] = pair.a;
  }

  /// Pairs of names, in the order of a and then of what b has beside.
  std::vector<NamePair> pairs(const std::function<bool(const std::string&)>& usable_in_a,
                              const std::function<bool(const std::string&)>& usable_in_b) const {
    const bool alone = a_.size() == 1 && b_.size() == 1;
    std::vector<NamePair> found;
    Names missing_in_b, left = b_;
    for (const std::string& name : a_) {
      const std::string other = in_b(name);
      if (contains(b_, other) || (!alone && usable_in_b(other))) {
        found.push_back({name, other});
        std::erase(left, other);
      } else {
        missing_in_b.push_back(name);
      }
    }
    if (alone && found.empty()) return {{a_.front(), b_.front()}};
    Names missing_in_a;
    for (const std::string& name : left) {
      const std::string other = in_a(name);
      if (usable_in_a(other))
        found.push_back({other, name});
      else
        missing_in_a.push_back(name);
    }
    if (!missing_in_b.empty()) refuse("second", missing_in_b, "first", b_, missing_in_b.front(), left);
    if (!missing_in_a.empty()) refuse("first", missing_in_a, "second", a_, "", missing_in_a);
    return found;
  }

 private:
  /// What a name is in the other model; "" where that name stands for another one.
  static std::string across(const std::string& name, const std::map<std::string, std::string>& there,
                            const std::map<std::string, std::string>& back) {
    const auto known = there.find(name);
    if (known != there.end()) return known->second;
    return back.contains(name) ? "" : name;
  }
  std::string in_b(const std::string& name) const { return across(name, to_b_, to_a_); }
  std::string in_a(const std::string& name) const { return across(name, to_a_, to_b_); }
  [[noreturn]] void refuse(const std::string& side, const Names& missing, const std::string& other, const Names& there,
                           const std::string& name, const Names& candidates) const {
    throw UnmatchedNames("the " + side + " model has no " + what_ + " " + quoted(missing) + ", as the " + other + " has; its " +
                             what_ + "s: " + quoted(there),
                         name, candidates, "say which name of the second model stands for which of the first");
  }

  std::string what_;
  Names a_, b_;
  std::map<std::string, std::string> to_b_, to_a_;
};

Question asked(const ComparedModel& model, const std::string& input, const std::string& output) {
  Question question = model.questions.front();
  question.input = model.graph.at(input);
  question.output = model.graph.at(output);
  return question;
}

/// Whether b asks for exactly what a transposed would, by the names alone.
bool turned_round(const Names& a_inputs, const Names& a_outputs, const Names& b_inputs, const Names& b_outputs) {
  const auto same = [](Names x, Names y) {
    std::ranges::sort(x);
    std::ranges::sort(y);
    return x == y;
  };
  return same(a_inputs, b_outputs) && same(a_outputs, b_inputs) && !same(a_inputs, b_inputs);
}

void note_names(ModelPair& pair, const std::string& what, const std::vector<NamePair>& pairs, std::span<const NamePair> names) {
  for (const NamePair& found : pairs) {
    const bool said = std::ranges::any_of(names, [&](const NamePair& n) { return n.a == found.a && n.b == found.b; });
    if (found.a != found.b && !said)
      pair.notes.push_back("the " + what + " '" + found.a + "' of the first is compared with '" + found.b + "' of the second");
  }
}

void match_transfers(ModelPair& pair, std::span<const NamePair> names) {
  if (pair.a.questions.empty() || pair.b.questions.empty())
    throw Error(SourceSpan{},
                "the " + std::string(pair.a.questions.empty() ? "first" : "second") + " model asks for no transfer function",
                "state its inputs and outputs");
  const Names a_in = ends_of(pair.a, &Question::input), a_out = ends_of(pair.a, &Question::output);
  const Names b_in = ends_of(pair.b, &Question::input), b_out = ends_of(pair.b, &Question::output);
  pair.transposed = names.empty() && turned_round(a_in, a_out, b_in, b_out);
  if (pair.transposed) {
    for (const std::string& input : a_in)
      for (const std::string& output : a_out)
        pair.transfers.push_back({asked(pair.a, input, output), asked(pair.b, output, input)});
    pair.notes.emplace_back("inputs and outputs are exchanged: the second is compared as the first transposed");
    return;
  }
  const bool source = pair.a.questions.front().mode == Question::Mode::source;
  const auto input_of = [&](const SignalFlowGraph& graph) {
    return [&graph, source](const std::string& name) {
      const auto node = graph.find(name);
      return node && (!source || graph.entering(*node).empty());
    };
  };
  const auto node_of = [](const SignalFlowGraph& graph) {
    return [&graph](const std::string& name) { return graph.find(name).has_value(); };
  };
  const auto inputs = Matching("input", a_in, b_in, names).pairs(input_of(pair.a.graph), input_of(pair.b.graph));
  const auto outputs = Matching("output", a_out, b_out, names).pairs(node_of(pair.a.graph), node_of(pair.b.graph));
  note_names(pair, "input", inputs, names);
  note_names(pair, "output", outputs, names);
  for (const NamePair& input : inputs)
    for (const NamePair& output : outputs)
      pair.transfers.push_back({asked(pair.a, input.a, output.a), asked(pair.b, input.b, output.b)});
}

void check_operators(const ModelPair& pair) {
  const Operator &a = pair.a.graph.op, &b = pair.b.graph.op;
  if (!uses_operator(pair.a.graph) || !uses_operator(pair.b.graph)) return;
  if (a.kind() != b.kind())
    throw Error(SourceSpan{},
                "the operator of the first model is " + a.symbol() + ", that of the second " + b.symbol() +
                    ": a continuous and a sampled model are never the same",
                "sample the continuous one first");
  if (a.discrete() && a.sample_time() && b.sample_time() && *a.sample_time() != *b.sample_time())
    throw Error(SourceSpan{}, "the sample times differ: " + a.sample_time()->text() + " and " + b.sample_time()->text(),
                "state the same one in both");
}

/// Puts the symbols of a in the place of those of b.
class Unification {
 public:
  Unification(ModelPair& pair, std::span<const NamePair> names) : pair_(pair), a_(pair.a.graph), b_(pair.b.graph) {
    for (const NamePair& name : names)
      if (a_.symbols.find(name.a) && b_.symbols.find(name.b)) to_a_[name.b] = name.a, taken_.insert(name.a);
  }

  void apply() {
    if (!uses_operator(a_) && uses_operator(b_)) use_operator_of_b();
    const GiNaC::ex op = a_.op.declare(a_.symbols);
    for (const Symbol& symbol : b_.symbols.all()) map_[symbol.expr] = symbol.name == b_.op.symbol() ? op : symbol_of_a(symbol);
    SymbolTable symbols;
    for (const Symbol& symbol : b_.symbols.all()) {
      Symbol renamed = symbol;
      renamed.expr = map_.at(symbol.expr);
      renamed.name = GiNaC::ex_to<GiNaC::symbol>(renamed.expr).get_name();
      if (renamed.value) renamed.value = renamed.value->subs(map_, GiNaC::subs_options::no_pattern);
      symbols.add(std::move(renamed));
    }
    SignalFlowGraph unified = b_.substituted(map_);
    unified.symbols = symbols;
    unified.op = Operator(a_.op.symbol(), a_.op.sample_time() ? a_.op.sample_time() : b_.op.sample_time());
    if (!a_.op.sample_time() && b_.op.sample_time() && a_.op.discrete()) a_.op = unified.op;
    b_ = std::move(unified);
    if (pair_.b.equations) unify(*pair_.b.equations, symbols);
  }

 private:
  void use_operator_of_b() {
    if (a_.symbols.find(b_.op.symbol()) && b_.op.symbol() != a_.op.symbol()) return;
    a_.op = b_.op;
  }
  GiNaC::ex symbol_of_a(const Symbol& symbol) {
    const auto named = to_a_.find(symbol.name);
    if (named != to_a_.end()) {
      if (const Symbol* known = a_.symbols.find(named->second)) {
        pair_.parameters.push_back({named->second, symbol.name});
        return known->expr;
      }
    } else if (!taken_.contains(symbol.name)) {
      if (symbol.name == a_.op.symbol())
        throw Error(symbol.where, "'" + symbol.name + "' is a parameter of the second model and the operator of the first",
                    "rename the parameter");
      if (const Symbol* known = a_.symbols.find(symbol.name)) {
        if (known->kind == SymbolKind::laplace || symbol.name == b_.op.symbol()) return GiNaC::symbol(symbol.name + "_2");
        return known->expr;
      }
      return symbol.expr;
    }
    std::string free = symbol.name + "_2";  // a name that a has for something else
    while (a_.symbols.find(free) || b_.symbols.find(free)) free += '2';
    return GiNaC::symbol(free);
  }
  void unify(EquationSystem& system, const SymbolTable& symbols) {
    const auto put = [&](GiNaC::ex& value) { value = value.subs(map_, GiNaC::subs_options::no_pattern); };
    for (EquationSystem::Equation& equation : system.equations) {
      for (auto& [column, value] : equation.left) put(value);
      for (auto& [column, value] : equation.right) put(value);
    }
    system.symbols = symbols;
    system.op = b_.op;
  }

  ModelPair& pair_;
  SignalFlowGraph &a_, &b_;
  std::map<std::string, std::string> to_a_;
  std::set<std::string> taken_;
  GiNaC::exmap map_;
};

void check_names(const ModelPair& pair, std::span<const NamePair> names) {
  const auto known = [](const SignalFlowGraph& graph, const std::string& name) {
    return graph.find(name).has_value() || graph.symbols.find(name) != nullptr;
  };
  for (const NamePair& name : names)
    for (const auto& [model, text, which] : {std::tuple{&pair.a, &name.a, "first"}, std::tuple{&pair.b, &name.b, "second"}})
      if (!known(model->graph, *text)) {
        Names all;
        for (const Node& node : model->graph.nodes()) all.push_back(node.name);
        for (const Symbol& symbol : model->graph.symbols.all()) all.push_back(symbol.name);
        const std::string near = nearest(*text, all);
        throw UnmatchedNames("the " + std::string(which) + " model has no node and no parameter '" + *text + "'", "", {},
                             near.empty() ? "name a node or a parameter of it" : "did you mean '" + near + "'?");
      }
}

}  // namespace

ModelPair paired(ComparedModel a, ComparedModel b, std::span<const NamePair> names) {
  ModelPair pair{std::move(a), std::move(b)};
  check_names(pair, names);
  match_transfers(pair, names);
  check_operators(pair);
  Unification(pair, names).apply();
  return pair;
}

std::vector<StatedValue> stated_values(const ModelPair& pair) {
  std::set<std::string> used;
  for (const ComparedModel* model : {&pair.a, &pair.b})
    for (const Branch& branch : model->graph.branches())
      if (branch.linear())
        for (const std::string& name : symbol_names(branch.gain())) used.insert(name);
  used.erase(pair.a.graph.op.symbol());
  const GiNaC::exmap of_a = pair.a.graph.parameter_values(), of_b = pair.b.graph.parameter_values();
  std::vector<StatedValue> all;
  std::set<std::string> listed;
  const auto value_in = [](const SignalFlowGraph& graph, const GiNaC::exmap& values,
                           const std::string& name) -> std::optional<GiNaC::ex> {
    const Symbol* symbol = graph.symbols.find(name);
    if (symbol == nullptr) return {};
    const auto value = values.find(symbol->expr);
    if (value == values.end()) return {};
    return value->second;
  };
  for (const ComparedModel* model : {&pair.a, &pair.b})
    for (const std::string& name : model->graph.symbols.names()) {
      StatedValue stated{name, value_in(pair.a.graph, of_a, name), value_in(pair.b.graph, of_b, name)};
      if ((used.contains(name) || (stated.a && stated.b)) && name != pair.a.graph.op.symbol() && listed.insert(name).second)
        all.push_back(std::move(stated));
    }
  return all;
}

ModelPair with_values(const ModelPair& pair) {
  GiNaC::exmap for_a, for_b;
  for (const StatedValue& stated : stated_values(pair)) {
    const Symbol* symbol = pair.a.graph.symbols.find(stated.name);
    if (symbol == nullptr) symbol = pair.b.graph.symbols.find(stated.name);
    if (stated.a || stated.b) {
      for_a[symbol->expr] = stated.a ? *stated.a : *stated.b;
      for_b[symbol->expr] = stated.b ? *stated.b : *stated.a;
    }
  }
  ModelPair result = pair;
  result.a.graph = pair.a.graph.substituted(for_a);
  result.b.graph = pair.b.graph.substituted(for_b);
  result.a.equations.reset();
  result.b.equations.reset();
  return result;
}

}  // namespace sfg
