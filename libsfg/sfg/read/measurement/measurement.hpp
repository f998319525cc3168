#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sfg/model/measurement.hpp"

namespace sfg {

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

}  // namespace sfg
