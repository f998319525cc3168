#pragma once
#include <span>
#include <vector>

#include "sfg/report/report_work.hpp"
#include "sfg/response/time_response.hpp"

// Not installed: what was measured, in the pictures of a report.
namespace sfg {

/// Points in the Bode diagram of these transfer functions, and a table of misfit behind it; nothing where none was measured.
std::vector<ReportPart> add_measured_to_bode(const ReportWork&, Figure&, std::span<const ExactTransfer>);
/// The same of step responses.
std::vector<ReportPart> add_measured_to_step(const ReportWork&, Figure&, std::vector<NamedResponse> responses,
                                             std::span<const ExactTransfer>);

}  // namespace sfg
