#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sfg/expr/symbol_table.hpp"
#include "sfg/expr/tolerance.hpp"

namespace sfg {

/// A parameter with a tolerance, as a random number.
struct VaryingParameter {
  std::string name;
  double nominal = 0;     ///< the stated value
  double half_width = 0;  ///< t, > 0, absolute
  Distribution distribution = Distribution::uniform;

  /// The ends of the support, 3σ where the distribution has none: what worst cases and tornados go to.
  double low() const;
  double high() const;
  /// The value below which the fraction u of all values lies, 0 < u < 1.
  double quantile(double u) const;
  /// The value below which as many lie as of a standard normal variable below z.
  double of_normal(double z) const;
};

/// What the command line or a program says beside the model.
struct StatedVariation {
  std::optional<Tolerance> everything = {};  ///< of every parameter that has a value
  std::map<std::string, Tolerance> tolerances = {};
  std::map<std::string, Distribution> distributions = {};
  std::vector<Correlation> correlations = {};  ///< in place of the model's of the same two
  /// Of some parameters: they are normal with these variances, whatever tolerances the model states.
  std::optional<Covariance> covariance = {};
};

/// How the parameters of a model vary.
struct Variation {
  std::vector<VaryingParameter> parameters = {};  ///< in the order of the model
  /// Cholesky factor L (lower triangle, row by row, n × n) of the correlations of the normal variables behind; empty where every
  /// parameter varies by itself.
  std::vector<double> cholesky = {};
  std::vector<Correlation> correlations = {};  ///< of two of the parameters, without those of the covariance
  std::optional<Covariance> covariance = {};   ///< as it was stated
  bool correlated() const noexcept { return !cholesky.empty(); }
  std::vector<std::string> names() const;
};

/// The parameters of a table that have a tolerance there or are given one. A parameter that is stated as an expression of others
/// follows them and does not vary by itself.
/// @throws sfg::Error, with the place in the model, for a tolerance of a parameter without a value, a name that is no parameter,
///         correlations that contradict each other, a covariance matrix that is not positive semidefinite (its place is that of
///         its file); without a place for what `stated` says wrongly.
Variation variation_of(const SymbolTable&, const StatedVariation& stated = {});

/// Variances and covariances of all normal parameters, exactly: those that are stated, σ a third of the half width else.
/// @throws sfg::Error for a normal parameter that is correlated with one of another distribution
Covariance normal_covariance(const Variation&);

}  // namespace sfg
