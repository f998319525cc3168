#pragma once
#include <complex>
#include <string>
#include <vector>

#include "sfg/response/compiled_response.hpp"
#include "sfg/study/fit/fit.hpp"

// Not installed.
namespace sfg {

/// Measured values of a part of a transfer function.
struct TransferSamples {
  enum class Part : std::uint8_t { real, imaginary, decibels, degrees };
  std::size_t question = 0;
  Part part = Part::real;
  std::vector<std::size_t> at = {};  ///< numbers of frequencies
  std::vector<double> value = {};
  std::vector<double> weight = {};  ///< 1/standard deviation
};

/// Of transfer functions over frequency: their values and slopes by one program.
class TransferResiduals : public FitResiduals {
 public:
  /// @param frequencies  rad/s
  /// @throws as CompiledResponse
  TransferResiduals(const SignalFlowGraph&, std::span<const Question>, const std::vector<std::string>& parameters,
                    const std::vector<double>& frequencies, std::vector<TransferSamples>, const Budget&);
  std::size_t size() const override { return size_; }
  bool evaluate(std::span<const double> parameters, std::span<double> residuals, std::span<double> slopes) override;
  bool check(std::span<const double> parameters) override;

 private:
  CompiledResponse plain_, with_slopes_;
  std::vector<std::complex<double>> s_;
  std::vector<TransferSamples> samples_;
  std::size_t size_ = 0;
  Budget budget_;
  bool bounded_ = false;  ///< plain double precision was not enough
};

}  // namespace sfg
