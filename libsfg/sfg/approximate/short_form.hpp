#pragma once
#include <complex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sfg/approximate/approximate.hpp"
#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/transfer/standard.hpp"

namespace sfg {

struct ShortOptions {
  double error = 0.1;  ///< of every formula, relatively
  /// rad/s; its end says which poles and zeros are asked for. Nothing: the first two poles and the first zero.
  std::optional<std::pair<double, double>> range = {};
  Budget budget = {};
  std::uint64_t seed = 1;
};

/// A transfer function in standard form with a short formula for the value at rest and for each root that is asked for, every
/// one on its own as near to the exact value as was wanted at the stated values of the parameters.
struct ShortForm {
  struct Formula {
    std::string name;  ///< of the definition; A_0 for the value at rest
    double value = 0, exact = 0;
    double relative_error = 0;  ///< by exact numbers, rounded upwards
    std::size_t letters = 0;
    bool found = true;       ///< false: the number itself, no formula was found
    std::string means = {};  ///< of a stage: which signals, v(2)/V1
    /// Of a root that is not apart from others: greatest difference between a relative sensitivity of the formula and that of
    /// the root, letters of one kind and value together.
    std::optional<double> sensitivity_error = {};
  };
  struct Pair {
    std::complex<double> pole, zero;
    std::optional<GiNaC::ex> formula = {};  ///< for both, where there is a short one
    double relative_error = 0;              ///< of the formula, greatest of both
  };
  StandardTransfer form;
  std::vector<Formula> formulas;
  std::vector<std::pair<std::string, std::string>> same;  ///< letters of one value: (left out, standing for it)
  std::vector<Pair> cancelling;                           ///< nearer to each other than a quarter of the error, or of one formula; left out
  std::size_t more_poles = 0, more_zeros = 0;             ///< above those that are asked for, left out
  double wanted = 0;
  double low = 0, high = 0;  ///< the range of `whole`, rad/s: where none is asked for, up to the last pole that is named
  Deviation whole;           ///< of the form with all that it leaves out
  TermCounts terms;          ///< of the exact transfer function with numbers, which all is measured against
  Verification verification;
};

/// The equations are made simpler for each formula alone: for the value at rest by its response there, for a root by following it
/// (pruned_for_root); what is left is expanded, a root follows from two neighbouring coefficients, a complex pair from three, and
/// of that fraction letters and terms are left out (shortened; of a root among others of like size shortened_from_afar).
/// @throws NoAnswer in z, with dead time and for a transfer function that vanishes; sfg::Error naming parameters without values.
ShortForm short_form(const SignalFlowGraph&, const Question&, const ShortOptions& = {});

}  // namespace sfg
