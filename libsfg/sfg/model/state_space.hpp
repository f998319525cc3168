#pragma once
#include <ginac/ex.h>

#include <string>
#include <vector>

#include "sfg/error.hpp"
#include "sfg/expr/symbol_table.hpp"
#include "sfg/model/operator.hpp"

namespace sfg {

/// ẋ = A x + B u, y = C x + D u, with symbolic entries. Empty matrices where there are no states, inputs or outputs.
struct StateSpace {
  using Matrix = std::vector<std::vector<GiNaC::ex>>;  ///< by rows

  std::string title = {};
  Operator op = "s";
  SymbolTable symbols;
  std::vector<std::string> states = {};
  std::vector<std::string> inputs = {};
  std::vector<std::string> outputs = {};
  Matrix A, B, C, D;
  SourceSpan where = {};
};

/// True when the output is that state: its row of C picks the state alone and its row of D is 0. The two may share a name.
bool is_state(const StateSpace&, std::size_t output, std::size_t state);

}  // namespace sfg
