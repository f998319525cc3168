#pragma once
#include <nlohmann/json.hpp>

#include "sfg/control/poles.hpp"
#include "sfg/write/page/page.hpp"

// Not installed.
namespace sfg {

/// The form, its zeros, and that zeros of single entries are none of the matrix.
void add_matrix_zeros(Page&, const TransmissionZeros&, std::size_t digits);
/// "transmission_zeros" and "smith_mcmillan", null with "transmission_zeros_open" where they are not known.
void add_matrix_zeros(nlohmann::ordered_json&, const TransmissionZeros&, std::size_t digits);
/// A zero as it stands on a page, with so many digits.
Math root_math(const exact::Root&, std::size_t digits);

}  // namespace sfg
