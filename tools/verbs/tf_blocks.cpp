#include "tools/verbs/tf_blocks.hpp"

#include <algorithm>

#include "sfg/ask/circuit_blocks.hpp"
#include "sfg/graph/from_equations.hpp"
#include "sfg/read/dot/dot_clusters.hpp"
#include "sfg/transfer/closed_clusters.hpp"
#include "sfg/write/forms/transfer.hpp"
#include "tools/frame/load.hpp"
#include "tools/frame/operating_point.hpp"
#include "tools/frame/show.hpp"
#include "tools/frame/usage.hpp"

namespace sfg::command {

namespace {

BlockOptions block_options(const Task& task) { return {.budget = task.budget, .seed = task.arguments.count("seed", 1)}; }

void show_blocks(Task& task, const SignalFlowGraph& graph, const BlockTransfers& transfers) {
  if (form_of(task.arguments) == Form::json)
    write_json(task.out, graph, transfers);
  else
    show(task, page(graph, transfers, detail_of(task.arguments)));
}

void note_left_out(Task& task, const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "'" : ", '") + name + "'";
  if (!names.empty())
    task.notes.push_back(
        {{},
         text + (names.size() == 1 ? " does" : " do") + " not matter to what is asked, and no function stands for it",
         "",
         Severity::remark});
}

int of_clusters(Task& task, const StatedInput& stated) {
  const Subject subject = subject_of(task);
  const SignalFlowGraph& graph = subject.regular_graph();
  const std::vector<Question> questions = questions_of(task.arguments, graph);
  std::vector<Cluster> clusters;
  for (DotCluster& each : read_dot_clusters(stated.text, stated.name))
    clusters.push_back({std::move(each.name), std::move(each.nodes), each.parent});
  if (clusters.empty())
    throw NoAnswer("the graph has no clusters that could stay closed",
                   "put nodes in subgraph cluster_NAME { … }, or leave --form out", graph.where);
  task.working("solving the blocks");
  ClosedGraph closed;
  BlockTransfers transfers = block_transfers(graph, clusters, questions, closed, block_options(task));
  std::vector<std::string> idle;
  for (const Cluster& cluster : clusters)
    if (std::ranges::find(transfers.blocks, cluster.name, &ClosedBlock::name) == transfers.blocks.end())
      idle.push_back(cluster.name);
  note_left_out(task, idle);
  for (std::size_t i = 0; i < questions.size(); ++i) transfers.transfers[i].question = questions[i];
  show_blocks(task, graph, transfers);
  return 0;
}

/// The netlist with its blocks, and the question about it.
struct AskedBlocks {
  NetlistBlocks blocks;
  Subject subject;
};

AskedBlocks read_blocks(Task& task, const StatedInput& stated, const std::vector<std::string>& asked, bool all, bool again) {
  Input input;
  input.format = InputFormat::spice;
  NetlistBlocks blocks = netlist_blocks(task.arguments, stated, asked, all, input);
  if (again) input.notes.clear();
  input.content = Model(blocks.circuit);
  Subject subject = subject_of(task, std::move(input));
  blocks.circuit = *subject.circuit();
  return {std::move(blocks), std::move(subject)};
}

/// With everything put in, where that is not too much.
void verify_circuit(Task& task, const StatedInput& stated, const AskedBlocks& asked, const SignalFlowGraph& outside,
                    std::span<const Question> questions, BlockTransfers& transfers) {
  const bool all = std::ranges::none_of(asked.blocks.instances, [](const auto& each) { return each.like.has_value(); });
  Circuit flat;
  if (all) {
    flat = flat_circuit(asked.blocks);
  } else {
    Input input;
    flat = flat_circuit(netlist_blocks(task.arguments, stated, {}, true, input));
    flat.outputs = asked.blocks.circuit.outputs;
  }
  const Subject subject = asked.subject.quiet().with(Model(std::move(flat)));
  const EquationSystem& equations = subject.equations();
  SignalFlowGraph whole = equations.laws.empty() ? graph_of_rows(equations) : subject.regular_graph();
  std::vector<Question> there;
  for (Question question : questions) {
    const auto same = [&](NodeId id) { return output_signal(whole, outside[id].name, equations.definitions); };
    question.input = same(question.input);
    question.output = same(question.output);
    if (question.reference) question.reference = same(*question.reference);
    there.push_back(question);
  }
  verify_whole(transfers, outside, whole, there, block_options(task));
}

int of_subcircuits(Task& task, const StatedInput& stated) {
  constexpr std::size_t most_elements = 20'000;  ///< that are solved once more as a whole
  std::vector<std::string> asked;
  for (const char* option : {"from", "to", "ratio", "break"})
    for (const std::string& word : task.arguments.unread_copy().list(option)) asked.push_back(word);
  const Arguments words = task.arguments.unread_copy();
  const bool all = words.has("set") || words.has("numbers") || words.has("operating-point");
  AskedBlocks found = read_blocks(task, stated, asked, all, false);
  if (found.blocks.instances.empty())
    throw NoAnswer("the netlist has no subcircuits that could stay closed", "leave --form out", found.blocks.circuit.where);
  task.working("solving the blocks");
  std::optional<ClosedCircuit> closed = closed_circuit(found.blocks, asked, block_options(task));
  if (!closed) {
    found = read_blocks(task, stated, asked, true, true);
    closed = closed_circuit(found.blocks, asked, block_options(task));
  }
  const Subject outer = found.subject.with(Model(closed->circuit));
  const SignalFlowGraph& graph = outer.graph(GraphLayout::merged);
  const std::vector<Question> questions = questions_of(task.arguments, graph);
  task.working("finding transfer functions");
  BlockTransfers& transfers = closed->solved;
  solve_outside(graph, questions, block_options(task), transfers);
  if (closed->elements <= most_elements) verify_circuit(task, stated, found, graph, questions, transfers);
  if (!closed->opened.empty()) {
    std::string names;
    for (const std::string& name : closed->opened) names += (names.empty() ? "" : ", ") + name;
    task.notes.push_back({{},
                          "outside of the blocks that they stand in: " + names +
                              " (inputs, measured currents, nonlinear elements and "
                              "what belongs to them)",
                          "",
                          Severity::note});
  }
  show_blocks(task, graph, transfers);
  return 0;
}

}  // namespace

int tf_blocks(Task& task) {
  refuse_any(task.arguments, {"sweep", "asymptotic", "as"}, " has no place beside --form blocks", "leave one of the two out");
  const StatedInput stated = stated_input(task);
  if (stated.format == InputFormat::dot) return of_clusters(task, stated);
  if (stated.format == InputFormat::spice) return of_subcircuits(task, stated);
  throw UsageError(
      "--form blocks is of the subcircuits of a netlist and the clusters of a graph in DOT, and '" + stated.name + "' is neither",
      "leave it out");
}

}  // namespace sfg::command
