#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/transfer/question.hpp"

namespace sfg {

/// How many values of a parameter give the same transfer functions, over the complex numbers, in general position.
enum class Identifiability {
  unique,   ///< one
  locally,  ///< several, but finitely many
  finite,   ///< finitely many; whether there is more than one was not found within the limits
  never,    ///< a whole curve
};

struct IdentifiableParameter {
  std::string name;
  Identifiability found = Identifiability::never;
  bool influence = true;  ///< the transfer functions depend on it
};

/// Which parameters transfer functions determine, and which combinations of the others.
struct Identifiable {
  std::vector<IdentifiableParameter> parameters;
  /// Independent functions of the parameters, each with one value for given transfer functions, as many as can be found.
  std::vector<RationalFunction> combinations;
  /// Whether the transfer functions are functions of the combinations (and of what is known); false: not shown.
  bool generate = true;
  std::size_t degrees_of_freedom = 0;  ///< parameters − combinations
  std::vector<std::string> notes;      ///< what was not decided, and how functions of parameters were taken
};

struct IdentifiableOptions {
  std::vector<std::string> known = {};  ///< parameters with known values, derived ones among them
  Budget budget = {};
  std::uint64_t seed = 1;
};

/// From the closed forms of the transfer functions alone, whatever values are stated: ranks, numbers of solutions and whether a
/// function has one value in all of them are found at random points modulo primes of 61 bits, twice (docs/methods.md).
/// @throws sfg::Error for a known name that is no parameter; NoAnswer for functions that leave the question undecided.
Identifiable identifiable(const SignalFlowGraph&, std::span<const Question>, const IdentifiableOptions& = {});

}  // namespace sfg
