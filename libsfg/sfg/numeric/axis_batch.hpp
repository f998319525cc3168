#pragma once
#include <array>
#include <cstddef>
#include <span>
#include <vector>

/// A fraction of polynomials on the imaginary axis at many points, with the vector instructions of the machine; the same bits on
/// every machine and for every number of points.
namespace sfg::numeric {

/// |N(jν)/D(jν)|² at ν² = x.
/// @param n, d  coefficients, lowest power first
void squared_magnitudes(std::span<const double> n, std::span<const double> d, std::span<const double> x,
                        std::span<double> result);
/// The argument of N(jν)/D(jν) in degrees, between −180 and 180.
/// @param x  ν², for every ν
void arguments(std::span<const double> n, std::span<const double> d, std::span<const double> nu, std::span<const double> x,
               std::span<double> result);
/// 10 log10 of every value, correct to some units in the last place of the logarithm; values above 0, below infinity and not
/// subnormal, others become NaN.
void decibels(std::span<double> values);

/// N/D at ascending frequencies and many points: squares of the magnitude, and arguments as turns. A turn is y/(|x| + |y|) within
/// a quadrant, grows with the angle and is 4 for all of it; whole ones are counted from ν = 0.
class AxisFan {
 public:
  /// @param zeros, poles  how many of the lowest coefficients of N and of D are 0
  /// @param unit          a frequency in the middle of what matters, a power of 2
  AxisFan(std::span<const double> frequencies, std::size_t numerator_size, std::size_t denominator_size, std::size_t zeros,
          std::size_t poles, double unit);

  /// Whole turns are told by the signs of the real and the imaginary part at all frequencies, at 0 and at ∞, where these change
  /// as often as there are roots.
  /// @param coefficients  coefficients × points, those of N, then those of D
  /// @param values        frequencies × points of squares, then of turns
  /// @param undecided     1 where the signs do not tell: the turns of this point may be wrong by whole ones
  void operator()(std::size_t points, std::span<const double> coefficients, std::span<double> values,
                  std::span<char> undecided) const;
  /// The turn at a frequency without whole ones, −2 … 2.
  /// @param coefficients  of one point
  double turn(std::size_t frequency, std::span<const double> coefficients) const;

 private:
  std::size_t numerator_, denominator_, zeros_, poles_;
  std::vector<double> weights_;   ///< of the coefficients in real and imaginary parts, frequency by frequency
  std::vector<double> scale_;     ///< of the coefficients, by powers of the unit
  std::array<double, 4> starts_;  ///< whole turns at ν = 0; + 1: N and D differ in sign, + 2: the imaginary part is above 0
};

}  // namespace sfg::numeric
