#pragma once
#include <optional>
#include <string>

#include "sfg/budget.hpp"
#include "sfg/exact/rational_polynomial.hpp"
#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg {

/// α ≤ f(u)/u ≤ β; no β: unbounded.
struct Sector {
  exact::Rational low;
  std::optional<exact::Rational> high;
};

/// A loop of one law f(u) and a linear part, u = −G(s) f(u): asymptotically stable at large for every f in the sector?
struct AbsoluteStability {
  struct Verdict {
    bool holds = false;
    /// Sectors [α, β] with β below this are covered, to six digits; nothing: however large. No meaning where `none`.
    std::optional<double> largest;
    bool none = false;                 ///< not even for f(u) = α u
    std::optional<exact::Rational> q;  ///< of Popov's criterion: a factor with which it holds
  };
  std::string law, signal;  ///< as stated, and u
  Sector sector;
  bool stated = false;             ///< the sector was given, not found from the law
  exact::RationalPolynomial N, D;  ///< G = N/D
  Verdict linear;                  ///< f(u) = k u for every k of the sector: necessary
  Verdict circle;                  ///< also for laws that change with time (Zames 1966)
  std::optional<Verdict> popov;    ///< of laws that do not (Popov 1961)
};

struct SectorQuestion {
  std::optional<Sector> sector = {};                    ///< else found from the law
  std::optional<std::pair<double, double>> range = {};  ///< of u, for a sector that is found; else all numbers
  Budget budget = {};
};

/// Exact: a criterion holds when a polynomial of ω² has no root on the positive axis.
/// @throws NoAnswer unless the graph has exactly one law of one signal and a linear part without dead time; where f(0) ≠ 0.
AbsoluteStability absolute_stability(const SignalFlowGraph&, const SectorQuestion& = {});

}  // namespace sfg
