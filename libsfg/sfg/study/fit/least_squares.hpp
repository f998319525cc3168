#pragma once
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "sfg/budget.hpp"

// Not installed: the solver, whose headers are long.
namespace sfg {

struct LeastSquaresProblem {
  std::size_t residuals = 0;
  std::vector<double> start = {};           ///< within the bounds
  std::vector<double> low = {}, high = {};  ///< infinite where there is none
  std::vector<double> scale = {};           ///< > 0, of the variables
  /// Residuals and, where it is asked for, their slopes row by row; false where there are none.
  std::function<bool(std::span<const double> x, std::span<double> residuals, std::span<double> slopes)> evaluate = {};
};

struct LeastSquaresPoint {
  std::vector<double> x;
  double cost = 0;  ///< ½Σr²
  bool converged = false;
};

/// Levenberg and Marquardt's method within bounds. What the function throws goes through.
LeastSquaresPoint least_squares(const LeastSquaresProblem&, int most_iterations, const Budget&);

}  // namespace sfg

/// The same by Ceres, with which some twenty libraries are loaded: in a shared library of its own (libsfg_fit), that the first
/// fit asks for. @param check  throws where time is over
extern "C" void sfg_least_squares(const sfg::LeastSquaresProblem&, int most_iterations, const std::function<void()>& check,
                                  sfg::LeastSquaresPoint& found);
