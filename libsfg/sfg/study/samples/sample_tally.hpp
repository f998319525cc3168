#pragma once
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "sfg/study/samples/monte_carlo.hpp"
#include "sfg/study/samples/order_statistics.hpp"

namespace sfg {

// Not installed: what samples are counted for.

/// Which numbers of a sample are used for what.
class SamplePlan {
 public:
  explicit SamplePlan(const SampledQuestions&, const SymbolTable&);

  /// A column of which statistics are wanted.
  struct Column {
    /// What its numbers are: a measure by itself, with moments and a histogram; or at a frequency or a time of an envelope.
    enum class Kind { alone, square, turn, step };
    std::size_t number;              ///< which of a sample's numbers: measures of the program, then AxisSamples
    std::span<const double> levels;  ///< of its quantiles
    Kind kind;
  };
  const std::vector<Measure>& measures() const noexcept { return measures_; }           ///< what the program evaluates
  std::size_t numbers() const noexcept { return measures_.size() + 2 * frequencies_; }  ///< of a sample
  /// Measures, then steps, then magnitudes and phases at all frequencies.
  const std::vector<Column>& columns() const noexcept { return columns_; }
  std::size_t alone() const noexcept { return alone_; }  ///< how many measures by themselves: the first columns
  const std::vector<Spec>& specs() const noexcept { return specs_; }
  std::size_t measure_of_spec(std::size_t spec) const { return spec_measures_[spec]; }

 private:
  std::size_t index(const Measure&);

  std::vector<Measure> measures_;
  std::vector<Column> columns_;
  std::size_t alone_ = 0, frequencies_ = 0;
  std::vector<Spec> specs_;
  std::vector<std::size_t> spec_measures_;
};

/// Windows of all quantiles of all columns, one column after the other.
using Windows = std::vector<OrderWindow>;

/// What samples in any order add up to.
struct SampleTally {
  struct Column {
    std::uint64_t count = 0;  ///< that did not fail
    double minimum = std::numeric_limits<double>::infinity();
    double maximum = -std::numeric_limits<double>::infinity();
    Histogram histogram;
    void add(std::span<const double>);  ///< all but the histogram
  };
  std::vector<Column> columns;
  std::vector<OrderTally> windows;  ///< column by column
  std::vector<std::uint64_t> met;   ///< spec by spec
  std::uint64_t met_all = 0;

  explicit SampleTally(const SamplePlan&);
  /// @param values  numbers of a sample × samples
  void add(const SamplePlan&, const Windows&, std::size_t samples, std::span<const double> values);
  /// All but the windows, which are for whoever narrows them.
  void take(SampleTally& other);
  void pack(Packer&) const;
  void unpack(Unpacker&);
};

}  // namespace sfg
