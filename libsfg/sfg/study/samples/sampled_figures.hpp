#pragma once
#include <optional>

#include "sfg/response/time_response.hpp"
#include "sfg/study/measures/measure.hpp"

// Not installed.
namespace sfg {

/// A measure of a step response that is known by samples alone, from 0 on: its value at one of their times, or a figure, read off
/// by straight lines between them. The last sample is the final value where the last tenth stays within 0.1 % of it; else there
/// is none, and no figure.
std::optional<double> sampled_figure(const TimeResponse&, const BaseMeasure&);

}  // namespace sfg
