#pragma once
#include <complex>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sfg/error.hpp"
#include "sfg/model/simulation.hpp"

namespace sfg {

/// What a row of a measurement belongs to.
enum class MeasuredAxis : std::uint8_t { time, frequency };

/// What a column says of its signal or transfer function.
enum class MeasuredPart : std::uint8_t { value, real, imaginary, magnitude_db, phase_deg };

/// A column: a sample a row, or none where the cell is empty.
struct MeasuredColumn {
  std::string input = {};  ///< of a transfer function
  std::string output;      ///< or the signal over time
  MeasuredPart part = MeasuredPart::value;
  std::string unit = {};  ///< as the heading states it
  std::vector<std::optional<double>> samples = {};
  std::optional<std::vector<double>> deviations = {};  ///< standard deviations, > 0 where there is a sample; nothing: none stated
  SourceSpan where = {};                               ///< of the heading
};

/// A record: what was measured at one time or in one sweep of frequencies.
struct Measurement {
  std::string file;
  MeasuredAxis axis = MeasuredAxis::time;
  std::vector<double> at = {};               ///< s, not decreasing, perhaps below 0; or rad/s, > 0, in any order
  std::vector<std::uint32_t> lines = {};     ///< of the file, for messages
  std::vector<MeasuredColumn> columns = {};  ///< outputs, in the order of the file
  std::vector<MeasuredColumn> inputs = {};   ///< over time: what drove it
};

/// A column as a signal that drives a model from t = 0 on: straight between its filled cells, before the first as there.
SampledSignal sampled(const Measurement&, const MeasuredColumn&);

/// Scattering parameters over frequency.
struct MeasuredPorts {
  std::string file;
  std::size_t ports = 0;
  double z0 = 50;                                                           ///< Ω
  std::vector<double> frequency = {};                                       ///< rad/s, > 0, ascending
  std::vector<std::vector<std::vector<std::complex<double>>>> matrix = {};  ///< [i][j][sample]: wave out of port i for one into j
  std::vector<Diagnostic> notes = {};                                       ///< what of the file is not among them
};

}  // namespace sfg
