#pragma once
#include <ginac/ex.h>

#include <memory>
#include <string>
#include <vector>

#include "sfg/numeric/dense.hpp"
#include "sfg/response/simulation.hpp"
#include "sfg/study/fit/fit.hpp"

// Not installed.
namespace sfg {

/// Measured values of an output.
struct SignalSamples {
  std::size_t output = 0;
  std::vector<std::size_t> at = {};  ///< numbers of times
  std::vector<double> value = {};
  std::vector<double> weight = {};  ///< 1/standard deviation
};

/// What is followed over time; expressions may have the parameters that are to be found.
struct SignalQuestion {
  struct Start {
    std::string state;
    GiNaC::ex value;
  };
  std::vector<Drive> drives = {};
  std::vector<Start> initial = {};
  std::vector<NodeId> outputs = {};
  GiNaC::ex time;
  bool inject = false;
};

/// Signals at times, and their slopes by parameters.
struct FollowedSignals {
  Eigen::MatrixXd value;               ///< a row a time, a column an output
  std::vector<Eigen::MatrixXd> slope;  ///< by parameter, of the same shape
};

/// Of signals over time.
class SignalResiduals : public FitResiduals {
 public:
  std::size_t size() const override { return size_; }
  bool evaluate(std::span<const double> parameters, std::span<double> residuals, std::span<double> slopes) override;

 protected:
  /// Puts in the values of all but the parameters that are to be found, the operator and the time.
  SignalResiduals(const SignalFlowGraph&, SignalQuestion, const std::vector<std::string>& parameters, std::vector<double> times,
                  std::vector<SignalSamples> samples, const Budget&);
  virtual FollowedSignals follow(std::span<const double> parameters, bool slopes) = 0;
  std::span<const double> times() const { return times_; }

  std::vector<std::string> names_;  ///< of the parameters
  SignalFlowGraph graph_;
  SignalQuestion question_;
  Budget budget_;
  std::vector<GiNaC::ex> symbols_;  ///< of the parameters
  GiNaC::exmap values_;             ///< that were put in

 private:
  std::vector<double> times_;
  std::vector<SignalSamples> samples_;
  std::size_t size_ = 0;
};

/// A graph with values for its parameters; what is derived from them follows.
SignalFlowGraph with_parameters(SignalFlowGraph, const std::vector<std::string>& names, std::span<const double> values);

/// Of a linear graph: by the coefficients of its transfer functions in double precision where drives are straight between points,
/// else, and where that does not agree with them, by the certified passes and ∂T/∂k as a transfer function of its own.
/// @param times  ascending, ≥ 0, in z those of samples
std::unique_ptr<SignalResiduals> linear_residuals(const SignalFlowGraph&, SignalQuestion,
                                                  const std::vector<std::string>& parameters, std::vector<double> times,
                                                  std::vector<SignalSamples>, const Budget&);

}  // namespace sfg
