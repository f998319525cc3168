#pragma once
#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "sfg/draw/formula.hpp"
#include "sfg/response/frequency_response.hpp"

// Not installed: what the figures of frequency responses share.
namespace sfg {

std::string name_of(const FrequencyResponse&);
/// "KIND of u → y" where all are of one transfer function, else the kind alone.
Caption common_title(std::span<const FrequencyResponse>, const std::string& kind);

/// The unit that all of them have; "" where they differ.
template <class Responses>
std::string common_unit(const Responses& responses) {
  const bool one = std::ranges::all_of(responses, [&](const auto& r) { return r.unit == responses.front().unit; });
  return one && !responses.empty() ? responses.front().unit : "";
}

/// The units of responses in their order, each once: each has axes of its own.
template <class Responses>
std::vector<std::string> units_of(const Responses& responses) {
  std::vector<std::string> units;
  for (const auto& r : responses)
    if (std::ranges::find(units, r.unit) == units.end()) units.push_back(r.unit);
  return units;
}

/// What an axis shows, and in which unit.
std::string with_unit(const std::string& name, const std::string& unit);
/// The name of an axis in decibels, of a unit or of none.
std::string magnitude_label(const std::string& unit);

/// At each pole and zero on the axis the magnitude runs to the frame, and the phase begins anew: curves do not connect across
/// them.
std::vector<FrequencyResponse> with_gaps(std::span<const FrequencyResponse>);

}  // namespace sfg
