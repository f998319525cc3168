#include "tools/frame/picture_places.hpp"

#include <algorithm>

#include "sfg/draw/graph/stated_places.hpp"
#include "sfg/read/input.hpp"
#include "sfg/read/svg_places.hpp"
#include "tools/frame/output.hpp"

namespace sfg::command {

namespace {

Places places_in(const std::string& file) {
  if (file == "-") throw UsageError("--like names a file, and '-' is standard input", "name an SVG or DOT file");
  const std::string text = text_of_file(file);
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (extension_of(file) == "svg" || (begin != std::string::npos && text[begin] == '<' && extension_of(file) != "graphml"))
    return read_svg_places(text, file);
  const Input input = read_as_file(text, file);
  const auto* graph = std::get_if<SignalFlowGraph>(&input.content);
  Places places = graph != nullptr ? places_of(*graph) : Places{};
  if (places.nodes.empty())
    throw UsageError("'" + file + "' states no places: its nodes have no pos",
                     "write it with --positions, or name an SVG that 'sfg draw' wrote");
  return places;
}

}  // namespace

Option positions_option() {
  return {"--positions", "", "of DOT: the graph itself, with the places of its nodes and the courses of its branches (pos)"};
}

std::vector<Option> place_options() {
  return {{"--like", "FILE",
           "nodes and branches that the graph has in common with an earlier picture stay where they are: FILE is an SVG of "
           "'sfg draw', or DOT with --positions"},
          {"--mirror", "", "of a graph: from right to left, as rankdir=RL of the file asks, or back"},
          {"--number-loops", "", "of a graph: L1, L2 … in its loops, as 'sfg mason' counts them"},
          positions_option()};
}

void state_places(Task& task, const SignalFlowGraph& graph, PictureOptions& options) {
  options.mirror = task.arguments.has("mirror");
  options.number_loops = task.arguments.has("number-loops");
  if (!task.arguments.has("like")) return;
  options.like = places_in(task.arguments.text("like"));
  const auto common =
      std::ranges::count_if(graph.nodes(), [&](const Node& node) { return options.like->nodes.contains(node.name); });
  if (common < 2)
    task.notes.push_back({{},
                          "--like keeps nothing: the graph has " + std::string(common == 0 ? "no node" : "one node alone") +
                              " in common with '" + task.arguments.text("like") + "'",
                          "name a picture of an earlier state of the graph",
                          Severity::warning});
}

SignalFlowGraph positioned(Task& task, const SignalFlowGraph& graph, const PictureOptions& options) {
  task.working("drawing");
  return with_positions(graph, fitted_drawing(graph, options));
}

}  // namespace sfg::command
