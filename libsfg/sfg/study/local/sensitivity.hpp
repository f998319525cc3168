#pragma once
#include <complex>
#include <span>
#include <string>
#include <vector>

#include "sfg/study/study_parameters.hpp"
#include "sfg/transfer/exact_transfer.hpp"
#include "sfg/transfer/transfer.hpp"

namespace sfg {

/// How a transmittance depends on one parameter, in closed form.
struct Sensitivity {
  std::string name;             ///< of the parameter k
  RationalFunction derivative;  ///< ∂T/∂k, in lowest terms
  RationalFunction bode;        ///< (k/T) ∂T/∂k (Bode 1945), in lowest terms; 0 where T = 0
};

/// One entry for every parameter of the graph that is not derived from others; 0 for one without influence. The operator is no
/// parameter. Derivatives are total ones: what follows from a parameter (b = 3*a) moves with it.
std::vector<Sensitivity> sensitivities(const TransferFunction&, const SignalFlowGraph&, const Budget& = {});
/// The same by chosen parameters and gains. @param transfer  of the studied graph, offsets as symbols; answers are without them
std::vector<Sensitivity> sensitivities(const TransferFunction& transfer, const StudiedGraph&, const Budget& = {});

/// ∂²T/∂k∂l in closed form. Where l is a parameter that the gain k depends on, the gain moves with it.
struct SecondSensitivity {
  std::string first, second;
  RationalFunction value;
};
/// Every pair once, k before l in the order of the parameters, and k = l.
std::vector<SecondSensitivity> second_sensitivities(const TransferFunction& transfer, const StudiedGraph&, const Budget& = {});

/// The same with numbers at s = jω, of a discrete system at z = e^(jωh).
struct SensitivityValue {
  double frequency = 0;  ///< rad/s
  std::string parameter;
  std::complex<double> derivative;  ///< ∂T/∂k
  std::complex<double> relative;    ///< (k/T) ∂T/∂k
  double magnitude = 0;             ///< ∂|T|/∂k
  double phase = 0;                 ///< ∂ arg T/∂k, rad
};

/// Every parameter with a value, at every frequency, by one sweep back through the program of the transfer function
/// (CompiledResponse): a small multiple of the cost of T alone, however many parameters there are. With bounds of the rounding
/// errors, 1e-10 of the derivative or 1e-13 of the relative one: points where these leave doubt are run again with more digits.
/// Up to 500 values of small graphs are exact.
/// @throws sfg::Error naming parameters without values.
std::vector<SensitivityValue> sensitivity_values(const SignalFlowGraph&, const Question&, std::span<const double> rad_per_s,
                                                 const TransferOptions& = {});

/// The same by chosen parameters and gains; (k/T) ∂T/∂k of a gain with its value at that frequency.
std::vector<SensitivityValue> sensitivity_values(const StudiedGraph&, const Question&, std::span<const double> rad_per_s,
                                                 const TransferOptions& = {});

}  // namespace sfg
