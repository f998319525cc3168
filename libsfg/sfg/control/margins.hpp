#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sfg/control/closed_loop.hpp"
#include "sfg/control/disk_margins.hpp"
#include "sfg/control/error_constants.hpp"
#include "sfg/transfer/exact_transfer.hpp"

namespace sfg {

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
