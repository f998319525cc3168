#pragma once
#include <ginac/ex.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sfg/expr/symbol_table.hpp"

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

}  // namespace sfg
