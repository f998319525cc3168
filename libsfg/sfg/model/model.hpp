#pragma once
#include <ginac/ex.h>

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sfg/error.hpp"
#include "sfg/expr/symbol_table.hpp"
#include "sfg/model/circuit.hpp"
#include "sfg/model/equations.hpp"
#include "sfg/model/lagrangian.hpp"
#include "sfg/model/multibody.hpp"
#include "sfg/model/operator.hpp"
#include "sfg/model/polar_network.hpp"

namespace sfg {

/// Models of different kinds side by side, and the branches of a signal-flow graph between their signals. A branch that enters a
/// source of a part drives it, which is then no input any more; one that enters any other name makes that a node of its own.
/// The parts share the symbols: a name means the same in all of them.
struct Joined {
  using Part = std::variant<EquationSystem, Lagrangian, Circuit, PolarNetwork, Multibody>;
  struct Branch {
    std::string from;  ///< a signal, or an expression linear in signals: "Dx", "ref - x", "v(a,b)"
    std::string to;
    GiNaC::ex gain = 1;
    SourceSpan where = {};
    SourceSpan from_where = {};
    SourceSpan to_where = {};
  };
  /// A name, or of an output an expression linear in signals, and where it stands.
  struct Node {
    std::string name;
    SourceSpan where = {};
  };

  std::string title = {};
  Operator op = "s";
  SymbolTable symbols;
  std::vector<Part> parts = {};
  std::vector<Node> nodes = {};  ///< that no branch needs to name
  std::vector<Branch> branches = {};
  std::vector<Node> inputs = {};
  std::vector<Node> outputs = {};
  SourceSpan where = {};
};

/// A signal of a part as it stands in the file, and whether branches may enter it.
struct PartSignal {
  std::string name;
  bool source = false;
  SourceSpan where = {};
};
/// Auxiliary coordinates and what a circuit is asked to measure are among them.
std::vector<PartSignal> signals(const Joined::Part&);
const char* kind_of(const Joined::Part&);

/// Adds a part, whose names become those of the whole: a symbol that both have is one symbol, with the value that one of them
/// states. Branches and what they drive are stated afterwards.
/// @throws sfg::Error with every name that has two values or two meanings, and every signal that another part has too.
void add_part(Joined&, Joined::Part);

/// The signals that branches enter, each once, in the order of the branches.
std::vector<std::string> driven(const Joined&);

/// Makes the circuits measure the voltages and currents that the expression names and that they have: "v(a,b)", "Di(R1)".
void measure(Joined&, std::string_view expression);
/// What is wrong with nodes, branches, inputs and outputs: a signal that is not there, one that cannot be driven, a driven one
/// that is stated as an input.
std::vector<Diagnostic> problems(const Joined&);

/// What a user may state instead of a graph.
using Model = std::variant<EquationSystem, Lagrangian, Circuit, PolarNetwork, Multibody, Joined>;

}  // namespace sfg
