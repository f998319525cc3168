#pragma once
#include <complex>
#include <span>
#include <vector>

#include "sfg/study/measures/axis_measures.hpp"

// Not installed.
namespace sfg {

/// Measures of the unit step response of a fraction in s with simple poles, y(t) = T(0) + Σ r e^(pt), and samples of one in z.
class StepMeasures {
 public:
  using Complex = std::complex<double>;
  StepMeasures(const Operator&, double unit);
  /// @param poles  all of them; empty: not known
  void set(const NumberFraction&, std::span<const Complex> poles);

  FoundMeasure operator()(const BaseMeasure&);
  /// Of the measure that was asked last.
  bool slopes(const BaseMeasure&, CoefficientSlopes&);

 private:
  struct Part {
    Complex pole, weight;  ///< of a pair, the upper one
    double count = 1;      ///< 2 of a pair
  };
  class Walk;
  struct Values {
    double y, slope, curvature;
  };
  bool expand();
  Values at(double t) const;
  double sampled(double t);
  bool figures();
  double crossing(double a, double b, double level) const;
  double extremum(double a, double b) const;
  void add_slopes(double t, double factor, CoefficientSlopes&);
  bool sampled_slopes(double t, CoefficientSlopes&) const;

  Operator op_;
  double unit_, period_;
  std::vector<double> n_, d_;          ///< with s in units
  std::size_t above_ = 0, below_ = 0;  ///< coefficients of the fraction, leading ones that vanish here included
  double delay_ = 0, final_ = 0;
  bool known_ = false, simple_ = false, stable_ = false, figures_known_ = false, figures_found_ = false;
  std::vector<Complex> poles_;
  std::vector<Part> parts_;
  double natural_ = 0;  ///< how large slopes times coefficients are that move the response by its whole size
  double lost_ = 0;     ///< what poles near each other may make the last slopes wrong by, times their coefficients
  double low_ = 0, high_ = 0, settled_ = 0, settled_level_ = 0, peak_ = 0, peak_time_ = 0;  ///< times in 1/unit
  std::vector<double> samples_;
};

}  // namespace sfg
