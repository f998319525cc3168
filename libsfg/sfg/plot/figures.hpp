#pragma once
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "sfg/control/margins.hpp"
#include "sfg/control/poles.hpp"
#include "sfg/control/root_locus.hpp"
#include "sfg/control/stability_region.hpp"
#include "sfg/plot/plot.hpp"
#include "sfg/response/frequency_response.hpp"
#include "sfg/response/noise.hpp"
#include "sfg/response/time_response.hpp"

namespace sfg {

struct FigureOptions {
  bool dark = false;
  bool hertz = false;    ///< frequency axes in Hz
  bool samples = false;  ///< a response of a discrete system: values held between the samples
};

Figure bode_figure(std::span<const FrequencyResponse>, const FigureOptions& = {});
/// The locus and its mirror image, −1 marked, the unit circle.
Figure nyquist_figure(std::span<const FrequencyResponse>, const FigureOptions& = {});
/// Magnitude over phase, −180° and 0 dB marked.
Figure nichols_figure(std::span<const FrequencyResponse>, const FigureOptions& = {});
/// Spectral densities, as roots of V²/Hz: the whole and what each element brings.
Figure noise_figure(const NoiseAnalysis&, const std::string& unit, const FigureOptions& = {});
Figure response_figure(std::span<const NamedResponse>, const std::string& title, const FigureOptions& = {});
/// Poles × and zeros ○, lines of equal damping.
Figure pole_figure(std::span<const PolesZeros>, const FigureOptions& = {});
/// The stable region of two parameters, with its boundary by kind of crossing; `point` is marked when given.
Figure region_figure(const StabilityRegion&, const std::string& first, const std::string& second,
                     std::optional<std::pair<double, double>> point, const FigureOptions& = {});
Figure locus_figure(const RootLocus&, const std::string& parameter, const FigureOptions& = {});

}  // namespace sfg
