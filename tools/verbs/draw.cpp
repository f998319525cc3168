#include <ostream>

#include "sfg/draw/graph/enclosures.hpp"
#include "sfg/draw/picture.hpp"
#include "sfg/draw/polar_picture.hpp"
#include "sfg/nonlinear/principal.hpp"
#include "sfg/plot/analog_sheet.hpp"
#include "sfg/write/graph.hpp"
#include "tools/frame/load.hpp"
#include "tools/frame/picture_places.hpp"
#include "tools/frame/pictures.hpp"
#include "tools/verbs/draw_blocks.hpp"
#include "tools/verbs/draw_mechanism.hpp"
#include "tools/verbs/draw_sheets.hpp"
#include "tools/verbs/export.hpp"

namespace sfg::command {

namespace {

/// The stages of a polar graph before it is a signal-flow graph.
void draw_polar(Task& task, const std::string& stage, PictureFormat format, const PictureOptions& options) {
  const Subject subject = subject_of(task);
  if (!subject.polar())
    throw UsageError("--as " + stage + " is of a model that is stated as a polar graph",
                     "leave it out, or state the model as [polar]");
  const PolarDerivation derivation = subject.polar_derivation();
  task.notes.insert(task.notes.end(), derivation.notes.begin(), derivation.notes.end());
  task.working("drawing");
  if (stage == "skeleton") {
    task.out << picture(skeleton_graph(derivation), format, options);
    return;
  }
  const PolarStage shown = stage == "tree" ? PolarStage::tree : PolarStage::graph;
  task.out << (format == PictureFormat::dot ? polar_dot(derivation.graph, shown)
                                            : picture(polar_picture(derivation.graph, shown), format, options));
}

/// What of the graph is drawn, and a word on what is not.
Parts parts_drawn(Task& task, const SignalFlowGraph& graph, PictureFormat format) {
  note_empty(task, graph);
  if (task.arguments.has("all") && task.arguments.has("only-used"))
    throw UsageError("--all and --only-used exclude each other", "leave out one of them");
  if (task.arguments.has("only-used") && graph.outputs.empty())
    throw UsageError("--only-used is about what outputs depend on, and none is stated", "add --to NODE");
  Parts parts = task.arguments.has("all") ? Parts::all : task.arguments.has("only-used") ? Parts::used : Parts::automatic;
  if (format == PictureFormat::dot && parts == Parts::automatic) parts = Parts::all;
  const std::vector<NodeId> nodes = left_out(graph, parts);
  if (!nodes.empty())
    task.notes.push_back({{},
                          "left out: " + in_words(graph, nodes),
                          parts == Parts::automatic ? "add --all to draw them, or --to NODE for another output" : "",
                          Severity::warning});
  for (const char* option : {"all", "only-used"})
    if (task.arguments.has(option) && left_out(graph, option == std::string("all") ? Parts::automatic : parts).empty())
      task.notes.push_back(
          {{}, std::string("--") + option + " makes no difference: all is drawn anyway", "leave it out", Severity::remark});
  return parts;
}

/// Graphviz knows four directions, pictures of ours two.
void note_direction(Task& task, const SignalFlowGraph& graph) {
  for (const auto& [name, value] : graph.attributes)
    if (name == "rankdir" && value != "LR" && value != "RL")
      task.notes.push_back(
          {graph.where, "rankdir=" + value + " is not followed: signals run from left to right, or with RL from right to left",
           "leave it out", Severity::warning});
}

/// A typed block diagram is drawn as what it is.
std::string kind_without_words(const Task& task) {
  const auto stated = task.given ? format_named(task.arguments.text("format")) : stated_format(task.arguments);
  const std::string& file = task.arguments.input();
  const bool typed = stated ? *stated == InputFormat::sfg : file.ends_with(".sfg");
  return typed ? "blocks" : "";
}

int run_draw(Task& task) {
  const PictureFormat format = picture_format(task.arguments);
  PictureOptions options = picture_options(task, format);
  const std::string kind = task.arguments.text("as", kind_without_words(task));
  if (task.arguments.has("highlight") && kind != "" && kind != "sfg" && kind != "reduced")
    throw UsageError("--highlight is about a signal-flow graph", "leave it out");
  for (const char* parts : {"all", "only-used", "closed", "open", "like", "mirror", "number-loops", "positions"})
    if (task.arguments.has(parts) && kind != "" && kind != "sfg" && kind != "reduced")
      throw UsageError(std::string("--") + parts + " is about a signal-flow graph", "leave it out");
  if (kind == "analog") {
    const AnalogProgram program = analog_program_of(task);
    task.working("drawing");
    task.out << (format == PictureFormat::dot ? analog_dot(program, options.theme)
                                              : picture(analog_sheet(program, options), format, options));
    return 0;
  }
  for (const Option& option : analog_run_options())
    if (task.arguments.has(option.name.substr(2)))
      throw UsageError(option.name + " is about an analog program", "add --as analog");
  if (kind == "mechanism") return draw_mechanism(task, format, options);
  for (const Option& option : mechanism_options())
    if (task.arguments.has(option.name.substr(2))) throw UsageError(option.name + " is about a mechanism", "add --as mechanism");
  if (kind == "polar" || kind == "tree" || kind == "skeleton") {
    draw_polar(task, kind, format, options);
    return 0;
  }
  if (is_sheet(kind)) return draw_sheet(task, kind, format, options);
  const bool merged = task.arguments.text("layout") == "merged";
  const GraphLayout layout = merged ? GraphLayout::merged : GraphLayout::two_node;
  const bool in_blocks = task.arguments.has("closed") || task.arguments.has("open");
  DrawnBlocks drawn = in_blocks ? blocks_of(task, layout) : DrawnBlocks{graph_of(task, layout)};
  SignalFlowGraph& graph = drawn.graph;
  mark_ends(task.arguments, graph);
  if (kind == "reduced") {
    if (graph.linear())
      throw NoAnswer("the graph has no nonlinear branch, so that it has no principal nodes", "draw it as it is");
    graph = reduced_graph(principal_reduction(graph, {}, {}, {.budget = task.budget}));
  }
  const std::vector<BlockOutline>& blocks = drawn.blocks;
  if (!blocks.empty() && task.arguments.has("highlight"))
    throw UsageError("--highlight counts loops of the whole graph, and --closed and --open show blocks of it",
                     "leave one of them out");
  options.highlight = highlight_of(task, graph);
  options.parts = parts_drawn(task, graph, format);
  state_places(task, graph, options);
  if (format != PictureFormat::dot) note_direction(task, graph);
  if (task.arguments.has("positions")) {
    if (format != PictureFormat::dot)
      throw UsageError("--positions writes the graph with its places, as DOT", "add -o graph.dot, or leave it out");
    write_dot(task.out, positioned(task, graph, options));
    return 0;
  }
  for (const char* option : {"like", "mirror", "number-loops"})
    if (format == PictureFormat::dot && task.arguments.has(option))
      throw UsageError(std::string("--") + option + " has no meaning for DOT, whose reader places the nodes",
                       "add --positions, or write another format");
  task.working("drawing");
  task.out << (blocks.empty() ? picture(graph, format, options) : enclosed_picture(graph, blocks, format, options));
  return 0;
}

}  // namespace

Verb draw() {
  using Kind = Option::Kind;
  std::vector<Option> options{
      {"--as",
       "KIND",
       "sfg: the signal-flow graph (default); blocks: the structural diagram; matrix: I − A of a graph, D of a model; loops: "
       "every "
       "forward path, loop and non-touching set in a small picture; of a nonlinear one also reduced: that of its principal "
       "nodes; analog: the program "
       "of "
       "an analog computer; of a [polar] model also polar: its polar graph, tree: that with the Lagrange tree bold, skeleton: "
       "the "
       "branches of single elements; mechanism: a [multibody] model in its position",
       Kind::choice,
       {"sfg", "blocks", "matrix", "loops", "reduced", "analog", "polar", "tree", "skeleton", "mechanism"}},
      {"--layout", "LAYOUT", "of a model's graph: two-node (default) or merged", Kind::choice, {"two-node", "merged"}},
      {"--all", "", "all nodes, also of a graph with more than 150 branches those that no stated output depends on"},
      {"--only-used", "", "of any graph only what a stated output depends on"},
      highlight_option()};
  for (Option& option : block_options()) options.push_back(std::move(option));
  for (Option& option : place_options()) options.push_back(std::move(option));
  for (Option& option : picture_option_table()) options.push_back(std::move(option));
  for (Option& option : mechanism_options()) options.push_back(std::move(option));
  for (Option& option : analog_run_options()) options.push_back(std::move(option));
  return {.name = "draw",
          .summary = "a picture of the graph as SVG, PNG, PDF, EPS, TikZ or DOT",
          .details =
              "The graph: inputs (--from) left, outputs (--to) right, gains as mathematics, feedback branches against the "
              "forward line, "
              "nonlinear branches marked. A long forward line is broken into rows. "
              "The analog program (--as analog): integrators, summers, potentiometers and multipliers as the field draws them. "
              "The mechanism (--as mechanism): links, joints, guides, springs, dampers and loads by their usual symbols.",
          .options = std::move(options),
          .examples = {"sfg draw examples/vehicle.toml -o vehicle.svg", "sfg draw vehicle.dot --dark -o vehicle.png",
                       "sfg draw servo2.dot --like servo.svg -o servo2.svg",
                       "sfg draw examples/servo.dot --as analog -o servo_analog.svg",
                       "sfg draw examples/coupled_masses.toml --as tree -o tree.svg",
                       "sfg draw examples/double_pendulum.toml --as mechanism --state s1=0.5 -o pendulum.svg"},
          .run = run_draw,
          .refuses = {{"--json", "'sfg graph --json' writes the graph, 'sfg draw --type svg' the picture"},
                      {"--ratio", "no response is asked for"},
                      {"--inject", "no response is asked for"}}};
}

}  // namespace sfg::command
