#pragma once
#include <complex>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sfg/response/compiled_response.hpp"
#include "sfg/transfer/exact_transfer.hpp"

namespace sfg {

/// A pole on the axis (of a discrete system: on the unit circle), where the response is infinite.
struct PoleOnAxis {
  double frequency = 0;  ///< rad/s
  int multiplicity = 1;
};

/// T(jω) at frequencies in rad/s, of a discrete system T(e^{jωh}).
struct FrequencyResponse {
  std::string input = {};
  std::string output = {};
  std::vector<double> frequency = {};  ///< rad/s
  std::vector<std::complex<double>> value = {};
  std::vector<double> magnitude_db = {};
  std::vector<double> phase_deg = {};  ///< continuous; starts at the low-frequency asymptote; NaN where the response has no phase
  std::vector<double> group_delay = {};     ///< −dφ/dω, s; NaN where there is none; empty where it was not asked for
  std::vector<double> breaks = {};          ///< frequencies of poles and zeros on the axis, where the phase jumps, rad/s
  std::vector<std::string> notes = {};      ///< what the answer lacks
  std::string unit = {};                    ///< of the output by the input, "m/N"; "" for a number, and where it is not known
  std::vector<PoleOnAxis> axis_poles = {};  ///< ascending, 0 among them; not known by the compiled way
  /// 0: correct to double precision. Else the greatest bound of a value's relative error, by the compiled way; values below
  /// 1e-140 are left out of it.
  double error_bound = 0;
};

/// Exact to double precision by ball arithmetic (a dead time is exact too). The phase is right for any choice of frequencies, far
/// apart or in any order: whole turns are those of the certified roots and of the dead time, −ωτ; several dead times are followed
/// from the low-frequency asymptote in steps that cannot overlook a turn. Poles and zeros on the axis count as if they were a
/// little to the left of it (on the unit circle: inside). At one of them the value is infinite or 0 and the phase NaN, as it is
/// for a transfer function that is 0.
FrequencyResponse frequency_response(const ExactTransfer&, std::span<const double> rad_per_s);

/// The same by the compiled way, one for each of its questions, with error bounds stated. The phase is followed with samples
/// dense enough to see it turn (20 a decade, halved where it turns by more than 45°): only a pole and a zero close to the axis
/// and closer to each other than these can hide from it. `dead_time`, s, is the most that the graph has on any way: samples are
/// closer then, and where they would be too many there is no phase, with a note.
std::vector<FrequencyResponse> frequency_responses(const CompiledResponse&, std::span<const double> rad_per_s,
                                                   const EvaluationOptions& = {}, double dead_time = 0);

struct SweepOptions {
  std::vector<double> frequency = {};    ///< rad/s; empty: chosen by frequency_range()
  std::optional<std::size_t> pade = {};  ///< order of the approximants that replace dead time
  enum class Way {
    automatic,
    exact,
    compiled
  } way = Way::automatic;    ///< automatic: see prefers_compiled(); compiled, too, where a gain is not rational: sqrt(s)
  bool smooth = false;       ///< frequencies are added until the loci in the complex plane show no corner (smooth_loci)
  bool group_delay = false;  ///< by the compiled way, which takes a second program for it; the exact way always gives it
  unsigned threads = 0;
  std::uint64_t seed = 1;
  Budget budget = {};
};

/// Frequency responses of a graph, by whichever way is quicker.
/// @throws as exact_transfers and CompiledResponse.
std::vector<FrequencyResponse> frequency_responses(const SignalFlowGraph&, std::span<const Question>, const SweepOptions& = {});

/// The same of transfer functions with numbers.
std::vector<FrequencyResponse> frequency_responses(std::span<const ExactTransfer>, const SweepOptions& = {});

/// Ascending frequencies, with further ones down to `low` and up to `high` where these lie outside.
std::vector<double> widened(std::vector<double> frequency, double low, double high);

/// Frequencies from the poles and zeros: a decade below the slowest and above the fastest, denser near resonances.
/// Of a transfer function in z up to half the sampling frequency, π/h.
std::vector<double> frequency_range(std::span<const ExactTransfer>, std::size_t points = 400);
/// The same from values alone: between the ends where the responses follow a power of the frequency, denser where they turn.
std::vector<double> frequency_range(const CompiledResponse&, std::size_t points = 400);
std::vector<double> logarithmic(double low, double high, std::size_t points);

}  // namespace sfg
