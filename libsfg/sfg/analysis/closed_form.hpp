#pragma once
#include <ginac/ex.h>

#include <optional>
#include <span>
#include <string>

namespace sfg {

/// The inverse Laplace transform of a rational function as an expression in `t`, for t > 0, where its poles are known in
/// closed form: rational poles of any multiplicity and simple pairs from quadratic factors over ℚ. Impulses are left out.
/// Nothing when a factor of the denominator has a higher degree.
/// @param numerator, denominator  "p/q", highest power first.
std::optional<GiNaC::ex> inverse_laplace(std::span<const std::string> numerator, std::span<const std::string> denominator,
                                         const GiNaC::ex& t);

}  // namespace sfg
