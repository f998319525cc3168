#pragma once
#include <span>

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

/// sum[i] += weight·values[i]
void add_weighted(std::span<double> sum, std::span<const double> values, double weight);
/// Of N/D by their real and imaginary parts: the square of the magnitude, and the argument as a turn, that is between −2 and 2
/// and grows with the angle as y/(|x| + |y|) does within a quadrant.
void squares_and_turns(std::span<const double> n_real, std::span<const double> n_imaginary, std::span<const double> d_real,
                       std::span<const double> d_imaginary, std::span<double> square, std::span<double> turn);

}  // namespace sfg::numeric
