#pragma once
#include <iosfwd>
#include <span>
#include <string>

#include "sfg/model/measurement.hpp"
#include "sfg/response/frequency_response.hpp"
#include "sfg/response/measured_response.hpp"
#include "sfg/response/singular_values.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

/// The columns of tables and of CSV.
struct FrequencyColumns {
  bool hertz = false;        ///< frequencies in Hz
  bool group_delay = false;  ///< after the phase
};

/// As it was asked for, rad/s or Hz: 10 Hz, not 10.000000000000002 by way of rad/s.
double shown_frequency(double rad_per_s, const FrequencyColumns&);

Page page(std::span<const FrequencyResponse>, const FrequencyColumns& = {});
/// docs/schema/bode.schema.json, in rad/s. A response on a pole of the axis is null.
void write_json(std::ostream&, std::span<const FrequencyResponse>, const std::string& verb, bool group_delay = false);
/// frequency, then re, im, dB, deg and what else is asked for of each.
void write_csv(std::ostream&, std::span<const FrequencyResponse>, const FrequencyColumns& = {});

// What was measured, beside an answer of the model: "data" and "misfit" of docs/schema/bode.schema.json, step.schema.json,
// ports.schema.json; a table with the measures of misfit and their definition.

/// @param answer  an object in JSON that becomes longer by both
std::string with_measured(std::string answer, std::span<const MeasuredTransfer>);
std::string with_measured(std::string answer, std::span<const MeasuredSignal>);
/// @param entries  of the matrix, as beside() gives them
std::string with_measured(std::string answer, const MeasuredPorts&, std::span<const MeasuredTransfer> entries);

Page page(std::span<const MeasuredTransfer>);
Page page(std::span<const MeasuredSignal>);
Page page(const MeasuredPorts&, std::span<const MeasuredTransfer> entries);

/// A line a sample: what was measured, the model's value there, and the residual, measured − model.
void write_csv(std::ostream&, std::span<const MeasuredTransfer>, const FrequencyColumns& = {});
void write_csv(std::ostream&, std::span<const MeasuredSignal>);

Page page(const SingularValues&, const FrequencyColumns& = {});
/// docs/schema/bode.schema.json, in rad/s.
void write_json(std::ostream&, const SingularValues&);
/// frequency, then the values, the largest first.
void write_csv(std::ostream&, const SingularValues&, const FrequencyColumns& = {});

}  // namespace sfg
