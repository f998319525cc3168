#pragma once
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sfg/ask/subject.hpp"
#include "sfg/nonlinear/rest/operating_points.hpp"
#include "tools/frame/verb.hpp"

namespace sfg::command {

/// Under --linearize the graph with its laws replaced by their slopes at the point that --at and --box, --want and --free, or
/// --at-time say; else as it is.
/// @throws UsageError for names that are not there; NoAnswer where there is no such point, or more than one.
SubjectTerms::Linearized linearized_if_asked(Task&, SignalFlowGraph, const Subject&);

/// Says which inputs are 0 because neither the model nor the options state a value. @param stated  by the options
/// @param what  "the value at rest of", "the signal of"
void note_unstated_inputs(Task&, const SignalFlowGraph&, const std::set<NodeId>& stated, const char* option,
                          const std::string& what = "the value at rest of", Severity severity = Severity::warning);

/// Where a point that was found stays though a parameter is varied afterwards: a warning.
void note_fixed_point(Task&, const SourceSpan& where, const char* what);

/// What was noted of points that stay when a parameter is moved in the file that is made.
std::vector<std::string> fixed_points(const Task&);

/// --want SIGNAL=VALUE, and --free INPUT: what takes the value that does it.
struct Trim {
  std::vector<std::pair<NodeId, double>> wanted = {};
  std::vector<NodeId> freed = {};
};
/// @throws UsageError for names that are not there, what is no input, and unequal numbers of the two.
Trim trim_of(const Arguments&, const SignalFlowGraph&);

/// NAME=LO:HI of --box, for signals of the graph.
std::map<std::string, std::pair<double, double>> boxes_of(const Arguments&, const SignalFlowGraph&);

/// All points of rest in words: "y = 0.1, x2 = 0.2".
std::string described(const OperatingPoints::Point&, const std::vector<std::string>& signals);

}  // namespace sfg::command
