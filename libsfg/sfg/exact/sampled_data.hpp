#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "sfg/exact/rational.hpp"

namespace sfg::exact {

// Continuous systems seen at equal intervals of time. Poles near z = 1, where fast sampling puts them all, cost a double its
// digits: the coefficients are made in ball arithmetic instead and are rational numbers of as many digits as asked for.

/// Polynomials in z of a sampled system, highest power first, the denominator monic.
struct SampledSystem {
  std::vector<Rational> numerator;
  std::vector<Rational> denominator;
};

/// Samples of n(s)/d(s) behind a zero-order hold, exactly sampled: the matrix exponential of its companion form in ball
/// arithmetic, at a precision raised until every coefficient has the digits asked for. Multiple poles and poles near z = 1 are as
/// good as others.
/// @param numerator, denominator  highest power first; the degree of the numerator is not higher.
/// @param sample_time  > 0
/// @param digits       correct significant digits of every coefficient
/// @param later        0 ≤ later < sample_time: the output is sampled so long after the input (the modified z-transform)
SampledSystem held(std::span<const Rational> numerator, std::span<const Rational> denominator, const Rational& sample_time,
                   std::size_t digits, const Rational& later = 0);

/// The least whole number that is not below.
Rational next_integer(const Rational&);

/// Π (z − e^(r h)) over the roots r of a polynomial, decimals of so many digits, highest power first.
std::vector<Rational> sampled_roots(std::span<const Rational> polynomial, const Rational& sample_time, std::size_t digits);

/// y of den_0 y_k = Σ num_i u_(k−i) − Σ den_i y_(k−i), u and y 0 before k = 0, at a precision raised until two of them agree to
/// that of a double: coefficients of many digits are not wasted.
/// @param numerator, denominator  highest power of z first; the numerator as long as the denominator.
std::vector<double> recurrence(std::span<const Rational> numerator, std::span<const Rational> denominator,
                               std::span<const double> input);

}  // namespace sfg::exact
