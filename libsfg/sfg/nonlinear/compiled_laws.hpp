#pragma once
#include <ginac/ex.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sfg/nonlinear/principal.hpp"
#include "sfg/numeric/tape.hpp"
#include "sfg/ring/bounds.hpp"

namespace sfg {

/// What a tape may give over a box, surely: values, and slopes between any two points of the box. Over a corner a slope is the
/// hull of both sides (Clarke, Optimization and Nonsmooth Analysis, 1983); over a jump it has no bound on the side of the jump.
/// Where a function has no value (the logarithm of what is not positive, a pole), the bounds are those of the points that have
/// one.
struct Enclosure {
  enum class Defined { everywhere, partly, nowhere };
  std::vector<ring::Bounds> values;  ///< by output
  std::vector<ring::Bounds> slopes;  ///< outputs × the inputs asked for, by rows
  std::vector<bool> jumps;           ///< by output: whether a jump lies in the box
  Defined defined = Defined::everywhere;
  std::size_t poles = 0;  ///< divisors and tangents that pass a pole within the box, in the order of the tape
};

/// @param box    bounds of every input of the tape
/// @param by     inputs by which slopes are wanted
/// @param sides  of the first poles: 1 the points with a positive divisor alone, −1 those with a negative one; 0 and none: all
/// @note  Constants that are no integers count as rounded once: make the tape with TapeBuilder::Folding::exact.
Enclosure enclosure(const numeric::Tape&, std::span<const ring::Bounds> box, std::span<const std::uint32_t> by,
                    std::span<const int> sides = {});

/// The laws of a principal form as programs for numbers. Immutable; may be shared by threads.
///
/// A backlash or a relay with hysteresis has a memory value z for every place where it stands. Laws are functions of the
/// arguments and of z; remember() gives the next z, which depends on the path of the arguments and not on their speed. Within a
/// step that does not turn around f(a, z) is right with the z of its beginning.
class CompiledLaws {
 public:
  /// @param values      of the parameters
  /// @param parameters  those that stay free: symbols of the form's table, given their values with every call
  /// @throws sfg::Error naming parameters without values, or what has no number.
  explicit CompiledLaws(const PrincipalForm&, const GiNaC::exmap& values, std::span<const GiNaC::ex> parameters = {});

  std::size_t laws() const noexcept { return laws_; }
  /// Whether a law holds more at its jump than on either side of it: static friction.
  bool grips(std::size_t law) const { return grips_[law]; }
  std::size_t arguments() const noexcept { return arguments_; }
  std::size_t parameters() const noexcept { return parameters_; }

  /// The laws, of the arguments, the time, the parameters and the memories.
  const numeric::Tape& tape() const noexcept { return value_; }

  /// What the laws depend on.
  struct Point {
    std::span<const double> arguments;
    double time = 0;
    std::span<const double> parameters = {};
    std::span<const double> memory = {};  ///< memories() values; initial ones where empty
  };
  /// @param f  laws() places
  void values(const Point&, std::span<double> f) const;
  /// @param by_arguments  laws() × arguments(), by rows: ∂f_i/∂a_j; of a jump or corner the derivative at one side
  void values(const Point&, std::span<double> f, std::span<double> by_arguments) const;
  /// @param by_parameters  laws() × parameters(), by rows
  void sensitivities(const Point&, std::span<double> f, std::span<double> by_arguments, std::span<double> by_parameters) const;

  /// A place where a law has memory.
  struct Memory {
    enum class Kind { backlash, hysteresis };
    Kind kind;
    std::size_t law;
    double initial = 0;  ///< of a backlash its output 0, of a relay with hysteresis −1: off
  };
  std::span<const Memory> memories() const noexcept { return memories_; }
  std::vector<double> initial_memory() const;
  /// @param next  memories() places: z after the arguments have come here; of a backlash its output, of a relay ±1
  void remember(const Point&, std::span<double> next) const;
  /// The signal that each memory follows: where that of a backlash turns around, its contact ends.
  void followed(const Point&, std::span<double> signals) const;

  /// Functions whose sign changes where a law has a corner or a jump; for those who locate events. Of a quantiser and a table of
  /// straight lines one function has a zero at every step or knot.
  std::size_t switches() const noexcept { return jumps_.size(); }
  void switching(const Point&, std::span<double> g) const;
  /// Whether the law may jump there; else it has a corner.
  bool jumps(std::size_t i) const { return jumps_.at(i); }

  /// Bounds of the laws and of their slopes by the arguments, over a box of these: surely all values, over corners, jumps and
  /// every value that the memories may have there.
  /// @param sides  of poles that lie in the box, as sfg::enclosure takes them
  Enclosure enclosure(std::span<const ring::Bounds> arguments, const ring::Bounds& time = {},
                      std::span<const double> parameters = {}, std::span<const int> sides = {}) const;

  /// Many points at once, time 0; of laws without memory.
  /// @param arguments   argument by argument its values at the points
  /// @param parameters  one value each
  /// @returns values of the first law at the points, of the second …; then of each law its derivatives by every argument and by
  ///          every parameter, all at the points: laws() · (1 + arguments() + parameters()) · points
  std::vector<double> batch(std::size_t points, std::span<const double> arguments, std::span<const double> parameters = {}) const;

 private:
  template <class Output>
  void run(const numeric::Tape&, const Point&, Output&& output) const;

  std::size_t laws_, arguments_, parameters_;
  std::vector<Memory> memories_;
  std::vector<bool> jumps_, grips_;
  // Inputs of all: arguments, time, parameters, memory.
  numeric::Tape value_, jacobian_, next_, followed_, switching_, exact_, range_;
};

}  // namespace sfg
