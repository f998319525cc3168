#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sfg/expr/math_tree.hpp"
#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg {

/// How a picture shows the names of a graph: as the field writes them, v(c17) as V with c17, gm_XQ10 as g with m10, Vin as V
/// with in, and no two names alike. Names in which nothing of the kind is seen stay as they are.
class ShownNames {
 public:
  explicit ShownNames(const SignalFlowGraph&);

  /// Of a node.
  Math signal(std::string_view name) const;
  /// The formula with its names as they are shown.
  Math in(Math formula) const;

 private:
  std::map<std::string, Math, std::less<>> shown_;  ///< by name, where it is shown otherwise than it is written
};

/// The ways in which a name may be shown, best first, the last one as it is written. A letter that is the operator's is no stem.
std::vector<Math> ways_to_show(std::string_view name, std::string_view operator_symbol = {});

}  // namespace sfg
