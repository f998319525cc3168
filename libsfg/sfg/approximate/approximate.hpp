#pragma once
#include <complex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/transfer/exact_transfer.hpp"
#include "sfg/transfer/standard.hpp"
#include "sfg/transfer/transfer.hpp"

namespace sfg {

/// How far apart two transfer functions are at worst on a range of frequencies.
struct Deviation {
  double magnitude_db = 0;  ///< greatest |20 log10 |A/B||
  double phase_deg = 0;     ///< greatest |arg(A/B)|, at most 180
  double magnitude_at = 0;  ///< where, rad/s
  double phase_at = 0;
  bool bounded = true;  ///< no frequency between exceeds it (by more than a thousandth); false: densely sampled only
};

/// The deviation of A from B for low ≤ ω ≤ high. With zeros and poles of both known, the logarithm of A/B has known slopes: the
/// range is halved until bounds by the second derivative leave no room for a greater maximum. With dead time that does not
/// cancel, it is sampled at 10,000 points.
/// @throws std::invalid_argument unless 0 < low ≤ high.
Deviation deviation(const ExactTransfer& A, const ExactTransfer& B, double low, double high);

/// How far an approximation may be from the truth.
struct ErrorLimit {
  double magnitude_db = 1;
  double phase_deg = 5;
};

/// The truth at one frequency.
struct TrueValue {
  double frequency = 0;  ///< rad/s
  std::complex<double> value;
};

/// The terms of a transfer function that matter at a design point. Terms of numerator and denominator are tried in ascending
/// order of their greatest share in their side over all frequencies; one is left out when T stays within the limits at every
/// frequency without it and without those left out before (so that what cancels each other may go together), until no term can
/// go.
/// @param value   expanded, in any multiple
/// @param values  of the parameters; every one must have a number
/// @returns what remains, in lowest terms: where both sides have a factor by then, it is taken out and terms are tried again; at
///          least one term on each side.
/// @see Wambacq, Fernández, Gielen, Sansen, Rodríguez-Vázquez: Efficient symbolic computation of approximated small-signal
///      characteristics, IEEE J. Solid-State Circuits 30 (1995).
RationalFunction dominant_terms(const RationalFunction& value, const GiNaC::exmap& values, std::span<const TrueValue> truth,
                                const ErrorLimit&, const Budget& = {});

/// What the variables of a space are at every frequency, by variable: jω for the operator, which is the first one.
/// @throws NoAnswer naming an expression without a numeric value.
std::vector<std::vector<std::complex<double>>> generator_values(const PolynomialSpace&, const GiNaC::exmap& values,
                                                                std::span<const TrueValue> truth);

/// Whether a value is within the limits of the truth.
bool within(std::complex<double> value, std::complex<double> truth, const ErrorLimit&);

/// Roots far apart from the others, and a formula for them.
struct SplitRoots {
  /// One root: its value, −d_k/d_(k+1). Two of like size: d_(k+2) s² + d_(k+1) s + d_k, whose roots they are.
  RationalFunction formula;
  std::vector<std::complex<double>> values = {};  ///< what the formula gives at the design point, ascending modulus
  std::vector<std::complex<double>> exact = {};   ///< the roots of the exact transfer function they stand for
  double relative_error = 0;                      ///< greatest |value − exact| / |exact|
};

/// Roots of a polynomial Σ d_k s^k whose magnitudes are far apart: Π (s − p_k) then has d_(k+1) ≈ −d_k/p_(k+1), so that each
/// root, or each pair of roots of like size, follows from neighbouring coefficients alone.
/// @param polynomial  of the approximation; the operator is the first variable of the space
/// @param numbers     its coefficients at the design point, highest power first
/// @param exact       roots of the exact polynomial
/// @returns single roots and pairs by ascending modulus that are apart from the others by a factor of 4 and that the formula
/// gives
///          within 30 %; roots at 0 are left out.
/// @see Gray, Hurst, Lewis, Meyer: Analysis and Design of Analog Integrated Circuits, ch. 9 (pole splitting).
std::vector<SplitRoots> split_roots(const PolynomialSpace&, const ring::Polynomial& polynomial,
                                    std::span<const exact::Rational> numbers, std::span<const std::complex<double>> exact);

/// Takes the root that is nearest to a value in the logarithmic sense out of a list of one or more.
std::complex<double> take_nearest(std::vector<std::complex<double>>& roots, std::complex<double> wanted);

struct ApproximateOptions {
  ErrorLimit limit = {};  ///< never exceeded on the range
  /// rad/s; nothing: around poles and zeros, where |T| passes a thousandth of its greatest.
  std::optional<std::pair<double, double>> range = {};
  Budget budget = {};
  std::uint64_t seed = 1;
};

/// A transfer function by its dominant terms at the stated values of the parameters.
struct ApproximateTransfer {
  /// How many terms a side has of how many; `of` is 0 when the exact one was too large to be expanded.
  struct Kept {
    std::size_t kept = 0, of = 0;
  };
  Question question;
  RationalFunction value;  ///< in lowest terms
  Kept numerator = {}, denominator = {};
  Kept products = {};                              ///< in the entries of the equations; of = 0 when nothing was left out there
  double low = 0, high = 0;                        ///< the range, rad/s
  ErrorLimit limit;                                ///< what was asked for
  Deviation error = {};                            ///< what is true
  std::vector<SplitRoots> poles = {}, zeros = {};  ///< where pole splitting applies
  /// The roots of the exact one at the stated values, where it is a fraction of polynomials.
  std::vector<std::complex<double>> exact_poles = {}, exact_zeros = {};
  /// The value at rest with every root by its own formula, where these are all, and its deviation is within the limit.
  struct ByRoots {
    RationalFunction value;
    Deviation error;
  };
  std::optional<ByRoots> by_roots = {};
  TermCounts terms;                                ///< of the exact transfer function
  Verification verification;  ///< of the exact transfer function with numbers that the error is measured against
};

/// The dominant terms of numerator and denominator at the design point, by the error they make over the range. A transfer
/// function of more than 20,000 terms is not expanded: its equations are simplified first (see prune_equations), which takes at
/// most half of the error, more where that does not suffice. The error is that of the result, measured against the exact transfer
/// function over the whole range.
/// @throws sfg::Error naming parameters without values; NoAnswer for a discrete system (variable z) and where the
///         transfer function vanishes on the range; LimitReached when even the simplified equations are too large.
std::vector<ApproximateTransfer> approximate_transfers(const SignalFlowGraph&, std::span<const Question>,
                                                       const ApproximateOptions& = {});

/// An approximation in standard form, with the error of each root.
struct StandardApproximation {
  struct Roots {
    std::vector<std::string> names;  ///< the definitions they follow from
    bool zeros = false;
    std::vector<std::complex<double>> values, exact;  ///< what the definitions give at the stated values, and the exact roots
    double relative_error = 0;                        ///< greatest |value − exact| / |exact|
  };
  StandardTransfer form;
  Deviation error;  ///< of the whole
  std::vector<Roots> roots;
};

/// Every root by a formula of its own where that is within the limit (ApproximateTransfer::by_roots), else as the approximation
/// can be factored. Roots are compared with the nearest of the exact ones; both are rounded from enclosures.
StandardApproximation standard_form(const ApproximateTransfer&, const SignalFlowGraph&, const PositiveLetters&,
                                    const Budget& = {});

}  // namespace sfg
