#pragma once
#include <vector>

#include "sfg/report/report_work.hpp"

// Not installed: what a report says of graphs with laws.
namespace sfg {

std::vector<ReportPart> nonlinear_time(ReportWork&);       ///< the simulated response, states of rest, a phase portrait
std::vector<ReportPart> nonlinear_reduction(ReportWork&);  ///< principal nodes

}  // namespace sfg
