#pragma once
#include <span>

#include "sfg/plot/plot.hpp"
#include "sfg/response/measured_response.hpp"

// What was measured, in the figures of an answer: points without a line between them, and how far the model is from them.
namespace sfg {

/// The kind of a series of measured points.
inline constexpr const char* measured_points = "data";

struct MeasuredPointsOptions {
  bool hertz = false;
  bool residuals = true;  ///< panels of measured − model; in planes a thin line from each point to the model's
};

void add_measured_to_bode(Figure&, std::span<const MeasuredTransfer>, const MeasuredPointsOptions& = {});
void add_measured_to_nyquist(Figure&, std::span<const MeasuredTransfer>, const MeasuredPointsOptions& = {});
void add_measured_to_nichols(Figure&, std::span<const MeasuredTransfer>, const MeasuredPointsOptions& = {});
/// @param responses  of which the figure is
void add_measured(Figure&, std::span<const NamedResponse> responses, std::span<const MeasuredSignal>,
                  const MeasuredPointsOptions& = {});

}  // namespace sfg
