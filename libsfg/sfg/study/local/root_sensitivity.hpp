#pragma once
#include <complex>
#include <optional>
#include <string>
#include <vector>

#include "sfg/exact/roots.hpp"
#include "sfg/study/study_parameters.hpp"
#include "sfg/transfer/exact_transfer.hpp"
#include "sfg/transfer/question.hpp"
#include "sfg/transfer/transfer.hpp"

namespace sfg {

/// How one pole or zero moves, parameter by parameter.
struct RootSensitivity {
  /// Natural frequency ω and damping ratio ζ of a simple pole, and their derivatives.
  struct Oscillation {
    double frequency = 0, damping = 0;
    std::vector<double> frequency_slope, damping_slope;
  };

  exact::Root root;
  /// ∂p/∂k of a simple root. Of an m-fold one the leading term of its split (Puiseux): δp = c·δk^(1/m), of which c is given, one
  /// of its m values; 0 where the split has no term of this order.
  std::vector<std::complex<double>> slope;
  std::optional<Oscillation> oscillation = {};  ///< of a simple pole that is not at rest
  /// ∂p/∂k with which all of an m-fold root move, to first order together; nothing where they part, or where it is not known (m >
  /// 2 and k has an influence).
  std::vector<std::optional<std::complex<double>>> together = {};
};

/// Poles, or zeros, of a transfer function in lowest terms, and how they move.
struct RootSensitivities {
  std::vector<std::string> parameters;
  std::vector<RootSensitivity> roots;  ///< distinct ones, as poles_zeros() orders them
};
enum class RootsOf { denominator, numerator };

/// ∂p/∂k = −(∂D/∂k)/(∂D/∂s) at p, of an m-fold root c^m = −m!·(∂D/∂k)/(∂^m D/∂s^m), with exact polynomials at certified roots.
/// What is derived from a parameter moves with it. Parameters without influence on the model have slope 0.
/// @throws NoAnswer for dead time in the loops, and for a root that coincides with one that cancels for these values;
///         sfg::Error naming parameters without values; as transfer_function().
RootSensitivities root_sensitivities(const StudiedGraph&, const Question&, RootsOf, const TransferOptions& = {});

}  // namespace sfg
