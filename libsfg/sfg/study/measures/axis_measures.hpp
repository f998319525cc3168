#pragma once
#include <complex>
#include <optional>
#include <span>
#include <vector>

#include "sfg/model/operator.hpp"
#include "sfg/numeric/polynomial_roots.hpp"
#include "sfg/study/measures/coefficient_program.hpp"
#include "sfg/study/measures/measure.hpp"

// Not installed: measures of a fraction with numbers, in double precision.
namespace sfg {

/// T = e^(−τs) N/D at one point of the parameters; coefficients lowest power first.
struct NumberFraction {
  std::span<const double> numerator, denominator;
  double delay = 0;
};

/// What a measure is at a point, and how it moves with the coefficients.
struct FoundMeasure {
  double value = 0;     ///< NaN where the measure does not exist
  bool decided = true;  ///< false: double precision cannot tell whether this is it; the certified passes can
};

/// ∂(measure)/∂(coefficient), for one sweep back.
struct CoefficientSlopes {
  std::vector<double> numerator, denominator;
  double delay = 0;
};

/// Measures of the frequency response: values on the axis, the peak, the bandwidth, the margins of an open loop. Of a fraction in
/// z on the image of the unit circle under z = (1 + w)/(1 − w), as axis_image().
class AxisMeasures {
 public:
  /// @param unit  rad/s: a frequency in the middle of what matters, for good numbers; a power of 2
  AxisMeasures(const CoefficientProgram&, double unit);
  void set(const NumberFraction&);

  FoundMeasure operator()(const BaseMeasure&);
  /// Of the measure that was asked last. False where it has no derivative.
  bool slopes(const BaseMeasure&, CoefficientSlopes&);

  /// Values on the axis at many frequencies: gain@, db@ and phase@, ascending frequency.
  void along(std::span<const BaseMeasure> ascending, std::span<double> values);

  /// Whole turns of the argument at ω = 0, and the squares of ν where it makes another one or takes one back, ascending; nothing
  /// where T is real everywhere.
  std::optional<double> turns(std::vector<std::pair<double, int>>& crossings);

 private:
  using Complex = std::complex<double>;
  /// N, D and their derivatives by the image's variable at jν.
  struct Point {
    Complex n, n1, n2, d, d1, d2;
    Complex slope() const { return Complex(0, 1) * (n1 / n - d1 / d); }  ///< d ln T / dν
    Complex curvature() const;                                           ///< d² ln T / dν²
  };
  struct Crossing {
    double x;
    int turn;           ///< of the argument, whole turns
    bool jump = false;  ///< at a root on the axis, where T is not real and negative
  };

  double to_axis(double w) const;
  double from_axis(double nu) const;
  double axis_slope(double nu) const;  ///< dω/dν
  double last() const;                 ///< the magnitude at ν = ∞
  Point at(double nu) const;
  double height(double nu) const;  ///< |N/D| at jν
  void make_squares();
  bool make_crossings();
  bool closed_loop_stable();

  FoundMeasure on_axis(const BaseMeasure&);
  void add_turns(std::span<const BaseMeasure> ascending, std::span<double> values);
  FoundMeasure peak(bool frequency);
  FoundMeasure bandwidth();
  FoundMeasure gain_margin();
  FoundMeasure phase_margin(bool delay);
  FoundMeasure modulus_margin();
  FoundMeasure disk_margin();
  FoundMeasure dc_error();
  FoundMeasure error_constant(std::size_t order);
  FoundMeasure type();
  FoundMeasure gain_crossover();
  FoundMeasure phase_crossover();
  FoundMeasure delayed_gain_margin();
  /// The modulus margin, or the disk margin.
  FoundMeasure delayed_distance(bool disk);
  FoundMeasure delayed_phase_crossover();
  /// Where L with its dead time is real and negative, in ascending order, as long as `wanted` says.
  template <class Wanted>
  void delayed_crossings(const Wanted& wanted);
  std::vector<double> delayed_frequencies();
  Complex open_loop(double nu) const;  ///< with its dead time

  /// ∂ ln T/∂c by every coefficient of the image: powers of jν over N, and over −D.
  template <class Add>
  void for_coefficients(double nu, const Add&) const;
  void disk_slopes(CoefficientSlopes&);
  void slopes_at_rest(MeasureKind);
  void slopes_on_axis(const BaseMeasure&, CoefficientSlopes&);
  void back(CoefficientSlopes&) const;

  Operator op_;
  AtRest at_rest_;
  double unit_, period_;
  std::vector<double> n_, d_;                       ///< of the image
  std::vector<std::vector<double>> n_map_, d_map_;  ///< of z: image coefficient by coefficient
  double delay_ = 0;
  bool squares_ = false;
  bool crossings_known_ = false, crossings_decided_ = false;
  std::vector<double> above_, below_, real_, imaginary_, work_, more_;
  std::vector<Crossing> crossings_;
  double start_ = 0;                       ///< whole turns at ν = 0
  double asymptote_ = 0;                   ///< the phase there, deg
  bool regular_at_rest_ = false;           ///< T(0) is neither 0 nor infinite
  double found_at_ = 0, found_ = 0;        ///< where, and the value of a disk margin
  std::vector<double> nu_, x_, response_;  ///< at many frequencies
  std::vector<double> n_slopes_, d_slopes_;
  numeric::PositiveRoots roots_;
};

}  // namespace sfg
