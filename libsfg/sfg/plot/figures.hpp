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
#include "sfg/response/measured_response.hpp"
#include "sfg/response/noise.hpp"
#include "sfg/response/time_response.hpp"
#include "sfg/study/sweep.hpp"

namespace sfg {

struct AbsoluteStability;
struct DescribingPlane;
struct Fit;
struct FittedSeries;
struct LocalStudy;
struct MonteCarlo;
struct MorrisStudy;
struct OperatingPoints;
struct PeriodicMotions;
struct PhasePortrait;
struct ResponseSensitivity;
struct SensitivityValue;
struct SingularValues;
struct SobolStudy;
struct TornadoStudy;
struct Variation;
struct WorstCases;

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

/// Singular values in decibels over frequency; `sets` of the options names the set of each curve.
Figure singular_value_figure(std::span<const SingularValues>, const FigureOptions& = {});

/// Static characteristics: every signal at rest over the constant of an input, a panel a signal; stable states as filled marks,
/// unstable ones as open ones.
/// @param cases  the constant and what was found for it, ascending
Figure static_figure(const std::string& input, std::span<const std::pair<double, OperatingPoints>> cases,
                     const FigureOptions& = {});

/// The trajectories, crosses where they start; stable states of rest as filled marks, unstable ones as open ones.
/// @param units  of the two signals; "" for none
Figure phase_figure(const PhasePortrait&, const std::pair<std::string, std::string>& units = {}, const FigureOptions& = {});

/// L(jω) and −1/N(A) with their crossings; amplitudes stand along the second curve.
Figure describing_figure(const DescribingPlane&, const FigureOptions& = {});

/// Amplitude over frequency, a panel a signal: stable motions drawn through, unstable ones dashed, folds ○ and branch points ×.
Figure balance_figure(const PeriodicMotions&, const FigureOptions& = {});

/// Nyquist's curve of G with the forbidden disc of the circle criterion, and Popov's curve with its line.
Figure absolute_stability_figure(const AbsoluteStability&, const FigureOptions& = {});

/// |(k/T) ∂T/∂k| of every parameter k over frequency, the greatest told apart by colour, dashes and name, the others grey and
/// named above.
/// @param transfer  z_1 → Z
Figure sensitivity_figure(const Caption& transfer, std::span<const SensitivityValue>, const FigureOptions& = {});

/// The step response, and below it k ∂y/∂k of every parameter over time: what y gains where k doubles, to first order.
/// @param values  of the parameters; one without a value is left out
Figure sensitivity_figure(const ResponseSensitivity&, const std::map<std::string, double>& values, const FigureOptions& = {});

/// A panel a measure with the relative sensitivities (k/M) ∂M/∂k as bars, greatest on top; the plane of the poles and zeros with
/// the ways they go where each parameter grows by the same share, chosen so that the furthest is well seen.
/// @param values  of the parameters, for the ways of poles and zeros
/// @param discrete  whether the plane is that of z
Figure local_figure(const LocalStudy&, const std::map<std::string, double>& values, bool discrete = false,
                    const FigureOptions& = {});

/// A panel a measure: what each parameter alone makes of it at both ends, around its nominal value; longest bars on top.
/// @param variation  whose ends are written below the names
Figure tornado_figure(const TornadoStudy&, const Variation& variation, const FigureOptions& = {});
/// A panel a measure: first and total indices of each parameter with their 95 % intervals, greatest total on top.
Figure sobol_figure(const SobolStudy&, const FigureOptions& = {});
/// A panel a measure: spread of the effects of each parameter over their mean magnitude. Effects below the lines σ = 0.1 μ* are
/// nearly those of a linear measure, above σ = μ* parameters act together or not in one direction.
Figure morris_figure(const MorrisStudy&, const FigureOptions& = {});

/// What the model is at its stated values, at the points of the envelopes; empty where it is not drawn.
struct NominalCurves {
  std::vector<double> magnitude_db = {};
  std::vector<double> phase_deg = {};
  std::vector<double> step = {};
};

/// A panel a measure with its histogram, quantiles, nominal value and the specs of that measure; the yields of all specs with
/// their confidence intervals; the envelopes of magnitude, phase and step.
Figure monte_carlo_figure(const MonteCarlo&, const NominalCurves& = {}, const FigureOptions& = {});

/// Guaranteed bounds of each measure around its nominal value, with the range that is attained; of the magnitude at three
/// frequencies or more a band over frequency.
Figure worst_case_figure(const WorstCases&, const FigureOptions& = {});

/// Of every kind of column a panel with what was measured and the model, and one with the residuals below it.
Figure fit_figure(const Fit&, std::span<const FittedSeries>, const FigureOptions& = {});

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
