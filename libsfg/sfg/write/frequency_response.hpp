#pragma once
#include <iosfwd>
#include <span>
#include <string>

#include "sfg/response/frequency_response.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

/// The columns of tables and of CSV.
struct FrequencyColumns {
  bool hertz = false;        ///< frequencies in Hz
  bool group_delay = false;  ///< after the phase
};

/// As it was asked for, rad/s or Hz: 10 Hz, not 10.000000000000002 by way of rad/s.
double shown_frequency(double rad_per_s, const FrequencyColumns&);

Page page(std::span<const FrequencyResponse>, const FrequencyColumns& = {});
/// docs/schema/bode.schema.json, in rad/s. A response on a pole of the axis is null.
void write_json(std::ostream&, std::span<const FrequencyResponse>, const std::string& verb, bool group_delay = false);
/// frequency, then re, im, dB, deg and what else is asked for of each.
void write_csv(std::ostream&, std::span<const FrequencyResponse>, const FrequencyColumns& = {});

}  // namespace sfg
