#pragma once
#include <ginac/ex.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/expr/symbol_table.hpp"
#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/model/noise.hpp"
#include "sfg/response/time_response.hpp"
#include "sfg/transfer/exact_transfer.hpp"
#include "sfg/transfer/question.hpp"

namespace sfg {

/// What a measure is a number of.
enum class MeasureKind {
  dc,    ///< T(0), of a system in z T(1)
  gain,  ///< |T(jω)|
  db,
  phase,  ///< deg, unwrapped as frequency_response() does
  peak,   ///< the greatest |T(jω)|, ω = 0 included
  peak_frequency,
  bandwidth,  ///< the least ω with |T(jω)| = |T(0)|/√2
  gain_margin,
  phase_margin,
  modulus_margin,
  delay_margin,
  disk_margin,      ///< α of σ = 0
  gain_crossover,   ///< of the open loop, as the margins: the least ω with |L(jω)| = 1
  phase_crossover,  ///< the least ω with L(jω) real and negative
  dc_error,         ///< 1/(1 + L) at rest
  position_constant,
  velocity_constant,
  acceleration_constant,
  type,  ///< of the open loop: poles at rest
  rise,  ///< of the unit step, as the following
  settling,
  overshoot,
  final,
  step,            ///< its value at a time
  abscissa,        ///< the greatest real part of the poles
  damping,         ///< the least damping ratio of the oscillating poles
  mode_frequency,  ///< natural frequency of a mode
  mode_damping,
  noise,  ///< rms value of the output with all that makes noise, over a band or over 0…∞
};

/// One number of a transfer function: its kind with the frequency, the band, the time or the mode that it is asked at.
struct BaseMeasure {
  MeasureKind kind = MeasureKind::dc;
  double at = 0;         ///< ω in rad/s, or t in s; of a band the lower end
  std::size_t mode = 0;  ///< 1 for the slowest
  double up_to = 0;      ///< the upper end of a band, rad/s; may be infinite
  friend bool operator==(const BaseMeasure&, const BaseMeasure&) = default;
};
std::string to_string(const BaseMeasure&);  ///< "gain@10", "frequency:2"
/// Whether it is of the open loop: its margins and crossovers, its error constants and type.
bool is_margin(MeasureKind);
/// Whether it reads the step response, and whether it is a figure of a response that settles.
bool of_step(MeasureKind);
/// Whether it is of the circuit's own noise, not of the transfer function.
inline bool of_noise(MeasureKind kind) { return kind == MeasureKind::noise; }

/// A number to study: base measures, or an expression of them and of parameters ("peak/dc").
struct Measure {
  std::string text;                ///< as it was asked for
  std::vector<BaseMeasure> bases;  ///< distinct ones
  std::vector<GiNaC::ex> symbols;  ///< that stand for them in the expression
  GiNaC::ex expression;            ///< in these and the parameters of the table
  std::string unit = {};           ///< of a measure alone: "rad/s", "dB", "deg", "s", "%"; "" where it has none of its own

  /// The base measure that this is, where it is nothing else.
  const BaseMeasure* base() const;
};

/// Reads a measure: a name of the table of measures, with its number in the syntax of numbers, or an expression of such names and
/// of the parameters of the table. Names with hyphens are read whole. Where a parameter has the name of a measure, it is
/// "parameter:NAME"; one called Kp, Kv, Ka or type keeps its name, and the measure is "constant:NAME".
/// @throws sfg::Error quoting the text; the place is the column in the text.
Measure measure_of(const std::string& text, const SymbolTable&);

/// A measure and what is asked of it.
struct Spec {
  enum class Relation { less, less_equal, greater, greater_equal, equal };
  std::string text;
  Measure measure;
  Relation relation = Relation::less;
  double value = 0;
  /// Whether a value meets it, equality within 1e-6 relative; a measure that does not exist (NaN) meets nothing.
  bool met(double value) const;
};

/// "EXPR < VALUE", with <=, > and >= likewise; "EXPR = VALUE" where equality is allowed.
/// @throws sfg::Error as measure_of(), and for what is no comparison with a number.
Spec spec_of(const std::string& text, const SymbolTable&, bool equality = false);

/// The response of a nonlinear model itself to a unit step, simulated.
struct SimulatedStep {
  /// @param times  ascending, from 0 on
  std::function<TimeResponse(std::span<const std::string> parameters, std::span<const double> values,
                             std::span<const double> times)>
      response;
  double until = 0;  ///< s: for how long it is followed where figures are asked; 0: not stated
};

/// A signal with all that makes noise there: what the measure `noise` is of.
struct NoisyOutput {
  SignalFlowGraph graph;  ///< with the sources of noise, and with the parameters of their densities
  std::vector<NoiseSource> sources;
  NodeId output;
  double temperature = usual_noise_temperature;  ///< K
};

/// What measures are numbers of: a transfer function, and the open loop of its margins.
struct MeasuredSystem {
  SignalFlowGraph graph;
  Question question;
  /// The loop opened elsewhere (open_loop()), of which the margins are; without it T itself is the open loop.
  std::optional<std::pair<SignalFlowGraph, Question>> loop = {};
  /// Where the graph is a linearisation at a point that moves with parameters: the system with these values, its point searched
  /// again. Measures are then found by deriving the model anew for every point, one after the other.
  std::function<MeasuredSystem(std::span<const std::string> parameters, std::span<const double> values)> anew = {};
  /// Where the model's own response is meant instead: of a step's measures there are values, of all others none.
  std::optional<SimulatedStep> simulated = {};
  /// The output with all that makes noise there, at the stated values where no parameters are named, else as `anew`. Not set
  /// where nothing does: of what is no circuit.
  std::function<NoisyOutput(std::span<const std::string> parameters, std::span<const double> values)> noisy = {};
  bool infinite = false;  ///< at the stated values it has no transfer function, as it has beside them: no measure exists there
};

/// The noise of the system at the stated values. @throws sfg::Error where it has none.
NoisyOutput noisy_output(const MeasuredSystem&);

/// Values and derivatives of measures at one point.
struct LocalMeasures {
  std::vector<double> value;  ///< measure by measure; NaN where it does not exist
  /// ∂(measure)/∂(parameter), measures × parameters; NaN where there is none, and of models that are derived anew
  std::vector<double> derivative;
  /// Measure by measure, whether doubles decide what it is there; where they are not to be helped by the certified passes, the
  /// value of one that they do not decide is NaN too.
  std::vector<char> decided = {};
};

/// Measures as functions of parameters, compiled: what every study of a model calls, a million times or once. The coefficients of
/// T = N/D are a tape; roots, crossings and responses are found in double precision from them. Where T is no fraction of
/// polynomials, or too long for one, the certified passes answer, slowly.
class MeasureProgram {
 public:
  /// @param parameters  names that vary, with values in the graph; all others take their values
  /// @throws as transfer_functions(); sfg::Error naming parameters without values.
  MeasureProgram(MeasuredSystem, std::vector<Measure>, std::vector<std::string> parameters, const Budget& = {});
  ~MeasureProgram();
  MeasureProgram(MeasureProgram&&) noexcept;
  MeasureProgram& operator=(MeasureProgram&&) noexcept;

  std::size_t size() const noexcept;  ///< measures
  const std::vector<Measure>& measures() const noexcept;
  const std::vector<std::string>& parameters() const noexcept;
  std::span<const double> nominal() const noexcept;  ///< the stated values of the parameters

  /// Values at many points, on the calling thread; any number of threads may call at once. The value at a point does not depend
  /// on the other points.
  /// @param parameters  those of the first one at all points, then of the second …: parameters × points
  /// @param values      measures × points, in the same way; NaN where a measure does not exist
  /// @throws Cancelled, LimitReached by the budget.
  void evaluate(std::size_t points, std::span<const double> parameters, std::span<double> values) const;
  /// Values and derivatives at one point: measures by the coefficients, then one sweep back to all parameters.
  /// @param certified  whether the certified passes are asked for what doubles do not decide
  LocalMeasures at(std::span<const double> parameters, bool certified = true) const;
  /// Why a measure has no value at a point: "peak: the magnitude has no greatest value"; "" where it has one.
  std::string missing(std::size_t measure, std::span<const double> parameters) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sfg
