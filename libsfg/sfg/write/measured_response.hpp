#pragma once
#include <iosfwd>
#include <span>
#include <string>

#include "sfg/model/measurement.hpp"
#include "sfg/response/measured_response.hpp"
#include "sfg/write/frequency_response.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

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

}  // namespace sfg
