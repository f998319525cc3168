#pragma once
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace sfg {

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

}  // namespace sfg
