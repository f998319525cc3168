#pragma once
#include <ginac/ex.h>

#include <array>
#include <complex>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sfg/exact/rational_polynomial.hpp"
#include "sfg/transfer/exact_transfer.hpp"

namespace sfg {

/// Whether the loop is stable when an open loop L is closed by negative unity feedback.
struct ClosedLoop {
  enum class Verdict { stable, unstable, on_the_edge, unknown };
  Verdict verdict = Verdict::unknown;
  std::string reason;  ///< "2 poles right of the axis"; of an unknown one why
};

/// The roots of N + D, counted exactly; modes that cancel in L count too. With dead time, N e^(−τs) + D, the roots that crossed
/// the axis on the way from τ = 0 (Walton and Marshall 1987): they cross where |N| = |D|, at known dead times, in known
/// directions.
ClosedLoop closed_loop(const ExactTransfer& L);

const char* name_of(ClosedLoop::Verdict);  ///< "stable", "unstable", "on the edge", "unknown"

/// How much a loop bears of gain and phase at once (Seiler, Packard, Gahinet: An Introduction to Disk Margins, IEEE Control
/// Systems 2020): the closed loop stays stable with f·L for every f = (2 + (1 − σ)δ)/(2 − (1 + σ)δ), |δ| < α, and
/// 1/α = ‖S + (σ − 1)/2‖∞ with S = 1/(1 + L).
struct DiskMargin {
  int skew = 0;                             ///< σ: 0 (balanced), 1 (of S), −1 (of T)
  double radius = 0;                        ///< α; infinite where the norm is 0
  std::optional<double> gain_low_db = {};   ///< the least gain alone; nothing where it is no positive number
  std::optional<double> gain_high_db = {};  ///< the greatest; nothing: unbounded
  std::optional<double> phase_deg = {};     ///< to both sides; nothing: no phase alone harms
  std::optional<double> frequency = {};     ///< where the norm is reached, rad/s; nothing: at infinity only
};

/// What follows from a radius.
DiskMargin disk_margin(int skew, double radius, std::optional<double> frequency);
/// 1/|S + (σ − 1)/2| of one value of L.
double disk_radius(int skew, std::complex<double> L);

/// The least of a modulus along the axis, and where; nothing: at infinity only.
struct LeastOnAxis {
  double value = 0;
  std::optional<double> frequency = {};
};
/// The least |P/Q| on the imaginary axis, P and Q without a common root: at 0, at infinity, or where an exact polynomial in ω²
/// has a root. A value that is 1 or 2, or that is reached at 0 or infinity too, is found to be so exactly. Nothing where there is
/// no value at all.
std::optional<LeastOnAxis> least_on_axis(const exact::RationalPolynomial& P, const exact::RationalPolynomial& Q);

/// Of L = n/d on the imaginary axis, for σ = 0 and −1; that of σ = 1 is the modulus margin.
std::vector<DiskMargin> disk_margins(const exact::RationalPolynomial& n, const exact::RationalPolynomial& d,
                                     const std::optional<LeastOnAxis>& modulus_margin);

/// The type of an open loop L, poles at s = 0 (in z: at 1), and K_p, K_v, K_a: the limits of L, sL and s²L there, in z with
/// (z − 1)/T_s for s.
struct ErrorConstants {
  std::size_t type = 0;
  std::array<std::optional<GiNaC::ex>, 3> constants = {};  ///< nothing: infinite
  std::string note = {};                                   ///< why these are numbers and no closed form
};

/// A polynomial about rest: Σ a_k s^k, or Σ a_k (z − 1)^k, lowest power first.
std::vector<exact::Rational> coefficients_at_rest(const exact::RationalPolynomial&, const Operator&);

/// Numbers.
ErrorConstants error_constants(const ExactTransfer&);
/// In the names of the graph, of the type that the stated values make; agreeing with the numbers for these. Where the closed form
/// is too long, the numbers.
/// @param stated  the answer to the question with the stated values
ErrorConstants error_constants(const SignalFlowGraph&, const Question&, const ExactTransfer& stated, const Budget& = {});

/// Stability margins of an open loop L under negative unity feedback; every crossing, frequencies in rad/s.
struct Margins {
  struct GainCrossover {
    double frequency = 0;
    double phase_margin_deg = 0;  ///< 180° + arg L, in (−180°, 180°]
  };
  struct PhaseCrossover {  ///< L real and negative
    double frequency = 0;
    double gain_margin_db = 0;  ///< −20 log |L|
  };
  std::vector<GainCrossover> gain_crossovers = {};
  std::vector<PhaseCrossover> phase_crossovers = {};
  std::optional<double> gain_margin_db = {};  ///< the least in absolute value; nothing without a crossing
  std::optional<double> phase_margin_deg = {};
  std::optional<double> modulus_margin = {};  ///< least distance of L(jω) from −1
  std::optional<double> modulus_frequency = {};
  std::vector<DiskMargin> disk = {};  ///< of σ = 0, 1 and −1; none unless the closed loop is stable
  /// s: least phase margin (as a positive angle) over its frequency, the least dead time that makes a stable loop unstable; 0
  /// where any does. Nothing without a crossing, and where the closed loop is unstable or unknown to be stable.
  std::optional<double> delay_margin = {};
  ClosedLoop closed_loop;
  ErrorConstants error_constants = {};
  /// Where L is real at every frequency there are no isolated phase crossovers but ranges of negative L, rad/s; nothing: no end.
  std::vector<std::pair<double, std::optional<double>>> negative_ranges = {};
  bool real = false;          ///< L is real at every frequency
  bool unit_modulus = false;  ///< |L| is 1 at every frequency: no isolated gain crossover
  std::vector<std::string> notes = {};
};

/// Crossings are the positive real roots of exact polynomials in ω², certified: none is missed. What these have in common with
/// |D|², the poles on the axis, and with |N|² is divided out before. ω = 0 is a phase crossover where L(0) is finite and
/// negative. With dead time the phase is monotone between the roots of another exact polynomial, so that each piece holds one
/// crossing for each turn; of the infinitely many at least 50 are given, and all up to the last gain crossover. Modulus and disk
/// margins are the least on boxes of modulus and phase that are refined until none can hold less (to 1e-7). Of a loop in z with
/// its sample time: the same polynomials after z = (1 + jν)/(1 − jν), ν = tan(ωh/2); crossings lie below half the sampling
/// frequency, π/h, which is one itself where L(−1) is negative (it always is real).
/// @throws NoAnswer for several dead times; LimitReached when there are too many phase crossovers below a gain crossover.
Margins margins(const ExactTransfer&);
/// Of the answer to a question, taken for the open loop. A loop of the graph is opened by open_loop().
Margins margins(const SignalFlowGraph&, const Question&, const Budget& = {});

}  // namespace sfg
