#pragma once
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg::python {

/// A graph that is built step by step. Inputs and outputs are kept by name, since they may be stated before they are nodes.
/// All of it is for the formula thread.
struct Sketch {
  SignalFlowGraph graph;
  std::vector<std::string> inputs, outputs;

  explicit Sketch(SignalFlowGraph);
  /// The graph with its inputs and outputs, added as nodes where no branch has named them.
  SignalFlowGraph whole() const;
};

/// What is stated of a parameter, as text; empty where it is not.
struct StatedParameter {
  std::string name, value = {}, unit = {}, tolerance = {}, distribution = {}, text = {};
};
/// What is stated of a graph before it has branches.
struct GraphHead {
  std::string title = {}, variable = "s", sample_time = {};
  std::vector<std::string> inputs = {}, outputs = {};
};

/// @throws sfg::Error for what is no name of an operator, no number.
Sketch sketch(const GraphHead&);
/// @throws sfg::Error for what is no name, or no value.
void state(Sketch&, const StatedParameter&);
/// Adds a branch, and its ends where they are new. @throws sfg::Error, and the graph is as before.
void add_branch(Sketch&, const std::string& from, const std::string& to, const std::string& gain);
/// Adds a branch with a law in u, v, t and the signals that `arguments` names ("w=z": w stands for the signal z).
void add_law(Sketch&, const std::string& from, const std::string& to, const std::string& law,
             const std::vector<std::string>& arguments);

/// What goes from a graph and what changes; branches by their numbers, from 0.
struct SketchEdit {
  std::vector<std::string> nodes_gone = {};  ///< with their branches, and out of the inputs and outputs
  std::vector<std::size_t> branches_gone = {};
  std::vector<std::string> parameters_gone = {};
  std::map<std::size_t, std::string> gains = {};  ///< of linear branches
};
/// Names that nothing states and no gain has any more go, too. @throws sfg::Error, and the graph is as before.
void edit(Sketch&, const SketchEdit&);
/// A gain as branches of the graph tell theirs.
std::string gain_text(const Sketch&, const std::string& gain);

/// Stands for the file of a text that nobody has written, so that its places tell nothing.
inline constexpr char of_no_file[] = "<graph>";

std::string dot(const SignalFlowGraph&);

/// A graph as plain values.
struct GraphTables {
  struct Line {
    std::string from, to, gain = {}, law = {};  ///< gain or law
    std::vector<std::string> arguments = {};
  };
  GraphHead head;
  std::vector<StatedParameter> parameters = {};  ///< those without a value too
  std::vector<std::string> nodes = {};
  std::vector<Line> branches = {};
};
GraphTables tables(const Sketch&);

}  // namespace sfg::python
