#pragma once
#include <cstddef>
#include <vector>

#include "sfg/study/identifiable/fibre.hpp"
#include "sfg/study/identifiable/told.hpp"

// Not installed: functions that transfer functions may determine, the simplest first.
namespace sfg {

/// How long a function is: fewer unknown symbols first, then fewer of all, then fewer terms, lower degrees.
std::vector<std::size_t> length_of(const Told&, const ToldFunction&);

/// So many products are summed up at most.
constexpr std::size_t most_summed = 120;

/// Products of powers of what the coefficients fall apart into that do not change along the directions of the fibres.
/// @param loose  of Told::unknown what has not one value by itself
std::vector<ToldFunction> product_candidates(const Told&, const std::vector<Fibre>&, const std::vector<std::size_t>& loose);
/// Sums of the products of a group's coefficients, over one of these, that do not.
std::vector<ToldFunction> sum_candidates(const Told&, const std::vector<Fibre>&, const std::vector<std::size_t>& loose);
/// Quotients of two coefficients of a group.
std::vector<ToldFunction> quotient_candidates(const Told&);
/// Those over the shortest of each group: together they say all.
std::vector<ToldFunction> plain_quotients(const Told&);

}  // namespace sfg
