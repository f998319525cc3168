#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sfg/numeric/packed.hpp"

namespace sfg {

// Not installed: quantiles of very many numbers.

/// Where order statistics of very many numbers are looked for: below, at, within and above the ends of an interval that narrows
/// as numbers come in. Only those within are kept.
struct OrderWindow {
  double low, high;  ///< ±∞ at first; the ends themselves are counted, not kept
  OrderWindow();
  friend bool operator==(const OrderWindow&, const OrderWindow&) = default;
};

/// What some numbers are to a window. Adding is in any order, by any number of threads.
struct OrderTally {
  std::uint64_t below = 0, at_low = 0, at_high = 0;
  std::vector<double> within;

  /// Numbers that are not finite are left out.
  void add(const OrderWindow&, std::span<const double>);
  /// Of the same window; the other one is left empty.
  void take(OrderTally& other);
  void pack(Packer&) const;
  static OrderTally unpacked(Unpacker&);
};

/// One quantile of numbers that come in without end: exact, from memory that grows with the root of how many there are. The ranks
/// of a quantile p among n of N samples that are alike deviate by √(p(1 − p)n), so that all but a window of some of these
/// deviations about rank p·n of those that have come can be let go. Should the order statistics lie outside in the end, it says
/// so, and the numbers have to come again.
class QuantileWindow {
 public:
  /// @param p         0 < p < 1
  /// @param caution   half width of the window in standard deviations
  QuantileWindow(double p, double caution);

  const OrderWindow& window() const noexcept { return window_; }
  /// Takes a tally that was made with window().
  void take(OrderTally& tally) { tally_.take(tally); }
  /// Narrows the window where more is kept than needed after so many numbers.
  void settle(std::uint64_t numbers);
  /// Linear between the order statistics next to rank p·(n − 1); nothing where the window has lost one of them.
  /// @param numbers  n, at least 1
  std::optional<std::pair<double, double>> neighbours(std::uint64_t numbers);
  /// How far the second neighbour counts: 0 … 1.
  double fraction(std::uint64_t numbers) const;

  void pack(Packer&) const;
  void unpack(Unpacker&);

 private:
  void narrow(std::uint64_t numbers);
  std::optional<double> at_rank(std::uint64_t rank, std::uint64_t numbers);

  double p_;
  double caution_;
  OrderWindow window_;
  OrderTally tally_;
};

}  // namespace sfg
