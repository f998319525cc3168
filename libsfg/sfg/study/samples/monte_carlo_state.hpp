#pragma once
#include <string>
#include <vector>

#include "sfg/numeric/kept_state.hpp"
#include "sfg/study/samples/sample_tally.hpp"

namespace sfg {

// Not installed: a study on its way.

/// All that is known after some samples.
class MonteCarloState {
 public:
  static constexpr std::size_t block = 256;  ///< samples that are added together first

  MonteCarloState(const SamplePlan&, double caution);

  /// What came of a block of samples that is to be added in its turn.
  struct Block {
    std::uint64_t number = 0;
    std::vector<Moments> moments;  ///< of the measures by themselves
    std::string text;              ///< for the table of samples
  };
  /// Blocks that follow those before, in their order, and what else all of their samples add up to, in any parts.
  void take(std::vector<SampleTally>&, const std::vector<Block>&, std::uint64_t samples, unsigned threads);

  std::uint64_t samples() const noexcept { return samples_; }
  std::uint64_t blocks() const noexcept { return blocks_; }
  double caution() const noexcept { return caution_; }
  Windows windows() const;
  /// What was asked, or nothing where a quantile got lost.
  std::optional<MonteCarlo> result(const SamplePlan&);

  void pack(Packer&) const;
  void unpack(Unpacker&);

 private:
  bool find_quantiles(const SamplePlan&, std::size_t column, std::vector<double>& quantiles);

  double caution_;
  std::uint64_t samples_ = 0, blocks_ = 0;
  SampleTally tally_;
  std::vector<QuantileWindows> quantiles_;  ///< column by column
  std::vector<MomentTree> moments_;
};

Identity identity_of(const MeasuredSystem&, const Variation&, const SampledQuestions&, const MonteCarloOptions&);

std::string kept_state(const Identity&, const MonteCarloState&);
/// @throws sfg::Error where the text is no state, or that of another study.
void resume(const std::string& kept, const Identity&, const SamplePlan&, MonteCarloState&);

}  // namespace sfg
