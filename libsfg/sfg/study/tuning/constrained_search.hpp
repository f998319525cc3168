#pragma once
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "sfg/budget.hpp"

// Not installed: least values of functions in the unit box under conditions, near a point; tuning puts the searches together.
namespace sfg {

/// What a problem has at a point. What is no number does not exist there, and the point is never taken.
struct SearchValues {
  std::vector<double> pieces = {};        ///< the greatest of them is to be least; none where only the conditions matter
  std::vector<double> inequalities = {};  ///< ≤ 0, in units of what matters
  std::vector<double> equations = {};     ///< = 0, likewise
  std::vector<double> slopes = {};        ///< of all of these by x, row by row; where they were asked for

  std::size_t rows() const { return pieces.size() + inequalities.size() + equations.size(); }
  bool exist() const;
  double objective() const;  ///< 0 without pieces
  double violation() const;  ///< the greatest of a condition; ≤ 0 where all are met
  bool feasible() const;     ///< within the rounding of a search
};
/// Meets the conditions better or, where both do, has less of the objective.
bool better(const SearchValues&, const SearchValues&);

struct SearchProblem {
  std::size_t size = 0;  ///< of x
  std::function<SearchValues(std::span<const double> x, bool slopes)> values;
};

struct SearchPoint {
  std::vector<double> x;
  SearchValues values;
};

/// The same variables with the greatest violation as the objective.
SearchProblem of_violation(SearchProblem);

/// Sequential quadratic programming (SLSQP, Kraft 1988): for what is smooth.
SearchPoint descended(const SearchProblem&, const SearchPoint& start, const Budget&);
/// BFGS with weak conditions on its steps and a price on violations: for what bends, as the greatest of several does.
/// @see Lewis, Overton, Nonsmooth optimization via quasi-Newton methods, Math. Program. 141 (2013) 135.
SearchPoint polished(const SearchProblem&, const SearchPoint& start, const Budget&);
/// The simplex of Nelder and Mead: for what jumps or has no derivative. Problems with equations are returned as they are.
SearchPoint wandered(const SearchProblem&, const SearchPoint& start, const Budget&);
/// Newton's method with least steps for the conditions that are violated.
SearchPoint restored(const SearchProblem&, const SearchPoint& start, const Budget&);

}  // namespace sfg
