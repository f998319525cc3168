#pragma once
#include <cstdint>

#include "sfg/ddd/sweep.hpp"

// Not installed: a closer prediction than the binomial bound.
namespace sfg::ddd {

/// Estimates the states that a sweep visits: of random subsets of the active lines with the right numbers of rows and
/// columns, those count that partial products can take (a perfect matching exists). Where none of the samples counts, half a
/// sample does. Only levels that matter are looked at; the others keep their bound.
Prediction sampled_prediction(const Pattern&, const LineGraph&, std::span<const std::uint32_t> lines, std::uint64_t seed = 1);

}  // namespace sfg::ddd
