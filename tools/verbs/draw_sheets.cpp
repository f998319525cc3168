#include "tools/verbs/draw_sheets.hpp"

#include <ostream>

#include "sfg/draw/blocks/block_diagram.hpp"
#include "sfg/draw/paper_size.hpp"
#include "sfg/draw/sheets/matrix_picture.hpp"
#include "sfg/transfer/mason.hpp"
#include "tools/frame/decimals.hpp"
#include "tools/frame/load.hpp"
#include "tools/frame/output.hpp"

namespace sfg::command {

namespace {

GraphLayout layout_of(const Task& task) {
  return task.arguments.text("layout") == "merged" ? GraphLayout::merged : GraphLayout::two_node;
}

Scene blocks(Task& task, const PictureOptions& picture) {
  Subject subject = subject_of(task);
  BlockDiagramOptions options{.decimals = typed_decimals(task), .budget = task.budget};
  SignalFlowGraph graph = subject.graph(layout_of(task));
  if (subject.model())
    for (const EquationSystem::Unknown& unknown : subject.shortest_equations().unknowns)
      options.coordinates.push_back(unknown.name);
  mark_ends(task.arguments, graph);
  note_empty(task, graph);
  options.width = picture.width / natural_size(options.text_size, picture);
  task.working("drawing");
  return block_diagram(graph, options);
}

Scene matrix(Task& task) {
  Subject subject = subject_of(task);
  const MatrixPictureOptions options{.budget = task.budget};
  if (subject.model()) {
    if (task.arguments.has("layout")) throw UsageError("--layout is of a graph, and the matrix is of equations", "leave it out");
    subject.equations();
    task.working("drawing");
    return matrix_picture(operator_matrix(subject.shortest_equations()), options);
  }
  const SignalFlowGraph& graph = subject.graph();
  note_empty(task, graph);
  note_ends(task, graph, "the matrix");
  task.working("drawing");
  return matrix_picture(return_difference(graph), options);
}

Scene loops(Task& task, const PictureOptions& picture) {
  SignalFlowGraph graph = graph_of(task, layout_of(task));
  const std::vector<Question> questions = questions_of(task.arguments, graph);
  constexpr double letters = 10.5, smallest = 0.7;  // of a small picture, pixels; of the size that is asked for
  const LoopSheetOptions options{.sheet_width = picture.width / (smallest * natural_size(letters, picture)),
                                 .budget = task.budget};
  std::vector<MasonListing> listings;
  for (const Question& question : questions)
    listings.push_back(mason(graph, question, {.limit = options.most_pictures + 1, .budget = task.budget}));
  mark_ends(task.arguments, graph);
  task.working("drawing");
  return loop_sheet(graph, listings, options);
}

}  // namespace

void note_empty(Task& task, const SignalFlowGraph& graph) {
  if (graph.nodes().empty())
    task.notes.push_back({graph.where, "the graph has no nodes: the picture is empty", "", Severity::warning});
}

bool is_sheet(const std::string& kind) { return kind == "blocks" || kind == "matrix" || kind == "loops"; }

int draw_sheet(Task& task, const std::string& kind, PictureFormat format, const PictureOptions& options) {
  if (format == PictureFormat::dot)
    throw UsageError("--as " + kind + " is no graph that DOT could state", "end the name in .svg, .png, .pdf, .eps or .tex");
  const Scene scene = kind == "blocks" ? blocks(task, options) : kind == "matrix" ? matrix(task) : loops(task, options);
  task.out << picture(scene, format, options);
  return 0;
}

}  // namespace sfg::command
