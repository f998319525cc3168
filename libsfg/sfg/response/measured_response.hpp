#pragma once
#include <complex>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sfg/model/measurement.hpp"
#include "sfg/model/operator.hpp"
#include "sfg/response/frequency_response.hpp"
#include "sfg/response/time_response.hpp"

namespace sfg {

/// How far a model is from what was measured: rms² = Σ|measured − model|²/N, and the fit in per cent,
/// 100·(1 − ‖measured − model‖/‖measured − mean‖), nothing where the measured values do not differ.
struct Misfit {
  std::size_t samples = 0;
  std::optional<double> rms = {};  ///< nothing without samples
  std::optional<double> fit = {};
};
/// Of a transfer function: of its complex values, else its fit is that of the part that is known; and of its parts.
struct TransferMisfit {
  Misfit value, decibels, degrees;
};

/// A transfer function as it was measured, beside the model's, in the order of the record; NaN where there is none.
struct MeasuredTransfer {
  std::string file, input, output;
  std::vector<double> frequency = {};            ///< rad/s
  bool in_full = true;                           ///< magnitude and phase are known; else one of the two is empty
  std::vector<std::complex<double>> value = {};  ///< empty, if not in full
  std::vector<double> magnitude_db = {};
  std::vector<double> phase_deg = {};  ///< as it was stated
  std::vector<double> near_deg = {};   ///< the same in the turn that is nearest to the model's
  std::vector<std::complex<double>> model = {};
  std::vector<double> model_db = {}, model_deg = {};
  TransferMisfit misfit = {};
};

/// The same of a signal over time.
struct MeasuredSignal {
  std::string file, name;
  std::vector<double> time = {};  ///< s
  std::vector<double> value = {};
  std::vector<double> model = {};
  Misfit misfit = {};
};

/// Where the model's values are needed: ascending, each once; times from 0 on, with 0. Of a discrete model all samples up to the
/// last one.
std::vector<double> measured_frequencies(std::span<const Measurement>);
std::vector<double> measured_times(std::span<const Measurement>, const Operator&);

/// @param model  at measured_frequencies(); those that were measured are found by their names
std::vector<MeasuredTransfer> beside(std::span<const Measurement>, std::span<const FrequencyResponse> model);
/// @param model   at measured_times(), or at more times
/// @param before  the model's value before t = 0, where it is known: 0 of one that is at rest
std::vector<MeasuredSignal> beside(std::span<const Measurement>, std::span<const NamedResponse> model, const Operator&,
                                   std::optional<double> before = {});

/// The entries of a scattering matrix row by row, with the numbers of their ports as names.
/// @param model  entries column by column, at the frequencies of the file
std::vector<MeasuredTransfer> beside(const MeasuredPorts&, std::span<const FrequencyResponse> model);

Misfit misfit(std::span<const std::complex<double>> measured, std::span<const std::complex<double>> model);
Misfit misfit(std::span<const double> measured, std::span<const double> model);

}  // namespace sfg
