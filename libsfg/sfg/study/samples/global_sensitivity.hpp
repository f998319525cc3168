#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/study/measures/measure.hpp"
#include "sfg/study/variation.hpp"

namespace sfg {

// How much each parameter matters over the whole range of all. Every result is the same whatever the number of threads; where a
// measure does not exist at a point, what needs that point is left out and counted. NaN: no number can be given.

struct GlobalOptions {
  std::uint64_t seed = 1;
  unsigned threads = 0;  ///< 0: one for each core
  Budget budget = {};
};

/// Shares of the variance of one measure; lists go with SobolStudy::parameters.
struct SobolIndices {
  std::string measure;
  double variance = 0;
  std::vector<double> first;        ///< S: what is gone when the parameter alone is known
  std::vector<double> total;        ///< S_T: what is left when all others are known
  std::vector<double> first_error;  ///< half widths of 95 % intervals
  std::vector<double> total_error;
  std::size_t failed = 0;  ///< base samples that are left out
  /// Of correlated parameters: Shapley effects, which add up to 1. Empty of independent ones.
  std::vector<double> shapley = {};
  std::vector<double> shapley_error = {};
};

struct SobolStudy {
  std::vector<std::string> parameters;
  std::size_t samples = 0;  ///< base samples N
  std::uint64_t seed = 1;
  std::size_t evaluations = 0;  ///< N (d + 2); of correlated parameters N (2d + 2 + max(d − 3, 0))
  std::vector<SobolIndices> measures;
  bool correlated = false;
};

/// Sobol' indices by Saltelli's scheme on a scrambled Sobol' sequence of 2d dimensions, with the distributions of the parameters.
/// Errors are those of a bootstrap over the base samples.
///
/// Where parameters are correlated the indices share nothing out: S is what is gone when the parameter is known, with all that
/// goes with it, S_T what is left when all others are known; S > S_T and sums above 1 are usual. The variance is shared out by
/// Shapley effects: of the mean, over all orders of the parameters, of what one more that is unknown adds to what is unknown
/// already.
/// @param samples  N, at least 2; a power of two spreads best
/// @throws std::invalid_argument  of too few samples
/// @see    Saltelli et al., Variance based sensitivity analysis of model output, Comput. Phys. Commun. 181 (2010) 259;
///         Jansen, Analysis of variance designs for model output, Comput. Phys. Commun. 117 (1999) 35;
///         Owen, Prieur, On Shapley value for measuring importance of dependent inputs, SIAM/ASA J. Uncertain. Quantif. 5 (2017)
///         986; Song, Nelson, Staum, Shapley effects for global sensitivity analysis, ibid. 4 (2016) 1060; Goda, A simple
///         algorithm for global sensitivity analysis with Shapley effects, Reliab. Eng. Syst. Saf. 213 (2021) 107702.
SobolStudy sobol_indices(const MeasureProgram&, const Variation&, std::size_t samples, const GlobalOptions& = {});

/// Elementary effects on one measure, per full width of the support.
struct MorrisEffects {
  std::string measure;
  std::vector<double> mu;       ///< mean
  std::vector<double> mu_star;  ///< mean of the magnitudes
  std::vector<double> sigma;    ///< standard deviation, with R − 1
  std::size_t failed = 0;       ///< effects that are left out, of all parameters
};

struct MorrisStudy {
  std::vector<std::string> parameters;
  std::size_t trajectories = 0;
  std::uint64_t seed = 1;
  std::size_t evaluations = 0;  ///< R (d + 1)
  std::vector<MorrisEffects> measures;
};

/// Morris' screening: trajectories through a grid of four levels, one parameter after the other by 2/3 of its width.
/// @param trajectories  R, at least 2
/// @throws std::invalid_argument  as sobol_indices(), and of correlated parameters, which do not move one at a time
/// @see    Morris, Factorial sampling plans for preliminary computational experiments, Technometrics 33 (1991) 161;
///         mu*: Campolongo, Cariboni, Saltelli, Environ. Model. Softw. 22 (2007) 1509.
MorrisStudy morris_effects(const MeasureProgram&, const Variation&, std::size_t trajectories, const GlobalOptions& = {});

/// What one parameter alone does to a measure.
struct TornadoBar {
  std::string parameter;
  double low = 0;   ///< the measure at the parameter's lower end; NaN where it does not exist there
  double high = 0;  ///< at the upper end
};

struct Tornado {
  std::string measure;
  double nominal = 0;
  std::vector<TornadoBar> bars;  ///< those with a failing end first, then longest first
};

struct TornadoStudy {
  std::vector<Tornado> measures;
};

/// Each parameter alone at both ends of its support, all others at their stated values.
/// @throws NoAnswer  for a measure that does not exist at the stated values
TornadoStudy tornado(const MeasureProgram&, const Variation&, const GlobalOptions& = {});

}  // namespace sfg
