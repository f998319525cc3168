#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/derive/multibody/multibody_equations.hpp"

namespace sfg {

/// How a mechanism may move: what is counted, and what numbers say of its constraints.
struct ConstraintCheck {
  std::size_t bodies = 0, particles = 0, joints = 0;
  std::size_t loops = 0;        ///< joints − bodies + trees: joints that are cut
  std::size_t speeds = 0;       ///< of the tree of joints, modes, wheels and particles
  std::size_t constraints = 0;  ///< rows, of these
  std::size_t rank = 0;         ///< of them in general position; of as many as there are, where nothing was calculated
  bool calculated = false;      ///< false where parameters have no values: then rank is a guess

  /// The same mechanism with all bodies free, 6 coordinates each (in the plane 3), and every joint a constraint.
  struct Free {
    std::size_t coordinates = 0, rows = 0, rank = 0;
    /// Grübler's count: wrong where rows depend on each other.
    long naive_freedoms() const { return static_cast<long>(coordinates) - static_cast<long>(rows); }
  };
  Free free_bodies = {};

  /// A row that follows from others wherever the mechanism is.
  struct Redundant {
    std::string row;
    std::vector<std::string> of;
  };
  std::vector<Redundant> redundant = {};
  std::size_t rank_at_start = 0;  ///< less than rank: a singular position
  bool assembled = true;          ///< the loops can be closed
  std::vector<Diagnostic> problems = {};

  std::size_t freedoms() const { return speeds - rank; }
};

struct ConstraintCheckOptions {
  bool drop_redundant = false;                                              ///< rows that follow from others are no error then
  std::string how_to_drop = "have constraints that are redundant dropped";  ///< the remedy, in the words of the caller
  std::map<std::string, double> start = {};                                 ///< of coordinates, before the values of the model
  Budget budget = {};
};

/// Rank of the constraints where the loops are closed from the stated values (`assembly`, the equilibrium, else 0) and at places
/// near by that are assembled anew: a rank that is lost at one place alone is a singular position, no redundancy.
/// Problems: redundant rows as combinations of others, contradictions, loops that do not close, a mechanism that cannot move,
/// singular positions, motions without inertia.
/// @throws LimitReached, Cancelled by the budget.
ConstraintCheck constraint_check(const Multibody&, const MultibodyEquations&, const ConstraintCheckOptions& = {});

/// What no body can have: masses that are not above 0, inertias with negative principal moments or one above the sum of the
/// others, stiffnesses that are not positive. Of numbers, as far as parameters have values.
std::vector<Diagnostic> body_problems(const Multibody&);
/// @throws sfg::Error with all of these
void require_possible(const Multibody&);

/// Nothing where constraints are independent or dependence is accepted; else why the motion is refused: the first error of the
/// check among redundant and contradicting rows.
/// @throws sfg::Error
void require_independent(const Multibody&, const MultibodyEquations&, const ConstraintCheckOptions& = {});

}  // namespace sfg
