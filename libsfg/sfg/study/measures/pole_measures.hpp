#pragma once
#include <complex>
#include <span>
#include <vector>

#include "sfg/study/measures/axis_measures.hpp"

// Not installed.
namespace sfg {

/// Whether the motion of a pole changes its sign again and again; in z that of a negative real one does, too.
bool oscillates(const Operator&, std::complex<double> pole);

/// The poles of a fraction near those of a nominal one, and the measures of them: abscissa, damping, modes.
class PoleMeasures {
 public:
  using Complex = std::complex<double>;
  /// @param denominator  the nominal one, lowest power first
  /// @param roots        its roots, as often as they are; infinite ones where leading coefficients vanish
  /// @param poles        those that are modes: they do not cancel
  /// @param unit         as of AxisMeasures
  PoleMeasures(const Operator&, std::span<const double> denominator, std::span<const Complex> roots,
               std::span<const Complex> poles, double unit);
  void set(std::span<const double> denominator);

  /// The finite roots of the denominator, in no order; empty where they were not found.
  std::span<const Complex> finite();
  Complex found() const { return at_ * unit_; }  ///< the pole that the last measure was of
  FoundMeasure operator()(const BaseMeasure&);
  /// Of the measure that was asked last.
  bool slopes(const BaseMeasure&, CoefficientSlopes&);

 private:
  Complex in_s(Complex root) const;
  void find_roots(std::span<const double> d, std::span<const Complex> starts, std::vector<Complex>& to);
  bool shared(const BaseMeasure&);
  bool follow();
  bool follow(double from, double to, int depth);
  bool assign(std::size_t i, std::span<const Complex> roots, bool last);
  FoundMeasure of_mode(const BaseMeasure&);

  Operator op_;
  double unit_, period_;
  std::vector<double> nominal_, d_, between_;  ///< with s in units
  std::vector<Complex> start_, found_, near_, finite_;
  std::vector<Complex> tracked_, next_;  ///< in the order of start_
  std::vector<char> used_, assigned_;
  std::vector<std::size_t> modes_;  ///< which of start_ are modes, ascending frequency
  bool known_ = false, followed_ = false, tracked_well_ = false;
  Complex at_;  ///< the pole that the last measure was of
  numeric::ComplexRoots roots_;
};

}  // namespace sfg
