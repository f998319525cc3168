#pragma once
#include <vector>

#include "sfg/expr/rational.hpp"

// Not installed: what transfer functions with dead times tell.
namespace sfg {

/// Whether e^(−τs) stands in it.
bool has_dead_times(const RationalFunction&);

/// Numerator and denominator are Σ cᵢⱼ sⁱ e^(−sτⱼ), each function sⁱ e^(−sτ) told by itself, but not which is which of those that
/// differ in τ alone: so for each i the moments Σⱼ cᵢⱼ τⱼᵏ are told, and tell all of it. They are polynomials, up to a factor
/// that all share; dead times count from the mean of those of the denominator.
/// @throws NoAnswer for functions of s that are no dead times
std::vector<ring::Polynomial> told_with_dead_times(const RationalFunction&);

}  // namespace sfg
