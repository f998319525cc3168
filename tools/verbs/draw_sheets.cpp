#include "tools/verbs/draw_sheets.hpp"

#include <ostream>

#include "sfg/derive/polar/polar_derivation.hpp"
#include "sfg/draw/block_diagram.hpp"
#include "sfg/draw/loop_sheet.hpp"
#include "sfg/draw/matrix_picture.hpp"
#include "sfg/transfer/mason.hpp"
#include "tools/frame/decimals.hpp"
#include "tools/frame/load.hpp"
#include "tools/frame/output.hpp"

namespace sfg::command {

namespace {

GraphLayout layout_of(const Task& task) {
  return task.arguments.text("layout") == "merged" ? GraphLayout::merged : GraphLayout::two_node;
}

/// The equations that derive shows; of a polar graph in as few unknowns as there are.
EquationSystem shown_equations(Task& task, const Model& model, const EquationSystem& all) {
  const auto* network = std::get_if<PolarNetwork>(&model);
  return network ? polar_derivation(*network, task.budget).shortest() : all;
}

Scene blocks(Task& task) {
  Input input = input_of(task);
  BlockDiagramOptions options{.decimals = typed_decimals(task), .budget = task.budget};
  SignalFlowGraph graph;
  if (const auto* model = std::get_if<Model>(&input.content)) {
    const EquationSystem equations = equations_of(task, *model);
    for (const EquationSystem::Unknown& unknown : shown_equations(task, *model, equations).unknowns)
      options.coordinates.push_back(unknown.name);
    graph = graph_of(task, equations, layout_of(task));
  } else {
    graph = graph_of(task, std::move(input), layout_of(task));
  }
  mark_ends(task.arguments, graph);
  task.working("drawing");
  return block_diagram(graph, options);
}

Scene matrix(Task& task) {
  Input input = input_of(task);
  const MatrixPictureOptions options{.budget = task.budget};
  if (const auto* model = std::get_if<Model>(&input.content)) {
    if (task.arguments.has("layout")) throw UsageError("--layout is of a graph, and the matrix is of equations", "leave it out");
    const EquationSystem equations = equations_of(task, *model);
    task.working("drawing");
    return matrix_picture(operator_matrix(shown_equations(task, *model, equations)), options);
  }
  const SignalFlowGraph graph = graph_of(task, std::move(input));
  note_ends(task, graph, "the matrix");
  task.working("drawing");
  return matrix_picture(return_difference(graph), options);
}

Scene loops(Task& task) {
  SignalFlowGraph graph = graph_of(task, layout_of(task));
  const std::vector<Question> questions = questions_of(task.arguments, graph);
  const LoopSheetOptions options{.budget = task.budget};
  std::vector<MasonListing> listings;
  for (const Question& question : questions)
    listings.push_back(mason(graph, question, {.limit = options.most_pictures + 1, .budget = task.budget}));
  mark_ends(task.arguments, graph);
  task.working("drawing");
  return loop_sheet(graph, listings, options);
}

}  // namespace

bool is_sheet(const std::string& kind) { return kind == "blocks" || kind == "matrix" || kind == "loops"; }

int draw_sheet(Task& task, const std::string& kind, PictureFormat format, const PictureOptions& options) {
  if (format == PictureFormat::dot)
    throw UsageError("--as " + kind + " is no graph that DOT could state", "end the name in .svg, .png, .pdf, .eps or .tex");
  const Scene scene = kind == "blocks" ? blocks(task) : kind == "matrix" ? matrix(task) : loops(task);
  task.out << picture(scene, format, options);
  return 0;
}

}  // namespace sfg::command
