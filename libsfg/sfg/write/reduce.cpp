#include "sfg/write/mason.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "sfg/expr/print.hpp"
#include "sfg/graph/hidden_modes.hpp"

namespace sfg {

namespace {

using Json = nlohmann::ordered_json;
using RewritingKind = Rewriting::Kind;

Math law(const BranchText& branch, const std::string& variable) {
  if (const auto* gain = std::get_if<GiNaC::ex>(&branch.law)) return math(*gain, variable);
  return math(std::get<Nonlinearity>(branch.law).law);
}

Math path(const std::vector<std::string>& names) {
  Math text = Math::signal(names.front());
  for (std::size_t i = 1; i < names.size(); ++i) text = Math::relation(std::move(text), "→", Math::signal(names[i]));
  return text;
}

/// A step's branches by their ends: what was there and what is there now.
struct BranchChange {
  std::string from, to;
  std::vector<const BranchText*> before, after;
};

std::vector<BranchChange> changes(const ReductionStep& step) {
  std::vector<BranchChange> result;
  auto entry = [&](const BranchText& branch) -> BranchChange& {
    const auto known = std::find_if(result.begin(), result.end(), [&](const BranchChange& change) {
      return change.from == branch.from && change.to == branch.to;
    });
    return known != result.end() ? *known : result.emplace_back(BranchChange{branch.from, branch.to, {}, {}});
  };
  for (const BranchText& branch : step.removed) entry(branch).before.push_back(&branch);
  for (const BranchText& branch : step.added) entry(branch).after.push_back(&branch);
  return result;
}

class Story {
 public:
  explicit Story(const Reduction& reduction) : reduction_(reduction) {}

  Page write() && {
    page_.add(Paragraph{words("Reduction in " + counted(reduction_.steps.size(), "step", "steps") + ": " +
                              size(reduction_.before) + " before; " + size(reduction_.after) + " after.")});
    for (std::size_t i = 0; i < reduction_.steps.size(); ++i) write(i + 1, reduction_.steps[i]);
    rest();
    return std::move(page_);
  }

 private:
  Math value(const GiNaC::ex& e) const { return math(e, reduction_.before.op.symbol()); }

  Prose described(const Rewriting& action) const {
    const auto& nodes = action.nodes;
    const Prose names = listed(nodes);
    const auto said = [](std::vector<Prose> parts) { return joined(parts, ""); };
    const auto signal = [&](std::size_t i) { return Prose{Math::signal(nodes[i])}; };
    switch (action.kind) {
      case RewritingKind::eliminate: return said({words("eliminate "), names});
      case RewritingKind::absorb: return said({words("absorb the self-loop of "), names});
      case RewritingKind::self_loop: return said({words("give "), names, {" a self-loop of ", value(action.value)}});
      case RewritingKind::merge_parallel: return {"merge the parallel branches ", path(nodes)};
      case RewritingKind::merge_series: return said({words("merge the branches in series at "), names});
      case RewritingKind::insert:
        return said({{"cut ", path({nodes[0], nodes[1]}), " at a new node "}, signal(2), {" behind ", value(action.value)}});
      case RewritingKind::invert: return {nodes.front() == nodes.back() ? "invert the loop " : "invert the path ", path(nodes)};
      case RewritingKind::transpose: return words("transpose: turn every branch round");
      case RewritingKind::scale: return said({words("scale "), names, {" by ", value(action.value)}});
      case RewritingKind::split:
        return said({words("split "), signal(0), words(" into the source "), signal(1), words(" and the sink "), signal(2)});
      case RewritingKind::join: return said({words("join "), listed({nodes[0], nodes[1]}), words(" to "), signal(2)});
      case RewritingKind::output_sink: return said({words("give the output "), names, words(" a sink of its own")});
      case RewritingKind::ask: return said({words("ask for "), names, words(" only")});
    }
    return words(to_string(action.kind));
  }

  static std::string counted(std::size_t count, const char* one, const char* many) {
    return std::to_string(count) + " " + (count == 1 ? one : many);
  }
  static std::string size(const SignalFlowGraph& graph) {
    return counted(graph.nodes().size(), "node", "nodes") + ", " + counted(graph.branches().size(), "branch", "branches");
  }

  void write(std::size_t number, const ReductionStep& step) {
    page_.add(Heading{joined({words("Step " + std::to_string(number)), described(step.action)}, ": ")});
    for (const BranchChange& change : changes(step)) line(change);
    const Verification& check = step.verification;
    page_.add(
        Paragraph{words(check.points == 0 ? "not verified: the graph is singular"
                                          : fmt::format("verified: {}, error below {:.1e}", check.method, check.error_bound)),
                  1, true});
    if (step.inverse) page_.add(Paragraph{joined({words("undone by: "), described(*step.inverse)}, ""), 1});
  }

  Prose laws(const std::vector<const BranchText*>& branches) const {
    std::vector<Prose> parts;
    for (const BranchText* branch : branches) parts.push_back({law(*branch, reduction_.before.op.symbol())});
    return joined(parts, ", ");
  }

  void line(const BranchChange& change) {
    const char* word = change.before.empty() ? "added   " : change.after.empty() ? "removed " : "changed ";
    std::vector<Prose> parts{{word, path({change.from, change.to}), ":  "}, laws(change.before)};
    if (!change.before.empty() && !change.after.empty()) parts.push_back(words("  =>  "));
    parts.push_back(laws(change.after));
    page_.add(Paragraph{joined(parts, ""), 1});
  }

  void rest() {
    const SignalFlowGraph& graph = reduction_.after;
    page_.add(Heading{words("Result:")});
    for (const Branch& branch : graph.branches()) {
      const BranchText text{graph[branch.from].name, graph[branch.to].name, branch.law};
      Prose line{path({text.from, text.to}), ":  ", law(text, graph.op.symbol())};
      if (const GiNaC::ex lost = hidden_modes(branch, graph.symbols); !lost.is_equal(1)) {
        line.push_back("   hidden modes: ");
        line.push_back(value(lost));
      }
      page_.add(Paragraph{std::move(line), 1});
    }
    if (graph.branches().empty()) page_.add(Paragraph{words("no branches"), 1});
  }

  const Reduction& reduction_;
  Page page_;
};

Json json_of_reduction(const BranchText& branch, const std::string& variable) {
  const char* key = std::holds_alternative<GiNaC::ex>(branch.law) ? "gain" : "nonlinear";
  return {{"from", branch.from}, {"to", branch.to}, {key, write(law(branch, variable), Notation::text)}};
}

Json json_of_reduction(const std::vector<BranchText>& branches, const std::string& variable) {
  Json list = Json::array();
  for (const BranchText& branch : branches) list.push_back(json_of_reduction(branch, variable));
  return list;
}

bool has_value(RewritingKind kind) {
  return kind == RewritingKind::scale || kind == RewritingKind::self_loop || kind == RewritingKind::insert;
}

Json json_of_reduction(const Rewriting& action, const std::string& variable) {
  Json json{{"kind", to_string(action.kind)}};
  json["node"] = action.nodes.empty() ? Json(nullptr) : Json(action.nodes.front());
  json["nodes"] = action.nodes;
  if (has_value(action.kind)) json["value"] = print(action.value, Notation::text, variable);
  return json;
}

Json names_of_nodes(const SignalFlowGraph& graph, const std::vector<NodeId>& ids) {
  Json list = Json::array();
  for (NodeId id : ids) list.push_back(graph[id].name);
  return list;
}

Json json_of_reduction(const SignalFlowGraph& graph) {
  Json nodes = Json::array();
  for (const Node& node : graph.nodes()) nodes.push_back(node.name);
  Json branches = Json::array();
  for (const Branch& branch : graph.branches()) {
    branches.push_back(
        json_of_reduction(BranchText{graph[branch.from].name, graph[branch.to].name, branch.law}, graph.op.symbol()));
    if (const GiNaC::ex lost = hidden_modes(branch, graph.symbols); !lost.is_equal(1))
      branches.back()["hidden_modes"] = print(lost, Notation::text, graph.op.symbol());
  }
  return {{"variable", graph.op.symbol()},
          {"inputs", names_of_nodes(graph, graph.stated_inputs())},
          {"outputs", names_of_nodes(graph, graph.stated_outputs())},
          {"nodes", std::move(nodes)},
          {"branches", std::move(branches)}};
}

}  // namespace

Page page(const Reduction& reduction) { return Story(reduction).write(); }

void write_json(std::ostream& out, const Reduction& reduction) {
  const std::string& variable = reduction.before.op.symbol();
  Json steps = Json::array();
  for (const ReductionStep& step : reduction.steps) {
    Json json = json_of_reduction(step.action, variable);
    json["removed"] = json_of_reduction(step.removed, variable);
    json["added"] = json_of_reduction(step.added, variable);
    json["removed_nodes"] = step.removed_nodes;
    json["added_nodes"] = step.added_nodes;
    json["inverse"] = step.inverse ? json_of_reduction(*step.inverse, variable) : Json(nullptr);
    json["verified"] = {{"method", step.verification.method},
                        {"points", step.verification.points},
                        {"error_bound", step.verification.error_bound}};
    steps.push_back(std::move(json));
  }
  const Json json{{"schema", "sfg/reduce/1"},
                  {"variable", variable},
                  {"steps", std::move(steps)},
                  {"graph", json_of_reduction(reduction.after)}};
  out << json.dump() << "\n";
}

}  // namespace sfg
