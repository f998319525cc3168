#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sfg/numeric/packed.hpp"

namespace sfg {

// Not installed: quantiles of very many numbers.

/// Where order statistics of very many numbers are looked for: an interval that narrows as numbers come in.
struct OrderWindow {
  double low, high;  ///< ±∞ at first
  OrderWindow();
  friend bool operator==(const OrderWindow&, const OrderWindow&) = default;
};

/// What some numbers are to windows. Adding is in any order, by any number of threads.
struct OrderTally {
  std::vector<std::uint64_t> below;  ///< each window
  std::vector<double> within;        ///< any window, its ends among them

  /// Numbers that are not finite are left out.
  void add(std::span<const OrderWindow>, std::span<const double>);
  /// Of the same windows; the other one is left empty.
  void take(OrderTally& other);
  void pack(Packer&) const;
  void unpack(Unpacker&);
};

/// Finite numbers in equal cells between the least and the greatest, cell after cell: the order within one is made when asked
/// for.
class Ranked {
 public:
  void take(std::span<const double>);
  double at(std::size_t rank);

 private:
  std::vector<double> numbers_;
  std::vector<std::uint32_t> cells_, ends_;
};

/// Some quantiles of numbers that come in without end: exact, from memory that grows with the root of how many there are. The
/// ranks of a quantile p among n of N samples that are alike deviate by √(p(1 − p)n), so that all but a window of some of these
/// deviations about rank p·n of those that have come can be let go. Should the order statistics lie outside in the end, it says
/// so, and the numbers have to come again.
class QuantileWindows {
 public:
  /// @param levels    0 < p < 1
  /// @param caution   half width of the windows in standard deviations
  QuantileWindows(std::span<const double> levels, double caution);

  std::span<const OrderWindow> windows() const noexcept { return windows_; }
  /// Takes a tally that was made with windows().
  void take(OrderTally& tally) { tally_.take(tally); }
  /// Narrows the windows where more is kept than needed after so many numbers.
  void settle(std::uint64_t numbers);
  /// The order statistics next to rank p·(n − 1) of every level; nothing where a window has lost one of them.
  /// @param numbers  n, at least 1
  std::optional<std::vector<std::pair<double, double>>> neighbours(std::uint64_t numbers);
  /// How far the second neighbour counts: 0 … 1.
  double fraction(std::size_t level, std::uint64_t numbers) const;

  void pack(Packer&) const;
  void unpack(Unpacker&);

 private:
  /// Numbers at the ends of a window that are counted, not kept: there may be any number of them.
  struct Ends {
    std::uint64_t low = 0, high = 0;
  };
  double deviation(std::size_t level, std::uint64_t numbers) const;
  void narrow(std::uint64_t numbers);
  void count_ends();
  std::optional<double> at_rank(std::size_t level, std::uint64_t rank);

  std::span<const double> levels_;
  double caution_;
  std::vector<OrderWindow> windows_;
  std::vector<Ends> ends_;
  OrderTally tally_;
};

}  // namespace sfg
