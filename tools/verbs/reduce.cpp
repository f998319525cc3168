#include "sfg/transfer/reduce.hpp"
#include "sfg/draw/paper_size.hpp"
#include "sfg/draw/sheets/reduction_sheet.hpp"

#include <algorithm>
#include <array>
#include <sstream>

#include "sfg/expr/parse.hpp"
#include "sfg/nonlinear/principal.hpp"
#include "sfg/write/derivation.hpp"
#include "sfg/write/graph.hpp"
#include "sfg/write/mason.hpp"
#include "tools/frame/decimals.hpp"
#include "tools/frame/load.hpp"
#include "tools/frame/output.hpp"
#include "tools/frame/pictures.hpp"
#include "tools/frame/show.hpp"

namespace sfg::command {

namespace {

using Kind = ReductionRequest::Kind;

std::vector<std::string> names_in(const std::string& text) {
  std::vector<std::string> names;
  std::istringstream in(text);
  for (std::string name; std::getline(in, name, ',');) names.push_back(name);
  return names;
}

ReductionRequest scaling(const std::string& text, SignalFlowGraph& graph) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos)
    throw UsageError("option '--scale " + text + "': the factor is missing", "write --scale NODE=FACTOR");
  const SourceSpan where{std::make_shared<const std::string>("--scale"), 1, 1, 1};
  return {Kind::scale, {text.substr(0, equals)}, parse_value(text.substr(equals + 1), graph.symbols, where)};
}

/// What the options ask for: nodes are split and scaled first, then taken out, then the graph is turned.
std::vector<ReductionRequest> requests_of(const Arguments& arguments, SignalFlowGraph& graph) {
  std::vector<ReductionRequest> requests;
  for (const std::string& name : arguments.list("split")) requests.push_back({Kind::split, {name}, {}});
  for (const std::string& text : arguments.list("scale")) requests.push_back(scaling(text, graph));
  for (const auto& [option, kind] : {std::pair{"eliminate", Kind::eliminate}, {"keep", Kind::keep}, {"absorb", Kind::absorb}})
    if (arguments.has(option)) requests.push_back({kind, names_in(arguments.text(option)), {}});
  if (arguments.has("absorb-all")) requests.push_back({Kind::absorb, {}, {}});
  if (arguments.has("merge")) requests.push_back({Kind::merge, {}, {}});
  if (arguments.has("invert")) requests.push_back({Kind::invert, names_in(arguments.text("invert")), {}});
  if (arguments.has("transpose")) requests.push_back({Kind::transpose, {}, {}});
  return requests;
}

/// Without a request everything but inputs and outputs goes.
void require_ends(const SignalFlowGraph& graph) {
  if (graph.stated_inputs().empty())
    throw UsageError("the graph has no source to start from", "say --from NODE, or --keep X1,X2 for what is to stay");
  if (graph.stated_outputs().empty())
    throw UsageError("the graph has no sink to end at", "say --to NODE, or --keep X1,X2 for what is to stay");
}

/// What is written of a reduction: the graph that is left, or how it came about.
template <class Result>
void write_reduction(Task& task, Form form, const Result& result, const SignalFlowGraph& left) {
  switch (form) {
    case Form::json: write_json(task.out, result); break;
    case Form::dot: write_dot(task.out, left); break;
    case Form::toml: write_toml(task.out, left); break;
    case Form::graphml: write_graphml(task.out, left); break;
    case Form::page: show(task, page(result)); break;
  }
}

/// To principal nodes, from --from to --to.
int run_principal(Task& task, Form form) {
  for (const char* other : {"eliminate", "keep", "absorb", "absorb-all", "merge", "invert", "transpose", "split", "scale"})
    if (task.arguments.has(other))
      throw UsageError("--principal and --" + std::string(other) + " exclude each other",
                       "reduce in two steps, with -o x.dot between");
  SignalFlowGraph graph = graph_of(task);
  state_ends(task.arguments, graph);
  if (graph.linear())
    throw NoAnswer("the graph has no nonlinear branch, so that it has no principal nodes", "ask for tf", graph.where);
  task.working("reducing");
  const PrincipalReduction reduction =
      principal_reduction(graph, {}, {}, {.budget = task.budget, .seed = task.arguments.count("seed", 1)});
  write_reduction(task, form, reduction, reduced_graph(reduction));
  return 0;
}

/// Requests that found nothing to do.
void note_idle(Task& task, const Reduction& reduction) {
  const auto any = [&](const auto& is) { return std::ranges::any_of(reduction.steps, is, &ReductionStep::action); };
  const auto note = [&](const std::string& what, const std::string& why) {
    task.notes.push_back({{}, what + " makes no difference: " + why, "leave it out", Severity::remark});
  };
  for (const std::string& name : names_in(task.arguments.text("absorb")))
    if (!any([&](const Rewriting& step) { return step.kind == Rewriting::Kind::absorb && step.nodes.front() == name; }))
      note("--absorb " + name, "that node has no self-loop");
  if (task.arguments.has("absorb-all") && !any([](const Rewriting& step) { return step.kind == Rewriting::Kind::absorb; }))
    note("--absorb-all", "no inner node has a self-loop");
  const auto merges = [](const Rewriting& step) {
    return step.kind == Rewriting::Kind::merge_parallel || step.kind == Rewriting::Kind::merge_series;
  };
  if (task.arguments.has("merge") && !any(merges)) note("--merge", "no branches are parallel or in series");
}

/// The graph before and after the steps, as one picture.
void draw_steps(Task& task, const Reduction& reduction, PictureFormat format) {
  const PictureOptions options{.theme = theme_of(task.arguments),
                               .decimals = typed_decimals(task),
                               .width = task.arguments.number("width").value_or(0),
                               .budget = task.budget,
                               .notes = &task.notes};
  task.working("drawing");
  LayoutOptions wanted{.decimals = options.decimals, .budget = task.budget};
  wanted.width = options.width / natural_size(wanted.text_size, options);
  task.out << picture(reduction_sheet(reduction, wanted), format, options);
}

int run_reduce(Task& task) {
  const auto drawn = task.arguments.has("json") ? std::nullopt : picture_named(extension_of(task.arguments.text("output")));
  if (drawn && task.arguments.has("principal"))
    throw UsageError("the reduction to principal nodes has no steps to draw", "'sfg draw --as reduced' draws what it leaves");
  const Form form = drawn ? Form::page : form_of(task.arguments, std::array{Form::dot, Form::toml, Form::graphml});
  if (task.arguments.has("principal")) return run_principal(task, form);
  SignalFlowGraph graph = graph_of(task);
  mark_ends(task.arguments, graph);
  const std::vector<ReductionRequest> requests = requests_of(task.arguments, graph);
  if (requests.empty())
    require_ends(graph);
  else if (form == Form::page || form == Form::json)
    note_ends(task, graph, "the steps are those that are asked for");
  task.working("reducing");
  ReduceOptions options;
  options.rewrite.budget = task.budget;
  options.seed = task.arguments.count("seed", 1);
  const Reduction reduction = reduce(graph, requests, options);
  note_idle(task, reduction);
  if (drawn)
    draw_steps(task, reduction, *drawn);
  else
    write_reduction(task, form, reduction, reduction.after);
  return 0;
}

}  // namespace

Verb reduce() {
  return {.name = "reduce",
          .summary = "the graph reduced step by step, each step shown and checked",
          .details =
              "Without a request all nodes but inputs and outputs are eliminated. -o x.dot (or .toml, .graphml) writes the graph "
              "that is "
              "left, -o x.json and x.tex the steps, -o x.svg (.png, .pdf, .eps) their pictures, one under the other. Every step "
              "is checked to keep the signals that stay.",
          .options = {{"--eliminate", "X1,X2", "eliminate these nodes, in this order where possible"},
                      {"--keep", "R,C", "eliminate all but these nodes"},
                      {"--absorb", "X1,X2", "absorb the self-loops of these nodes"},
                      {"--absorb-all", "", "absorb every self-loop of an inner node"},
                      {"--merge", "", "merge parallel and series branches until none is left"},
                      {"--invert", "R,A,B", "invert the path through these nodes"},
                      {"--scale", "X=K", "multiply the signal of a node by a factor", Option::Kind::text, {}, true},
                      {"--split", "X", "split a node into a source and a sink", Option::Kind::text, {}, true},
                      {"--transpose", "", "reverse every branch: the interreciprocal graph"},
                      {"--principal", "", "of a nonlinear graph: the transmittances between its principal nodes"},
                      notation_option(),
                      width_option(),
                      theme_option()},
          .examples = {"sfg reduce graph.dot --keep R,C", "sfg reduce graph.dot --eliminate x1 -o smaller.dot",
                       "sfg reduce graph.dot --transpose --json", "sfg reduce graph.dot -o steps.svg",
                       "sfg reduce duffing.toml --principal"},
          .run = run_reduce,
          .refuses = {{"--ratio", "no response is asked for"}, {"--inject", "no response is asked for"}}};
}

}  // namespace sfg::command
