#pragma once
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/read/laws.hpp"

namespace sfg {

/// What a graph states of itself beside its nodes and branches, each a text of its file: variable, sample_time, parameters,
/// units, tolerances, distributions, texts, tables, correlations, input, output. One meaning in DOT and GraphML.
class StatedAttributes {
 public:
  /// The text of an attribute; nothing where the file does not state it.
  using Lookup = std::function<std::optional<Passage>(std::string_view)>;
  StatedAttributes(const SourceText&, SignalFlowGraph&, Problems&, Lookup);

  static const std::vector<std::string>& names();
  static bool contains(const std::string& name);
  /// Those and the title, which every reader takes by itself.
  static bool are_of_graph(const std::string& name) { return name == "title" || contains(name); }
  /// The one that was meant by a name that is none of them; "" where it is somebody's own.
  static std::string meant_by(const std::string& name);

  /// The operator and the parameters, before the first gain is read. @param nodes  names that a unit may be of
  void before_nodes(const std::set<std::string>& nodes);
  /// Units that were stated for signals.
  const std::map<std::string, std::string>& node_units() const noexcept { return node_units_; }
  /// Checks the parameters, and finds inputs and outputs among the nodes.
  void after_branches(Laws&);

 private:
  void operator_symbol();
  void parameters(const std::set<std::string>& nodes);
  void correlations();
  void units(const std::set<std::string>& nodes);
  void remarks(std::string_view attribute, const std::function<void(Symbol&, const std::string&, const SourceSpan&)>&);
  void each_remark(std::string_view attribute, const std::function<void(const Passage&, const std::string&, const SourceSpan&)>&);
  std::vector<NodeId> ends(const char* attribute, Laws&);
  std::vector<NodeId> outputs(Laws&);

  const SourceText& source_;
  SignalFlowGraph& graph_;
  Problems& problems_;
  Lookup stated_;
  std::map<std::string, std::string> node_units_;
};

}  // namespace sfg
