#pragma once
#include <ginac/ex.h>

#include <span>
#include <vector>

#include "sfg/budget.hpp"

namespace sfg {

/// G(x) = 0: no unbalanced force at rest. Numbers and the unknowns are all that occurs in G.
struct StaticConditions {
  std::vector<GiNaC::ex> unknowns;   ///< symbols
  std::vector<GiNaC::ex> residuals;  ///< as many
};

/// How the stiffness ∂G/∂x answers a small displacement.
enum class Stability { stable, neutral, unstable };

struct StaticSolution {
  std::vector<GiNaC::ex> point;  ///< exact decimals with at least 25 correct digits
  double residual = 0;           ///< greatest |G_i| at that point
  Stability stability = Stability::stable;
  bool isolated = true;  ///< false when the stiffness is singular: the point can be moved
};

/// Newton's method with the symbolic Jacobian and step halving on |G|, from `start` and then from other starts spread over
/// several scales. The first solution is that of the first start that converges; further ones are different equilibria.
/// Angles that differ by whole turns are one. Empty when no start converges.
std::vector<StaticSolution> static_solutions(const StaticConditions&, std::span<const GiNaC::ex> start, const Budget& = {});

/// Signs of the eigenvalues of the symmetric part of a real matrix, by Sylvester's law of inertia.
Stability stability(std::vector<std::vector<double>> stiffness);

}  // namespace sfg
