#pragma once
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "sfg/ddd/pattern.hpp"

// Not installed: what ordering, prediction and building share.
namespace sfg::ddd {

inline constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

/// The bipartite graph of a pattern: line i < n is row i, line n + j is column j; an entry joins its row and its column.
class LineGraph {
 public:
  struct Link {
    std::uint32_t entry;
    std::uint32_t line;  ///< the crossing line
  };
  explicit LineGraph(const Pattern&);
  std::size_t size() const noexcept { return begin_.size() - 1; }  ///< 2n
  bool is_row(std::uint32_t line) const noexcept { return 2 * line < size(); }
  std::size_t degree(std::uint32_t line) const { return begin_[line + 1] - begin_[line]; }
  std::span<const Link> operator[](std::uint32_t line) const {
    return std::span<const Link>(links_).subspan(begin_[line], degree(line));
  }

 private:
  std::vector<Link> links_;
  std::vector<std::uint32_t> begin_;
};

/// Parity of the marked numbers below a number (Fenwick tree).
class MarkedBelow {
 public:
  explicit MarkedBelow(std::size_t size) : parity_(size + 1) {}
  void mark(std::size_t number) {
    for (std::size_t i = number + 1; i < parity_.size(); i += i & (~i + 1)) parity_[i] ^= 1;
  }
  bool odd_below(std::size_t number) const {
    bool odd = false;
    for (std::size_t i = number; i > 0; i &= i - 1) odd = odd != (parity_[i] != 0);
    return odd;
  }

 private:
  std::vector<std::uint8_t> parity_;
};

/// What happens at one line of a sweep. A line is active, and has a slot (a bit of the state), from the first to the last
/// of its crossing lines; the bit says that its entry has been taken.
struct SweepStep {
  struct Choice {
    std::uint32_t entry;
    std::uint32_t slot;           ///< of the crossing line
    bool odd = false;             ///< sign of the entry when no bit of its `lower` slots is set
    std::uint32_t lower_end = 0;  ///< its part of `lower` begins where that of the choice before ends
  };
  std::uint32_t line_slot = none;  ///< of the line itself, if a crossing line has been swept before
  std::vector<Choice> choices;
  std::vector<std::uint32_t> lower;  ///< slots of active lines that precede the row or column of a choice's entry
  std::vector<std::uint32_t> dying;  ///< slots of lines whose last crossing line this is: they must be taken by now
};

/// Walks along an order.
class SweepWalk {
 public:
  SweepWalk(const Pattern&, const LineGraph&, const Order&);
  /// The next line that has anything to decide; false at the end.
  bool next(SweepStep&);

 private:
  void retire(std::uint32_t line);

  const Pattern& pattern_;
  const LineGraph& graph_;
  std::span<const std::uint32_t> lines_;
  std::size_t at_ = 0;
  std::size_t slots_;
  std::vector<std::uint32_t> slot_, left_, free_, active_;
  std::vector<bool> gone_;
  MarkedBelow gone_rows_, gone_columns_;
};

/// Size of a sweep from the numbers of active lines, without building anything.
class Predictor {
 public:
  Predictor(const Pattern&, const LineGraph&);
  Prediction operator()(std::span<const std::uint32_t> lines);
  /// Natural logarithm of the predicted number of states: what a search makes small. Infinite when no product is possible.
  double log_states(std::span<const std::uint32_t> lines);
  /// Slots the order of the last prediction needs: active lines before the dying ones are dropped, the swept line, a probe's.
  std::size_t slots() const noexcept { return slots_; }
  /// Of the last prediction: logarithms of the bounds before every step that decides something, and after the last.
  std::span<const double> level_logs() const noexcept { return level_; }

 private:
  double log_binomial(std::size_t n, std::size_t k) const {
    return log_factorial_[n] - log_factorial_[k] - log_factorial_[n - k];
  }
  void levels(std::span<const std::uint32_t> lines);

  const LineGraph& graph_;
  bool probes_;
  std::vector<double> log_factorial_;
  std::vector<std::uint32_t> left_;
  std::vector<std::uint8_t> state_;     // of a line: untouched, active, gone
  std::vector<double> level_;           // logarithm of the states before every step, and after the last
  std::vector<std::uint32_t> choices_;  // of every step
  std::size_t width_ = 0, slots_ = 0;
};

/// Throws std::invalid_argument unless every entry of the pattern is on one of `lines`, all different.
void check_lines(const Pattern&, std::span<const std::uint32_t> lines);
/// Whether a permutation of 0 … length − 1 is odd.
bool odd_permutation(std::span<const std::uint32_t> permutation);

}  // namespace sfg::ddd
