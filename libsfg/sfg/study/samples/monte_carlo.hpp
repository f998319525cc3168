#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/study/measures/measure.hpp"
#include "sfg/study/variation.hpp"

namespace sfg {

/// Processes that work on one study, each with the same program and the same input. Rank 0 reads and writes.
class Ranks {
 public:
  virtual ~Ranks() = default;
  virtual unsigned rank() const = 0;
  virtual unsigned size() const = 0;
  /// What every rank says, at rank 0; elsewhere nothing. Waits for all.
  virtual std::vector<std::string> gathered(const std::string& said) = 0;
  /// What rank 0 says, at every rank.
  virtual std::string broadcast(const std::string& said) = 0;
};

/// How points are spread over the unit cube.
enum class Sampling {
  random,           ///< independent
  latin_hypercube,  ///< one in each of N slices, in every direction (McKay, Beckman and Conover 1979)
  sobol,            ///< Sobol's sequence, scrambled by the seed
};
const char* to_string(Sampling);  ///< "random", "lhs", "sobol"
std::optional<Sampling> sampling_named(std::string_view);

/// Philox 4x32 with ten rounds (Salmon, Moraes, Dror and Shaw 2011): 128 random bits for each counter and key.
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);

/// A sequence of points in the unit cube with random access: the k-th depends on seed, k and, of a Latin hypercube, on the
/// number of points. Immutable: any number of threads may draw.
class UnitPoints {
 public:
  /// @throws sfg::Error for more dimensions than Sobol's sequence has.
  UnitPoints(std::size_t dimensions, Sampling, std::uint64_t seed, std::uint64_t points);
  std::size_t dimensions() const noexcept { return dimensions_; }
  /// Points first … first + count − 1, the first coordinate of all, then the second …; inside of the cube, never on its border.
  void draw(std::uint64_t first, std::size_t count, std::span<double> coordinates) const;

 private:
  void random(std::uint64_t first, std::size_t count, std::span<double> coordinates) const;
  void latin(std::uint64_t first, std::size_t count, std::span<double> coordinates) const;
  void sobol(std::uint64_t first, std::size_t count, std::span<double> coordinates) const;

  std::size_t dimensions_;
  Sampling sampling_;
  std::uint64_t seed_;
  std::uint64_t points_;
  std::vector<std::uint64_t> directions_;  ///< of Sobol's sequence, scrambled: 64 a dimension
  std::vector<std::uint64_t> shift_;
};

/// Points of the unit cube as values of parameters, by the distribution of each and by a Gaussian copula.
/// @param coordinates  replaced by the values, in the same order
void to_values(const Variation&, std::size_t count, std::span<double> coordinates);

/// Mean and spread of some numbers.
struct Moments {
  std::uint64_t count = 0;
  double mean = 0;
  double squares = 0;  ///< Σ(x − mean)²
  double minimum = 0;  ///< 0 where there are none
  double maximum = 0;

  /// √(squares/(count − 1)); NaN of less than two.
  double deviation() const;
  friend bool operator==(const Moments&, const Moments&) = default;
};
/// Of the numbers of a list that are finite.
Moments moments_of(std::span<const double>);
/// Of both together (Chan, Golub and LeVeque 1983).
Moments operator+(const Moments&, const Moments&);

/// Moments of blocks 0, 1, 2, …, added in a fixed tree: block 2k to block 2k + 1, these pairs to pairs, and so on, so that the
/// same blocks give the same bits, whoever computed them, and rounding errors grow with the logarithm of their number.
class MomentTree {
 public:
  /// The next block.
  void add(const Moments&);
  Moments total() const;
  std::uint64_t blocks() const noexcept { return blocks_; }
  friend bool operator==(const MomentTree&, const MomentTree&) = default;

  /// What is to be kept of it: the whole subtrees, the largest first.
  const std::vector<Moments>& subtrees() const noexcept { return open_; }
  static MomentTree of(std::uint64_t blocks, std::vector<Moments> subtrees);

 private:
  std::uint64_t blocks_ = 0;
  std::vector<Moments> open_;  ///< one for each bit that is set in blocks_
};

/// How many numbers lie in each of some intervals of one width, the least power of two for which there are at most `most_bins`
/// from the least number to the greatest. The same numbers give the same histogram in any order.
class Histogram {
 public:
  static constexpr std::int64_t most_bins = 1024;

  void add(std::span<const double>);  ///< those that are finite
  void add(const Histogram&);

  double width() const;  ///< of a bin
  double start() const;  ///< the lower end of the first bin
  /// From the bin of the least number to that of the greatest; empty where there are none.
  const std::vector<std::uint64_t>& counts() const noexcept { return counts_; }
  friend bool operator==(const Histogram&, const Histogram&) = default;

  int exponent() const noexcept { return exponent_; }     ///< the width is 2^exponent
  std::int64_t first() const noexcept { return first_; }  ///< the first bin begins at first·width
  static Histogram of(int exponent, std::int64_t first, std::vector<std::uint64_t> counts);

 private:
  void cover(double low, double high);
  void widen(int exponent);
  void reach(std::int64_t low, std::int64_t high);

  int exponent_ = -1074;
  std::int64_t first_ = 0;
  std::vector<std::uint64_t> counts_;
};

/// The exact interval of a probability from so many successes of so many trials (Clopper and Pearson 1934): either end is missed
/// with at most half of 1 − level.
std::pair<double, double> clopper_pearson(std::uint64_t successes, std::uint64_t trials, double level = 0.95);

/// The z below which a standard normal variable lies with probability u, 0 < u < 1, to 1e-15 relative (Wichura, AS 241, 1988).
double normal_quantile(double u);
/// The probability that a standard normal variable lies below z.
double normal_probability(double z);

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
