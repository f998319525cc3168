#pragma once
#include <ginac/ex.h>

#include <string>
#include <unordered_map>
#include <vector>

#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/read/source_text.hpp"

namespace sfg {

/// Reads the gains and nonlinear laws of a graph, whatever format they stand in.
class Laws {
 public:
  Laws(const SourceText&, SymbolTable&, Problems&);

  /// The gain; 1 where it is wrong, which is then a problem.
  GiNaC::ex gain(const Passage&);
  /// An expression of u, v and t, of further signals and of tables.
  Nonlinearity nonlinear(const Passage&, const SourceSpan& branch);
  /// Signals beside that at the tail: "x2" is the node x2 under its own name, "y=node 3" another one as y; Dy is its rate.
  void arguments(const std::vector<Passage>& entries, Nonlinearity&, const SignalFlowGraph&);
  /// Arguments of a branch without a law say nothing, which is said.
  void doubt_arguments(const SourceSpan&);
  /// The stated nodes; unknown ones are problems.
  std::vector<NodeId> nodes(const std::vector<Passage>& names, const char* role, const SignalFlowGraph&);
  /// After the last branch: u, v and t get their kinds, and must not be names of gains or parameters too.
  void finish();

 private:
  GiNaC::ex argument_symbol(const std::string& name, const SourceSpan&);
  const SourceText& source_;
  SymbolTable& symbols_;
  Problems& problems_;
  std::unordered_map<std::string, GiNaC::ex> known_;  ///< gains repeat: 1, -1, k
  std::vector<std::pair<GiNaC::ex, SourceSpan>> gains_with_law_names_;
  std::vector<std::pair<GiNaC::ex, SourceSpan>> laws_;
  std::vector<std::pair<GiNaC::ex, SourceSpan>> arguments_;  ///< symbols of further signals
};

/// A list separated by commas, blanks around the entries dropped; a backslash before a comma, a blank or a backslash
/// takes it into the entry. In parentheses they separate nothing where calls are whole: "v(a,b)".
enum class Calls { split, whole };
std::vector<Passage> split_list(const Passage&, Calls calls = Calls::split);
/// An entry of such a list without its escaping backslashes.
std::string unescaped(const Passage&);

}  // namespace sfg
