#include "sfg/write/reduce.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>
#include <sstream>

#include "sfg/write/signal_name.hpp"

namespace sfg {

namespace {

using Json = nlohmann::ordered_json;
using Kind = Rewriting::Kind;

std::string joined_names(const std::vector<std::string>& names, const std::string& between, Notation notation) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : between) + signal_name(name, notation);
  return text;
}

std::string law_text(const BranchText& branch, Notation notation, const std::string& variable) {
  if (const auto* gain = std::get_if<GiNaC::ex>(&branch.law)) return print(*gain, notation, variable);
  return print(std::get<Nonlinearity>(branch.law).law, notation);
}

/// A step's branches by their ends: what was there and what is there now.
struct Change {
  std::string from, to;
  std::vector<const BranchText*> before, after;
};

std::vector<Change> changes(const ReductionStep& step) {
  std::vector<Change> result;
  auto entry = [&](const BranchText& branch) -> Change& {
    const auto known = std::find_if(result.begin(), result.end(),
                                    [&](const Change& change) { return change.from == branch.from && change.to == branch.to; });
    return known != result.end() ? *known : result.emplace_back(Change{branch.from, branch.to, {}, {}});
  };
  for (const BranchText& branch : step.removed) entry(branch).before.push_back(&branch);
  for (const BranchText& branch : step.added) entry(branch).after.push_back(&branch);
  return result;
}

/// Writes one notation: plain lines, or LaTeX.
class Story {
 public:
  Story(std::ostream& out, const Reduction& reduction, Notation notation)
      : out_(out), reduction_(reduction), notation_(notation), latex_(notation == Notation::latex) {}

  void write() {
    heading();
    for (std::size_t i = 0; i < reduction_.steps.size(); ++i) write(i + 1, reduction_.steps[i]);
    rest();
  }

 private:
  std::string names(const std::vector<std::string>& list, const std::string& between = ", ") const {
    const std::string text = joined_names(list, between, notation_);
    return latex_ ? "$" + text + "$" : text;
  }

  std::string arrow() const { return latex_ ? " \\to " : notation_ == Notation::text ? " -> " : " → "; }

  std::string math(const GiNaC::ex& value) const {
    const std::string text = print(value, notation_, reduction_.before.op.symbol());
    return latex_ ? "$" + text + "$" : text;
  }

  std::string described(const Rewriting& action) const {
    const auto& nodes = action.nodes;
    switch (action.kind) {
      case Kind::eliminate: return "eliminate " + names(nodes);
      case Kind::absorb: return "absorb the self-loop of " + names(nodes);
      case Kind::self_loop: return "give " + names(nodes) + " a self-loop of " + math(action.value);
      case Kind::merge_parallel: return "merge the parallel branches " + names(nodes, arrow());
      case Kind::merge_series: return "merge the branches in series at " + names(nodes);
      case Kind::insert:
        return "cut " + names({nodes[0], nodes[1]}, arrow()) + " at a new node " + names({nodes[2]}) + " behind " +
               math(action.value);
      case Kind::invert:
        return std::string("invert the ") + (nodes.front() == nodes.back() ? "loop " : "path ") + names(nodes, arrow());
      case Kind::transpose: return "transpose: turn every branch round";
      case Kind::scale: return "scale " + names(nodes) + " by " + math(action.value);
      case Kind::split:
        return "split " + names({nodes[0]}) + " into the source " + names({nodes[1]}) + " and the sink " + names({nodes[2]});
      case Kind::join: return "join " + names({nodes[0], nodes[1]}) + " to " + names({nodes[2]});
      case Kind::output_sink: return "give the output " + names(nodes) + " a sink of its own";
      case Kind::ask: return "ask for " + names(nodes) + " only";
    }
    return to_string(action.kind);
  }

  static std::string counted(std::size_t count, const char* one, const char* many) {
    return std::to_string(count) + " " + (count == 1 ? one : many);
  }
  static std::string size(const SignalFlowGraph& graph) {
    return counted(graph.nodes().size(), "node", "nodes") + ", " + counted(graph.branches().size(), "branch", "branches");
  }

  void heading() {
    const std::string text = "Reduction in " + counted(reduction_.steps.size(), "step", "steps") + ": " +
                             size(reduction_.before) + " before; " + size(reduction_.after) + " after.";
    out_ << text << (latex_ ? "\n\n" : "\n");
  }

  void write(std::size_t number, const ReductionStep& step) {
    out_ << (latex_ ? "\\paragraph{Step " : "\nStep ") << number << (latex_ ? "}\n" : ": ") << described(step.action)
         << (latex_ ? ".\n" : "\n");
    const auto list = changes(step);
    if (latex_ && !list.empty()) out_ << "\\begin{align*}\n";
    for (const Change& change : list) line(change);
    if (latex_ && !list.empty()) out_ << "\\end{align*}\n";
    const Verification& check = step.verification;
    if (check.points == 0) {
      out_ << (latex_ ? "Not verified: the graph is singular.\n" : "  not verified: the graph is singular\n");
    } else {
      std::ostringstream bound;
      bound.precision(1);
      bound << std::scientific << check.error_bound;
      out_ << (latex_ ? "Verified: " : "  verified: ") << check.method << (latex_ ? ", error below $" : ", error below ")
           << bound.str() << (latex_ ? "$.\n" : "\n");
    }
    if (step.inverse) out_ << (latex_ ? "Undone by: " : "  undone by: ") << described(*step.inverse) << (latex_ ? ".\n\n" : "\n");
  }

  std::string laws(const std::vector<const BranchText*>& branches) const {
    std::string text;
    for (const BranchText* branch : branches)
      text += (text.empty() ? "" : latex_ ? ",\\; " : ", ") + law_text(*branch, notation_, reduction_.before.op.symbol());
    return text;
  }

  void line(const Change& change) {
    const std::string ends = joined_names({change.from, change.to}, arrow(), notation_);
    if (latex_) {
      const std::string nothing = "\\text{none}";
      out_ << ends << " &: " << (change.before.empty() ? nothing : laws(change.before)) << " \\;\\Rightarrow\\; "
           << (change.after.empty() ? nothing : laws(change.after)) << " \\\\\n";
      return;
    }
    const char* word = change.before.empty() ? "added   " : change.after.empty() ? "removed " : "changed ";
    const std::string becomes = notation_ == Notation::text ? "  =>  " : "  ⇒  ";
    out_ << "  " << word << ends << ":  " << laws(change.before)
         << (!change.before.empty() && !change.after.empty() ? becomes : "") << laws(change.after) << "\n";
  }

  void rest() {
    const SignalFlowGraph& graph = reduction_.after;
    out_ << (latex_ ? "\\paragraph{Result}\n" : "\nResult:\n");
    if (latex_ && !graph.branches().empty()) out_ << "\\begin{align*}\n";
    for (const Branch& branch : graph.branches()) {
      const BranchText text{graph[branch.from].name, graph[branch.to].name, branch.law};
      const std::string ends = joined_names({text.from, text.to}, arrow(), notation_);
      const std::string law = law_text(text, notation_, graph.op.symbol());
      out_ << (latex_ ? ends + " &: " + law + " \\\\\n" : "  " + ends + ":  " + law + "\n");
    }
    if (latex_ && !graph.branches().empty()) out_ << "\\end{align*}\n";
    if (graph.branches().empty()) out_ << (latex_ ? "no branches\n" : "  no branches\n");
  }

  std::ostream& out_;
  const Reduction& reduction_;
  Notation notation_;
  bool latex_;
};

Json json_of(const BranchText& branch, const std::string& variable) {
  const char* key = std::holds_alternative<GiNaC::ex>(branch.law) ? "gain" : "nonlinear";
  return {{"from", branch.from}, {"to", branch.to}, {key, law_text(branch, Notation::text, variable)}};
}

Json json_of(const std::vector<BranchText>& branches, const std::string& variable) {
  Json list = Json::array();
  for (const BranchText& branch : branches) list.push_back(json_of(branch, variable));
  return list;
}

bool has_value(Kind kind) { return kind == Kind::scale || kind == Kind::self_loop || kind == Kind::insert; }

Json json_of(const Rewriting& action, const std::string& variable) {
  Json json{{"kind", to_string(action.kind)}};
  json["node"] = action.nodes.empty() ? Json(nullptr) : Json(action.nodes.front());
  json["nodes"] = action.nodes;
  if (has_value(action.kind)) json["value"] = print(action.value, Notation::text, variable);
  return json;
}

Json names_of(const SignalFlowGraph& graph, const std::vector<NodeId>& ids) {
  Json list = Json::array();
  for (NodeId id : ids) list.push_back(graph[id].name);
  return list;
}

Json json_of(const SignalFlowGraph& graph) {
  Json nodes = Json::array();
  for (const Node& node : graph.nodes()) nodes.push_back(node.name);
  Json branches = Json::array();
  for (const Branch& branch : graph.branches())
    branches.push_back(json_of(BranchText{graph[branch.from].name, graph[branch.to].name, branch.law}, graph.op.symbol()));
  return {{"variable", graph.op.symbol()},
          {"inputs", names_of(graph, graph.stated_inputs())},
          {"outputs", names_of(graph, graph.stated_outputs())},
          {"nodes", std::move(nodes)},
          {"branches", std::move(branches)}};
}

}  // namespace

void write_text(std::ostream& out, const Reduction& reduction, Notation notation) { Story(out, reduction, notation).write(); }

void write_json(std::ostream& out, const Reduction& reduction) {
  const std::string& variable = reduction.before.op.symbol();
  Json steps = Json::array();
  for (const ReductionStep& step : reduction.steps) {
    Json json = json_of(step.action, variable);
    json["removed"] = json_of(step.removed, variable);
    json["added"] = json_of(step.added, variable);
    json["removed_nodes"] = step.removed_nodes;
    json["added_nodes"] = step.added_nodes;
    json["inverse"] = step.inverse ? json_of(*step.inverse, variable) : Json(nullptr);
    json["verified"] = {{"method", step.verification.method},
                        {"points", step.verification.points},
                        {"error_bound", step.verification.error_bound}};
    steps.push_back(std::move(json));
  }
  const Json json{
      {"schema", "sfg/reduce/1"}, {"variable", variable}, {"steps", std::move(steps)}, {"graph", json_of(reduction.after)}};
  out << json.dump() << "\n";
}

}  // namespace sfg
