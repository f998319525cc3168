#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sfg/budget.hpp"

namespace sfg {

/// A parameter that is to be found, with bounds where there are some.
struct FitParameter {
  std::string name;
  double start = 0;
  std::optional<double> low = {}, high = {};  ///< both or none
  double latest = 0;                          ///< > 0 of a dead time: up to which the data could show it
};

/// What large residuals count: r² itself, or less. c is the residual from which on it is less.
enum class FitLoss : std::uint8_t {
  none,
  huber,    ///< beyond c linearly
  soft_l1,  ///< 2c²(√(1 + (r/c)²) − 1)
  cauchy,   ///< c² ln(1 + (r/c)²)
};

struct FitOptions {
  FitLoss loss = FitLoss::none;
  double loss_scale = 1;   ///< c > 0
  std::size_t starts = 5;  ///< of parameters with bounds: the start itself, and the best of points spread over the box
  std::uint64_t seed = 1;  ///< of these points
  Budget budget = {};
};

/// What is to be small: measured − model, each over its standard deviation, as a function of parameters.
class FitResiduals {
 public:
  FitResiduals() = default;
  FitResiduals(const FitResiduals&) = delete;
  FitResiduals& operator=(const FitResiduals&) = delete;
  virtual ~FitResiduals() = default;
  virtual std::size_t size() const = 0;
  /// @param slopes  by the parameters, row by row; empty: not asked for
  /// @returns false where the model has no finite answer
  virtual bool evaluate(std::span<const double> parameters, std::span<double> residuals, std::span<double> slopes) = 0;
  /// The same by the certified passes, where evaluate() has a quicker way; what differs is no longer done the quicker way.
  /// @returns whether evaluate() was right
  virtual bool check(std::span<const double> /*parameters*/) { return true; }
  /// What is to be said of how it is done.
  virtual std::vector<std::string> notes() const { return {}; }
};

struct FittedParameter {
  enum class Bound : std::uint8_t { none, low, high };
  std::string name;
  double start = 0, value = 0;
  std::optional<double> low = {}, high = {};
  Bound at_bound = Bound::none;
  bool determined = true;
  std::optional<double> std = {};              ///< none at a bound, of what is not determined, and without a degree of freedom
  double interval_low = 0, interval_high = 0;  ///< of 95 %, where there is a std
};

/// Parameters that make residuals least, and how well the data determine them.
struct Fit {
  std::vector<FittedParameter> parameters;
  double rms = 0;  ///< √(Σr²/samples), of the residuals themselves, whatever the loss
  std::size_t samples = 0;
  std::vector<double> covariance = {};   ///< row by row; NaN beside what has no std
  std::vector<double> correlation = {};  ///< the same
  bool converged = false;
  std::vector<std::string> combinations = {};  ///< what the data determine of what is not determined, to first order
  std::size_t starts = 0, evaluations = 0;
  std::vector<double> residuals = {};
  std::vector<std::string> notes = {};

  bool determined() const;
};

/// A column of measured values beside the model's.
struct FittedSeries {
  std::string file;
  std::string name;                     ///< as in the heading: "y", "y_db", "OUT/IN_re"
  std::string input = {}, output = {};  ///< of a transfer function; of a signal the output alone
  std::string part = {};                ///< "re", "im", "db", "deg"; "" of a signal
  std::size_t record = 0;
  std::vector<std::size_t> row = {};                             ///< of the record
  std::vector<double> at = {};                                   ///< s, or rad/s
  std::vector<double> measured = {}, model = {}, residual = {};  ///< the last is not divided by a deviation
};

/// Least squares within bounds (Levenberg–Marquardt, Ceres Solver) by exact derivatives; starts and their order do not depend on
/// anything but the options. Of the covariance: Σr²/(N − P)·(JᵀJ)⁻¹ of the P parameters that are determined and at no bound;
/// intervals by Student's distribution. With a loss, residuals count there as they do in the sum.
/// @throws sfg::Error for fewer residuals than parameters
/// @throws NoAnswer where the model has no response at any start
Fit fitted(FitResiduals&, const std::vector<FitParameter>&, const FitOptions& = {});

}  // namespace sfg
