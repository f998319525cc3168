#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <vector>

#include "sfg/study/variation.hpp"

// Not installed: where a measure is evaluated for one base sample of a study of variances, and what is summed of it.
namespace sfg {

/// A generator for the k-th of independent things (Steele, Lea, Flood: splitmix64 spreads neighbouring seeds).
std::mt19937_64 generator(std::uint64_t seed, std::uint64_t k);
/// A number below n, the same on every machine; n is small against 2^64, so that no remainder is favoured.
inline std::size_t below(std::mt19937_64& random, std::size_t n) { return static_cast<std::size_t>(random() % n); }

/// Sums over base samples of one measure, without those where it does not exist.
struct SobolSums {
  SobolSums(std::size_t parameters, bool correlated)
      : first(parameters), total(parameters), shapley(correlated ? parameters : 0) {}

  double samples = 0;
  double mean = 0, squares = 0;  ///< of the values at both points of a sample: their mean, squares of deviations (Welford)
  std::vector<double> first, total;
  std::vector<double> shapley;  ///< of correlated parameters

  void add_value(double value, double count) {
    const double off = value - mean;
    mean += off / count;
    squares += off * (value - mean);
  }
};

/// The points of one base sample, the first two of which are independent draws of all parameters.
class SobolScheme {
 public:
  virtual ~SobolScheme() = default;
  virtual std::size_t points() const = 0;
  /// @param u       a point of the unit cube of twice as many dimensions as there are parameters
  /// @param values  a value for every point and parameter, points one after the other
  virtual void fill(std::uint64_t sample, std::span<const double> u, std::span<double> values) const = 0;
  /// @param found  the measure at the points; all are numbers
  virtual void add(SobolSums&, std::uint64_t sample, std::span<const double> found) const = 0;
};

/// Saltelli's, of independent parameters: A, B, and A with one column of B.
/// Of correlated ones: A, B, all but one kept of A and one alone kept, and the steps of a random order (of up to three parameters
/// of all orders) in which one parameter after the other is drawn anew given those that are kept.
std::unique_ptr<SobolScheme> scheme_of(const Variation&, std::uint64_t seed);

}  // namespace sfg
