#pragma once
#include <complex>
#include <span>
#include <string>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/export/exported_parameters.hpp"
#include "sfg/export/targets.hpp"
#include "sfg/numeric/tape.hpp"

namespace sfg {

/// A transfer function in lowest terms whose coefficients are programs of the parameters: e^(−τs) N(s)/D(s).
struct ExportedTransfer {
  std::string input, output;
  /// Inputs: the parameters. Outputs: N, then D, **highest power first**, then τ where `delayed`. N of T = 0 is {0}.
  numeric::Tape coefficients;
  std::size_t numerator = 1, denominator = 1;  ///< numbers of coefficients
  bool delayed = false;
  bool improper() const { return numerator > denominator; }
  std::string label() const { return output + "/" + input; }
  /// A unit of time, a power of 2, in which no coefficient is above 1: about that of the fastest pole.
  double pace(std::span<const double> parameters) const;
};

/// One for every question.
/// @throws NoAnswer naming the branch, where a gain is no such fraction: a dead time in a loop, sqrt(s); sfg::Error for laws and
/// for parameters without values; LimitReached
std::vector<ExportedTransfer> exported_transfers(const ExportSubject&, const std::vector<ExportedParameter>&, const Budget& = {});

/// T(s) by Horner's rule in double precision, as the files calculate it.
std::complex<double> value_of(const ExportedTransfer&, std::span<const double> parameters, std::complex<double> s);

/// How the transfer functions were verified, for the header: "verified: …". Compares them at the subject's frequencies with the
/// graph's frequency response, which another method calculates.
std::string verification(const ExportSubject&, std::span<const ExportedTransfer>, const std::vector<ExportedParameter>&,
                         const Budget& = {});

}  // namespace sfg
