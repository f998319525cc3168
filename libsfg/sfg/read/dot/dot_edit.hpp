#pragma once
#include <string>
#include <string_view>
#include <variant>

#include "sfg/read/source_text.hpp"

namespace sfg {

/// The node stands at (x, y) in points, y upwards.
struct PlaceNode {
  std::string node;
  double x = 0;
  double y = 0;
};
struct AddNode {
  std::string node;
};
struct AddBranch {
  std::string from;
  std::string to;
  std::string gain = "1";
};
/// A branch by its number in the order of the file, from 0, as `sfg graph --json` and `data-branch` of pictures count.
struct SetGain {
  std::size_t branch = 0;
  std::string gain;  ///< or the law of a nonlinear branch
};
struct DeleteBranch {
  std::size_t branch = 0;
};
/// With its branches, and out of the lists of inputs and outputs.
struct DeleteNode {
  std::string node;
};
using GraphEdit = std::variant<PlaceNode, AddNode, AddBranch, SetGain, DeleteBranch, DeleteNode>;

/// Reads an edit: "place NODE X,Y", "node NODE", "branch FROM -> TO = GAIN", "gain FROM -> TO = GAIN" or "gain NUMBER = GAIN",
/// "delete NODE", "delete FROM -> TO" or "delete branch NUMBER", names as DOT writes them. Branches by their ends are looked up
/// in the graph's text.
/// @throws sfg::Error where it is none, where the graph has no such branch, or several.
GraphEdit read_graph_edit(std::string_view words, const SourceText& graph);

/// A graph's DOT text with one change: comments, the order of statements and every line that the change does not concern stay as
/// they are. A statement of several branches is taken apart where one of them changes.
/// @throws sfg::Error where the text is no DOT, has no such node or branch, or makes the branch by a subgraph {…} -> …
std::string edited_dot(const SourceText& graph, const GraphEdit&);

}  // namespace sfg
