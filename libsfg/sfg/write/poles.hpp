#pragma once
#include <iosfwd>
#include <nlohmann/json.hpp>
#include <span>

#include "sfg/control/poles.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

struct PolesColumns {
  std::size_t digits = 17;  ///< of the roots
  bool hertz = false;       ///< natural frequencies in Hz; JSON keeps rad/s
};

/// Poles with natural frequency, damping ratio and time constant, zeros, gain; hidden modes named; the modes with their shapes
/// where these have been found; the zeros of the matrix of all of them, where that is one.
Page page(std::span<const PolesZeros>, const PolesColumns& = {}, const TransmissionZeros* matrix = nullptr);
/// docs/schema/poles.schema.json: of the first at the top level, of all in "transfers".
void write_json(std::ostream&, std::span<const PolesZeros>, const PolesColumns& = {}, const TransmissionZeros* matrix = nullptr);

/// A line for each pole, hidden mode and zero: of which transfer function (of several lines, the same root as often as it is
/// multiple), real and imaginary part, and of poles natural frequency, damping ratio and time constant. A transmission zero is
/// that of no single one.
void write_csv(std::ostream&, std::span<const PolesZeros>, const PolesColumns& = {}, const TransmissionZeros* matrix = nullptr);

/// The form, its zeros, and that zeros of single entries are none of the matrix.
void add_matrix_zeros(Page&, const TransmissionZeros&, std::size_t digits);
/// "transmission_zeros" and "smith_mcmillan", null with "transmission_zeros_open" where they are not known.
void add_matrix_zeros(nlohmann::ordered_json&, const TransmissionZeros&, std::size_t digits);
/// A zero as it stands on a page, with so many digits.
Math root_math(const exact::Root&, std::size_t digits);

}  // namespace sfg
