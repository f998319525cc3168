#pragma once
#include <complex>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg {

/// What drives one source: constant + amplitude · cos(ω t).
struct PeriodicInput {
  NodeId input;
  double amplitude = 0;
  double constant = 0;
};

struct BalanceOptions {
  std::vector<NodeId> outputs = {};  ///< empty: as stated
  std::size_t harmonics = 7;         ///< of the inputs' frequency; 1: describing functions
  bool converge = false;             ///< limit_cycles(): these at least, and more until they suffice
  std::size_t subharmonic = 1;       ///< M: motions of M periods of the inputs, with M · harmonics harmonics of their own
  bool stability = true;
  bool backbone = false;                               ///< curves of phase resonance, which free motion without damping follows
  bool sensitivities = false;                          ///< of the amplitudes to every parameter
  static constexpr std::size_t followed_unasked = 60;  ///< nodes of graphs whose motions are confirmed anyway
  bool confirm = false;                                ///< motions of graphs of more than 60 nodes are followed in time, too
  std::uint64_t seed = 1;                              ///< of the scattered starts
  Budget budget = {};
};

/// What the integrator makes of a motion that begins in its own state.
struct MotionConfirmation {
  std::optional<bool> confirmed = {};  ///< it stays with the motion; nothing: not known
  double periods = 0;                  ///< of the motion, for which it was followed; 0: not followed
  double deviation = 0;                ///< at the end, of the motion's size: at most
  std::string reason = {};             ///< why it is not known
};

/// x(t) = Re Σ X_h exp(jhωt/M) for every signal.
struct PeriodicMotion {
  double frequency = 0;                                           ///< ω of the inputs, rad/s
  std::vector<std::vector<std::complex<double>>> harmonics = {};  ///< signal by signal; not finite where it has no mean
  std::optional<bool> stable = {};                                ///< nothing: not known, or not asked for
  std::vector<std::complex<double>> multipliers = {};             ///< of one period; none where Hill's determinant was counted
  std::vector<std::vector<double>> derivatives = {};              ///< d|X_M|/dk: signal by signal, parameter by parameter
  bool near_fold = false;                                         ///< derivatives are large there, and lose digits
  std::size_t curve = 0;                                          ///< on which it lies
  /// By how much it changes with half as many harmonics again, of its frequency and of its size; of limit cycles.
  std::optional<double> error = {};
  MotionConfirmation confirmation = {};
};

/// A curve of motions over the frequency, as it was followed.
struct MotionCurve {
  std::vector<double> frequency;
  std::vector<std::vector<double>> amplitude;  ///< signal by signal: |X_M|
  std::vector<std::optional<bool>> stable;
};

struct MotionMark {
  enum class Kind { fold, branch_point };
  Kind kind;
  double frequency;
  std::vector<double> amplitude;  ///< of every signal
};

/// Motions in phase resonance, and so many times the amplitudes of the inputs as they take.
struct BackboneMotions {
  std::vector<double> frequency, level;
  std::vector<std::vector<double>> amplitude;  ///< signal by signal
};

struct PeriodicMotions {
  std::vector<std::string> inputs;   ///< those that drive
  std::vector<std::string> signals;  ///< the arguments of the laws, then the outputs; each once
  std::vector<std::string> parameters;
  std::size_t harmonics = 0, subharmonic = 1, laws = 0;
  std::vector<double> frequency;  ///< as asked for
  std::vector<PeriodicMotion> points;
  std::vector<MotionCurve> curves;
  std::vector<MotionMark> marks;
  std::vector<BackboneMotions> backbones;
  std::vector<std::string> notes;
};

/// Periodic motions of a graph with nonlinear branches by harmonic balance on its principal form: the cost depends on the number
/// of laws and harmonics, and on the linear part only through the values of its transmittances. All that were found: every
/// curve of motions is followed through its folds over and beyond the frequencies, from the linear response, by growing inputs,
/// from scattered starts, from all roots of the describing function where there is one law of one signal, and along what leaves
/// at branch points.
/// @param frequencies  of the inputs, rad/s
/// @throws sfg::Error for a discrete system, a law of time, parameters without value; NoAnswer where no motion was found.
PeriodicMotions periodic_motions(const SignalFlowGraph&, std::span<const PeriodicInput>, std::span<const double> frequencies,
                                 const BalanceOptions& = {});

/// The limit cycles of a graph without oscillating inputs: periodic motions of a frequency of their own, by harmonic balance with
/// the phase fixed. They begin where describing functions balance, 1 = N(A) T_j(jω), sought from a grid of amplitudes and
/// frequencies, and are refined harmonic by harmonic. The point (0 amplitude) is no limit cycle. Each is judged by half as many
/// harmonics again: what is none then is left out, and how far it moves is its error.
/// @param inputs  constant parts alone
/// @param low, high  of the frequencies in which they are sought, rad/s
/// @returns motions with their frequencies, each once; points.empty() where none was found.
/// @throws as periodic_motions(); std::invalid_argument for an input with an amplitude.
PeriodicMotions limit_cycles(const SignalFlowGraph&, std::span<const PeriodicInput> inputs, double low, double high,
                             const BalanceOptions& = {});

}  // namespace sfg
