#pragma once
#include "sfg/ask/subject.hpp"
#include "tools/frame/verb.hpp"

namespace sfg::command {

/// Under --linearize --at-time T: the graph with its laws replaced by their slopes where its motion is at that time. The motion
/// is that of [simulation]; --at NAME=EXPRESSION states an input as a function of t, and of what is no input the value it starts
/// from.
SubjectTerms::Linearized linearized_in_time(Task&, const SignalFlowGraph&, const Subject&);

}  // namespace sfg::command
