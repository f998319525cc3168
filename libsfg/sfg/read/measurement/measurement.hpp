#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
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

/// What columns may be about.
struct MeasurableNames {
  std::vector<std::pair<std::string, std::string>> transfers = {};  ///< input and output, over frequency
  std::vector<std::string> signals = {};                            ///< over time
  std::vector<std::string> inputs = {};                             ///< over time, and no signals
  std::optional<MeasuredAxis> axis = {};                            ///< none: whichever the file has
};

struct MeasurementOptions {
  bool decimal_comma = false;
};

/// What to do about a decimal comma that was not expected; a caller may know better words.
inline constexpr const char* expect_decimal_commas = "read it with decimal commas (decimal_comma)";

/// Reads a table as instruments write it: cells between commas, semicolons or tabs (RFC 4180), lines of comments that begin with
/// #, and a heading: t or time, or f, f_hz (Hz), w, w_rad_s (rad/s), in any case; then of signals over time their NAME, and of
/// transfer functions NAME_db, NAME_deg, NAME_re, NAME_im, where NAME is the output, or OUTPUT/INPUT where there are several
/// inputs; each with _std behind it for standard deviations. A heading may end with a unit in brackets or parentheses, which
/// scales times and frequencies; "NAME [dB]" and "NAME [deg]" are NAME_db and NAME_deg.
/// @throws sfg::Error with every wrong cell at its line and column
Measurement read_measurement(std::string_view text, const std::string& file, const MeasurableNames&,
                             const MeasurementOptions& = {});

/// The filled cells of a column over time.
SampledSignal sampled(const Measurement&, const MeasuredColumn&);

}  // namespace sfg
