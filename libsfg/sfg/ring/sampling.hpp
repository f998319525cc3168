#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace sfg::ring {

/// Polynomials of a sampled system, highest power first, as decimals.
struct SampledSystem {
  std::vector<std::string> numerator;
  std::vector<std::string> denominator;
};

/// Samples of n(s)/d(s) behind a zero-order hold, exactly sampled: the matrix exponential of its companion form in ball
/// arithmetic, at a precision raised until every coefficient has the digits asked for. Multiple poles and poles near z = 1 are as
/// good as others.
/// @param numerator, denominator  "p/q", highest power first; the degree of the numerator is not higher.
/// @param sample_time  "p/q" > 0
/// @param digits       correct significant digits of every coefficient
SampledSystem held(std::span<const std::string> numerator, std::span<const std::string> denominator,
                   const std::string& sample_time, std::size_t digits);

/// Π (z − e^(r h)) over the roots r of a polynomial, as decimals of so many digits, highest power first.
std::vector<std::string> sampled_roots(std::span<const std::string> polynomial, const std::string& sample_time,
                                       std::size_t digits);

}  // namespace sfg::ring
