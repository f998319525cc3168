#pragma once
#include <ginac/ex.h>

#include <string>
#include <vector>

#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/model/state_space.hpp"

namespace sfg {

/// The graph of ẋ = A x + B u, y = C x + D u: for every state x a node Dx with the sum and a branch Dx → x of gain 1/s (of a
/// discrete model the node zx; Dx_ where another signal is called Dx). Zero entries give no branch. An output
/// that is a state of the same name is one node with it.
/// @throws std::invalid_argument when the sizes of the matrices and names do not agree; sfg::Error when two signals have one
/// name.
SignalFlowGraph state_space_graph(const StateSpace&);

/// A transfer function as it was stated, nothing cancelled.
struct RationalTransfer {
  std::string title = {};
  Operator op = "s";
  SymbolTable symbols;
  std::vector<GiNaC::ex> numerator = {};  ///< coefficients, highest power first
  std::vector<GiNaC::ex> denominator = {};
  std::string input = "u";
  std::string output = "y";
  SourceSpan where = {};
};

/// The coefficients of an expression that is rational in the operator.
/// @throws sfg::Error when it is not rational in it.
RationalTransfer rational_transfer(const GiNaC::ex&, Operator, SymbolTable);

enum class Realization {
  controllable,  ///< one chain of integrators, fed back to its head, tapped for the output
  observable,    ///< its transpose: the input enters everywhere, the output is fed back
  parallel,      ///< partial fractions over the irreducible factors of the denominator, side by side
  cascade,       ///< blocks of the irreducible factors, one behind the other
};

/// A graph with gains free of the operator but for 1/s that has the transfer function; as many integrators as the degree
/// of the denominator. What makes the transfer function improper is one branch from input to output with a polynomial gain.
/// Factors are irreducible over the rational numbers: those of higher degree stay one block.
/// @throws sfg::Error when the denominator is 0.
SignalFlowGraph realization(const RationalTransfer&, Realization);

}  // namespace sfg
