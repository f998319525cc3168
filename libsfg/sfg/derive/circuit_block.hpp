#pragma once
#include <ginac/ex.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/model/circuit.hpp"
#include "sfg/model/equations.hpp"

namespace sfg {

/// A part of a circuit as it is seen from its terminals: what is inside is solved for, and what stays is a square matrix S with
/// Σ_j S_ij v_j = the current into terminal i. Unknowns of the inside that cannot be solved for (the current of a voltage source
/// at a terminal, of an ideal operational amplifier) stay beside the voltages, with as many equations Σ_j S_ij v_j = 0.
struct CircuitBlock {
  /// Of the inside alone: an unknown for what one of its equations has on its right.
  struct Response {
    std::string source, output;
  };
  /// S_ij = direct + Σ factor · response
  struct Entry {
    struct Term {
      GiNaC::ex factor;
      std::size_t response;
    };
    std::size_t row, column;
    GiNaC::ex direct;
    std::vector<Term> terms = {};
    std::uint64_t residue = 0;  ///< at the point, found by elimination
  };
  EquationSystem system;  ///< of the inside
  std::vector<Response> responses = {};
  std::size_t size = 0;             ///< of S; the terminals come first
  std::vector<Entry> entries = {};  ///< those that are not zero, row by row
  ModularPoint point;
};

/// @param terminals  nodes of the part, or of nothing in it
/// @throws as circuit_equations
CircuitBlock circuit_block(const Circuit& part, std::span<const std::string> terminals, const Budget& = {});

}  // namespace sfg
