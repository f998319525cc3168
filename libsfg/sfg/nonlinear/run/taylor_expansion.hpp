#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sfg/nonlinear/run/coupled_system.hpp"
#include "sfg/numeric/taylor_tape.hpp"

// Not installed.
namespace sfg {

/// Matrices side by side in compressed rows, on flat arrays: for a product that is taken very often.
class CompressedRows {
 public:
  CompressedRows() = default;
  /// @param parts  of at least as many rows each; columns of the second come behind those of the first
  CompressedRows(Eigen::Index first, Eigen::Index count, std::initializer_list<const Dynamics::Matrix*> parts);
  double product(std::size_t row, const double* x) const {
    double sum = 0;
    for (std::uint32_t k = begin_[row]; k < begin_[row + 1]; ++k) sum += value_[k] * x[column_[k]];
    return sum;
  }
  std::size_t rows() const { return begin_.size() - 1; }
  std::span<const std::uint32_t> columns(std::size_t row) const {
    return std::span(column_).subspan(begin_[row], begin_[row + 1] - begin_[row]);
  }

 private:
  std::vector<std::uint32_t> begin_{0}, column_;
  std::vector<double> value_;
};

/// The motion of a coupled system from a state on as a Taylor series in the time, term by term: what is linear by products with
/// sparse rows, laws and drives by the series of their tapes. Its variable is θ, from 0 to 1 over the step.
class TaylorExpansion {
 public:
  /// Whether there is a series piece by piece: laws and drives that are analytic but at times known before, no memory, no dead
  /// time, no loop of laws without delay.
  static bool applies(CoupledSystem&);
  struct Accuracy {
    double rtol;  ///< of the largest value of each state so far
    double atol;
    std::size_t orders;  ///< the most terms
  };
  /// @param system  must live as long
  TaylorExpansion(CoupledSystem& system, const Accuracy&);

  /// @param peaks  the largest values so far; none at the beginning
  void start(const Eigen::VectorXd& x, std::vector<double> peaks = {});
  const std::vector<double>& peaks() const { return peak_; }
  std::span<const double> state() const { return x_; }

  /// Expands over the step. @returns the order after which terms are small; nothing where they do not become so
  std::optional<std::size_t> expand(double t, double step);
  /// The largest of the terms of the highest order that was calculated, in parts of what an error may be.
  double last_term() const { return size_of_term_; }
  /// Whether the equations hold at the end of the step as well: they do not where the series does not show what comes within it.
  bool holds_at_the_end();
  /// An output at a θ.
  double output(std::size_t i, double theta) const;
  std::size_t outputs() const { return output_rows_.rows(); }
  /// Goes on from the end of the step.
  void accept();

 private:
  struct Range {
    std::size_t first, last;  ///< states outside of [first, last) are 0
  };
  struct Source {
    std::size_t low, high;  ///< the rows it comes into
  };
  struct Signal {
    std::size_t place;
    const Drives::Signal* signal;
    std::size_t series;  ///< number among drive_series_, unless it is of samples
  };
  void find_reach(const Dynamics::Matrix& B);
  void set_sides();
  void signals(std::size_t order, double t);
  Range reached() const;
  void next_term(std::size_t order);
  void note_peaks();

  Accuracy accuracy_;
  std::size_t states_, drives_, laws_;
  CompressedRows rate_rows_, argument_rows_, output_rows_;
  std::vector<Signal> signals_;
  std::vector<numeric::TaylorTape> drive_series_;
  numeric::TaylorTape law_series_;
  std::vector<std::size_t> lowest_, highest_;  ///< the rows into which columns from there on come, and those up to there
  std::vector<Source> sources_;
  std::vector<double> x_, peak_, per_allowed_, term_, next_, end_, slope_, output_terms_;
  Range active_{0, 0}, range_{0, 0};
  std::size_t count_ = 0;
  double t_ = 0, step_ = 0, size_of_term_ = 0, largest_term_ = 0;
};

}  // namespace sfg
