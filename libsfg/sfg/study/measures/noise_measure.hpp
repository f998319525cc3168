#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/study/measures/measure.hpp"

// Not installed.
namespace sfg {

/// The rms value over the band of the measure, certified as noise(). Nothing where it has none: of a circuit that is not stable,
/// or where the mean square diverges.
/// @throws NoAnswer where a gain is no rational function, as noise() for densities
std::optional<double> noise_rms(const NoisyOutput&, const BaseMeasure&, const Budget& = {});

/// Its derivatives by parameters of the graph, from those of the spectra, which are exact: ∂S/∂k is integrated as differences of
/// integrals of what is positive, each certified. 0 where the derivative is within the error of these; NaN where there is none.
std::vector<double> noise_slopes(const NoisyOutput&, const BaseMeasure&, std::span<const std::string> parameters,
                                 const Budget& = {});

}  // namespace sfg
