#pragma once
#include <complex>
#include <span>
#include <string>
#include <vector>

#include "sfg/analysis/exact_transfer.hpp"
#include "sfg/analysis/transfer.hpp"

namespace sfg {

/// How a transmittance depends on one parameter, in closed form.
struct Sensitivity {
  std::string name;        ///< of the parameter k
  std::string derivative;  ///< ∂T/∂k, in lowest terms
  std::string bode;        ///< (k/T) ∂T/∂k (Bode 1945), in lowest terms; "0" where T = 0
};

/// One entry for every parameter of the graph; "0" for one without influence. The operator is no parameter.
std::vector<Sensitivity> sensitivities(const TransferFunction&, const SignalFlowGraph&, const Budget& = {});

/// The same at s = jω with numbers.
struct SensitivityValue {
  double frequency = 0;  ///< rad/s
  std::string parameter;
  std::complex<double> derivative;  ///< ∂T/∂k
  std::complex<double> relative;    ///< (k/T) ∂T/∂k
  double magnitude = 0;             ///< ∂|T|/∂k
  double phase = 0;                 ///< ∂ arg T/∂k, rad
};

/// Every parameter with a value, at every frequency: one transfer function in s and k each, differentiated exactly.
/// @throws sfg::Error naming parameters without values.
std::vector<SensitivityValue> sensitivity_values(const SignalFlowGraph&, const Question&, std::span<const double> rad_per_s,
                                                 const TransferOptions& = {});

}  // namespace sfg
