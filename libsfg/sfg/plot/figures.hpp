#pragma once
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sfg/control/margins.hpp"
#include "sfg/control/poles.hpp"
#include "sfg/control/routh.hpp"
#include "sfg/plot/plot.hpp"
#include "sfg/response/frequency_response.hpp"
#include "sfg/response/noise.hpp"
#include "sfg/response/time_response.hpp"
#include "sfg/study/sweep.hpp"

namespace sfg {

struct FigureOptions {
  Theme theme = Theme::automatic;
  bool hertz = false;    ///< frequency axes in Hz
  bool samples = false;  ///< a response of a discrete system: values held between the samples
  /// Of a sweep: the values that each response stands for, "zeta=0.3, wn=2", set by set; empty where nothing is swept.
  std::vector<std::string> sets = {};
  std::vector<Margins> margins = {};  ///< of each frequency response, to be drawn in; {} for none
  std::vector<std::optional<OscillationBand>> bands =
      {};                                         ///< of each response over time that its samples do not show; {} for none
  std::vector<BodeAsymptotes> asymptotes = {};    ///< of each frequency response, to be drawn in; {} for none
  std::map<std::string, std::string> units = {};  ///< of the parameters and measures of a study, by name
};

Figure bode_figure(std::span<const FrequencyResponse>, const FigureOptions& = {});
/// The locus with arrows of rising frequency and its mirror image, −1 marked, the unit circle where it is near; poles on the axis
/// are passed by arcs at the frame. A constant is a point with its value.
Figure nyquist_figure(std::span<const FrequencyResponse>, const FigureOptions& = {});
/// Magnitude over phase, −180° and 0 dB marked, with the contours of the closed loop over one turn.
Figure nichols_figure(std::span<const FrequencyResponse>, const FigureOptions& = {});
/// Spectral densities, as roots of V²/Hz: the whole and what each element brings.
Figure noise_figure(const NoiseAnalysis&, const std::string& unit, const FigureOptions& = {});
Figure response_figure(std::span<const NamedResponse>, const std::string& title, const FigureOptions& = {});
/// Poles × and zeros ○, lines of equal damping.
Figure pole_figure(std::span<const PolesZeros>, const FigureOptions& = {});
/// The poles of every set of a sweep, each set in its colour, and their paths from set to set along the parameter that varies the
/// fastest. `sets` of the options names the set of each item.
Figure pole_paths_figure(std::span<const PolesZeros>, const Sweep&, const FigureOptions& = {});

/// Lines n·Ω of the Campbell diagram.
struct Orders {
  std::vector<double> orders = {};
  double per_unit = 1;    ///< rad/s of one unit of the speed
  std::string unit = {};  ///< of the speed: "rad/s", "rpm"
};
/// Campbell's diagram of a sweep over one parameter, the speed: imaginary parts of the poles over it, with lines of its orders;
/// poles on the right of the axis are marked.
Figure campbell_figure(std::span<const PolesZeros>, const Sweep&, const Orders&, const FigureOptions& = {});
/// A panel a mode: the components of its shapes, real parts and, where there are any, imaginary parts.
Figure mode_figure(const PolesZeros&, const FigureOptions& = {});

/// The stable region of two parameters, with its boundary by kind of crossing; `point` is marked when given.
Figure region_figure(const StabilityRegion&, const std::string& first, const std::string& second,
                     std::optional<std::pair<double, double>> point, const FigureOptions& = {});
Figure locus_figure(const RootLocus&, const std::string& parameter, const FigureOptions& = {});

}  // namespace sfg
