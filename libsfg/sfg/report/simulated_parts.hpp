#pragma once
#include <vector>

#include "sfg/report/report_work.hpp"

// Not installed: motions in a report, of graphs with laws, and of what a file states to be simulated.
namespace sfg {

/// Of a graph with laws: its response, from a sensible input where none is stated; states of rest; a phase portrait.
std::vector<ReportPart> nonlinear_time(ReportWork&);
/// What the file states to be simulated; {} where it states nothing. A mechanism is followed with all that is nonlinear in it.
std::vector<ReportPart> stated_motion(ReportWork&);

}  // namespace sfg
