#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/graph/loops.hpp"
#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/ring/integer.hpp"
#include "sfg/transfer/question.hpp"

namespace sfg {

struct MasonOptions {
  std::uint64_t limit = 0;  ///< list at most so many paths, loops and sets each (the rest is counted, not listed); 0: all
  Budget budget = {};
};

/// The derivation of a transmittance by Mason's rule (Mason 1956): T = Σ P_k Δ_k / Δ.
/// Gains are expressions as stated; parallel branches are one branch.
struct MasonListing {
  struct ForwardPath {
    Path path;
    GiNaC::ex gain;                                           ///< P_k
    GiNaC::ex cofactor;                                       ///< Δ_k
    std::vector<std::vector<std::size_t>> non_touching = {};  ///< sets of pairwise non-touching loops that do not touch the path,
                                                              ///< single ones included, by size then index
  };
  struct Loop {
    Path path;
    GiNaC::ex gain;
  };

  Question question;
  std::vector<std::string> names = {};  ///< of the nodes, by index
  Operator op = {};
  std::vector<ForwardPath> paths = {};            ///< to the output: from the input, or from the reference of a ratio
  std::vector<ForwardPath> reference_paths = {};  ///< of a ratio: from the reference to the input; T is the quotient of both sums
  std::vector<Loop> loops = {};
  std::vector<std::vector<std::size_t>> non_touching =
      {};                 ///< sets of two or more pairwise non-touching loops, by size then index
  GiNaC::ex determinant;  ///< Δ, as the signed sum over the sets
  /// Sets include the empty one and the single loops. Nothing when a number is out of reach.
  std::optional<ring::Integer> path_count, loop_count, set_count;
  bool truncated = false;   ///< `limit` cut the lists: determinant and transmittance are then not given
  GiNaC::ex transmittance;  ///< in lowest terms
};

/// @throws NoAnswer when Δ vanishes identically (the message names the loops).
/// @throws sfg::Error when a branch is nonlinear.
/// @throws LimitReached when the lists exceed the budget and no limit was set.
MasonListing mason(const SignalFlowGraph&, const Question&, const MasonOptions& = {});

/// The gain as the rule states it, nothing multiplied out: (Σ P_k Δ_k, Δ), or (Σ P_k Δ_k, Σ Q_k Δ_k) of a ratio.
/// @throws std::invalid_argument when the listing is truncated.
std::pair<GiNaC::ex, GiNaC::ex> gain_by_paths(const MasonListing&);

}  // namespace sfg
