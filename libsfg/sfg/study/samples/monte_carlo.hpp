#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/study/measures/measure_program.hpp"
#include "sfg/study/samples/ranks.hpp"
#include "sfg/study/samples/sampling.hpp"
#include "sfg/study/samples/statistics.hpp"
#include "sfg/study/variation.hpp"

namespace sfg {

/// Probabilities whose quantiles are told of a measure, and those of an envelope.
inline constexpr double measure_levels[] = {0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99};
inline constexpr double envelope_levels[] = {0.05, 0.5, 0.95};

/// A measure over all samples; statistics are of those that did not fail, NaN where none is left.
struct MeasureStatistics {
  std::string name;
  std::string unit;
  double nominal = 0;  ///< at the stated values; NaN where it does not exist there
  std::uint64_t failed = 0;
  double mean = 0;
  double deviation = 0;  ///< with n − 1
  double minimum = 0;
  double maximum = 0;
  std::vector<double> quantiles;  ///< at measure_levels, linear between order statistics (Hyndman and Fan's type 7)
  Histogram histogram;
};

/// A spec over all samples. One that fails meets no spec of its measure.
struct SpecStatistics {
  Spec spec;
  std::uint64_t met = 0;
  double yield = 0;        ///< met / samples
  double confidence[2]{};  ///< of the yield, 95 % (Clopper and Pearson)
};

/// A number at each of some frequencies or times, over all samples; NaN where none is left.
struct Envelope {
  std::vector<double> minimum, maximum;
  std::vector<std::vector<double>> quantiles;  ///< at envelope_levels, each one value a point
};

struct MonteCarlo {
  std::string input, output;
  std::uint64_t samples = 0;
  std::uint64_t seed = 1;
  Sampling sampling = Sampling::random;
  Variation variation;
  std::vector<MeasureStatistics> measures;
  std::vector<SpecStatistics> specs;
  std::uint64_t met = 0;                ///< samples that meet all specs
  std::optional<double> yield() const;  ///< met / samples, where there are specs

  std::vector<double> frequency;  ///< rad/s
  Envelope magnitude_db, phase_deg;
  std::vector<double> time;  ///< s
  Envelope step;
};

/// What is asked of every sample.
struct SampledQuestions {
  std::vector<Measure> measures = {};
  std::vector<Spec> specs = {};
  std::vector<double> frequency = {};  ///< rad/s, for the envelope of magnitude and phase
  std::vector<double> time = {};       ///< s, for the envelope of the unit step
};

/// Some samples that follow each other: what a table of samples is made of.
struct SampleBlock {
  std::uint64_t first = 0;  ///< number of the first one
  std::size_t size = 0;
  std::span<const double> parameters;  ///< those of the first varying parameter, then of the second …
  std::span<const double> measures;    ///< in the same way; NaN where one failed
};

/// Where the samples themselves go.
struct SampleTable {
  std::function<std::string(const SampleBlock&)> text = {};  ///< called by several threads
  std::function<void(std::string_view)> put = {};            ///< what `text` gave, in the order of the samples, by one thread
};

struct MonteCarloOptions {
  std::uint64_t samples = 1000;
  Sampling sampling = Sampling::random;
  std::uint64_t seed = 1;
  unsigned threads = 0;  ///< 0: one for each core
  Budget budget = {};
  Ranks* ranks = nullptr;  ///< processes that share the work; none: this one alone
  std::function<void(std::uint64_t done, std::uint64_t all)> progress = {};  ///< called now and then
  SampleTable table = {};
  /// Takes the state of the study, at most every `seconds_between`, and at an interruption: what `resume` goes on from.
  std::function<void(const std::string& state)> keep = {};
  double seconds_between = 10;
  std::string also = {};  ///< what else makes the study what it is, for a state to be of this one: how a model is simulated
  std::string resume = {};
};

/// Measures of a transfer function whose parameters vary. The k-th sample depends on the seed and on k alone (of a Latin
/// hypercube also on their number), sums are taken in a fixed tree, quantiles are exact: the result is the same to the last bit
/// for any number of threads and ranks, and if the study was interrupted. Memory grows with the root of the number of samples.
/// @throws sfg::Error     for a state that is of another study, saying what differs, or for what variation and questions lack
/// @throws Cancelled, LimitReached  by the budget, after the state was kept
MonteCarlo monte_carlo(const MeasuredSystem&, const Variation&, const SampledQuestions&, const MonteCarloOptions& = {});

}  // namespace sfg
