#pragma once
#include <map>
#include <string>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/expr/rational_arithmetic.hpp"

namespace sfg {

/// E ẇ = F w + Σ G_d u⁽ᵈ⁾, y = C w + Σ D_d u⁽ᵈ⁾ over the rational functions of the parameters, sparse: what a graph is before its
/// algebraic signals are eliminated. Derivatives of u come and go with them.
struct Descriptor {
  using Entries = std::map<std::size_t, RationalFunction>;  ///< by column, none of them 0
  struct Row {
    Entries E, F;
    std::vector<Entries> G;  ///< by derivative of u
    std::size_t own = 0;     ///< the unknown it is the equation of: preferred when one is solved for
  };
  struct Output {
    Entries C;
    std::vector<Entries> D;
  };

  PolynomialSpace space;
  std::vector<std::string> names;  ///< of the unknowns
  std::vector<Row> rows;           ///< as many as unknowns
  std::vector<Output> outputs;
  std::vector<std::size_t> states;  ///< of a state-space form: the unknowns that are left, in the order of the rows
};

/// The state-space form: eliminates what has no derivative until E is regular, then solves for the derivatives (row i becomes
/// that of states[i]) and removes the derivatives of u from the rows; D_1, D_2, … stay where an output is improper.
/// @throws NoAnswer when the pencil s E − F is singular.
Descriptor state_space_form(Descriptor, const Budget&);

}  // namespace sfg
