#pragma once
#include <ginac/ex.h>

#include <string>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/compare/equality.hpp"
#include "sfg/compare/model_pair.hpp"

namespace sfg {

/// One place at which two models differ, and what the difference of their transfer functions comes from: with that place changed
/// the one has exactly the transfer functions of the other.
struct Explanation {
  enum class Kind {
    branch,     ///< of a graph: from the node `from` to the node `to`
    entry,      ///< of the equations: row `from`, column `to`
    parameter,  ///< `from`
    signal,     ///< the input or output `from`, counted with the other sign
  };
  enum class Side {
    both,  ///< the models agree in everything else
    a,     ///< the place is in a, which becomes b's equal by the change
    b,     ///< the place is in b, which becomes a's equal by it
  };
  enum class Change { sign, missing, extra, gain };  ///< of b against a
  Kind kind = Kind::branch;
  Side side = Side::both;
  Change change = Change::gain;
  std::string from, to;
  GiNaC::ex a, b;      ///< what stands there in a and what in b, or would have to; 0: nothing
  bool exact = false;  ///< proved for polynomials; false: at random points modulo primes
  int rank = 0;        ///< how plain the change is: tens for its kind (sign, missing, gain, extra), then how far it was fetched
};

struct Explanations {
  /// Each alone explains the difference; the plainest first.
  std::vector<Explanation> alternatives = {};
  /// Where no plain change of a single place does, and the models have the same nodes: all places that differ.
  std::vector<Explanation> together = {};
};

struct ExplanationOptions {
  Budget budget = {};
  std::uint64_t seed = 1;
  std::size_t most = 3;       ///< alternatives
  std::size_t together = 12;  ///< places
};

/// What makes the transfer functions of two models differ: what differs between them where their nodes have the same names, else
/// the single branch, entry or parameter whose change makes them the same. Each is verified by equality().
Explanations explanations(const ModelPair&, const ExplanationOptions& = {});

/// The graph with the gains from one node to another taken out and one of `gain` in their place (0: none).
SignalFlowGraph with_gain(const SignalFlowGraph&, NodeId from, NodeId to, const GiNaC::ex& gain);

}  // namespace sfg
