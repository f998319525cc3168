#pragma once
#include <functional>
#include <string>
#include <vector>

#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/model/model.hpp"
#include "sfg/read/document/document.hpp"

namespace sfg {

/// The parts of a model file that are not the model itself; nullptr where the file does not state them.
struct SharedParts {
  const Value* title = nullptr;
  const Value* variable = nullptr;
  const Value* parameters = nullptr;
  const Value* equilibrium = nullptr;
  const Value* input = nullptr;
  const Value* output = nullptr;
  const Value* units = nullptr;   ///< of signals
  const Value* tables = nullptr;  ///< that laws call
  const Value* driven = nullptr;  ///< the inputs of [simulation], as functions of time
  const Joined* whole = nullptr;  ///< of a part of a joined model: its operator and its symbols are common to all
};

/// The parts of a graph, in TOML or JSON.
struct GraphParts {
  const Value* nodes = nullptr;
  const Value* branches = nullptr;
  const Value* attributes = nullptr;
};

SignalFlowGraph graph_of(const DocumentReader&, const GraphParts&, const SharedParts&);
Lagrangian lagrangian_of(const DocumentReader&, const Value& table, const SharedParts&);
EquationSystem equations_of(const DocumentReader&, const Value& table, const SharedParts&);
PolarNetwork polar_network_of(const DocumentReader&, const Value& table, const SharedParts&);
Multibody multibody_of(const DocumentReader&, const Value& table, const SharedParts&);

/// [graph] with other models, and the circuits of `circuit`: one of the parts, or a list.
struct JoinedParts {
  const Value* graph = nullptr;
  const Value* lagrange = nullptr;
  const Value* matrix = nullptr;
  const Value* polar = nullptr;
  const Value* multibody = nullptr;
  const Value* circuit = nullptr;
};
/// @param open  gives the text of a file in the folder of this one.
Joined joined_of(const DocumentReader&, const JoinedParts&, const SharedParts&,
                 const std::function<std::string(const std::string&)>& open, std::vector<Diagnostic>& notes);

/// Begins the symbols of a model: the operator and the parameters, those of the whole where it is a part.
void read_symbols(const DocumentReader&, const SharedParts&, Operator&, SymbolTable&);
/// The operator, as stated or the default, into the table of symbols.
void read_operator(const DocumentReader&, const Value* stated, Operator&, SymbolTable&);
/// The table [tables]: name = { file = "x.csv", interpolation = "spline" } or { x = […], y = […] }.
void read_tables(const DocumentReader&, const Value& stated, SymbolTable&);
void read_sample_time(const DocumentReader&, const Value* stated, Operator&);
/// The names of [analysis]: each must be one of the known ones; with a table of parameters also what is linear in them.
std::vector<std::string> read_ends(const DocumentReader&, const Value* stated, const char* role,
                                   const std::vector<std::string>& known, const SymbolTable* parameters = nullptr);

}  // namespace sfg
