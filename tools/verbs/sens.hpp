#pragma once
#include "tools/frame/verb.hpp"

// The questions of the verb sens, each in a file of its own.
namespace sfg::command {

int sens_symbolic(Task&);  ///< closed forms, or values at --freq
int sens_local(Task&);     ///< --measure, --poles, --zeros: derivatives at the stated values
int sens_response(Task&);  ///< --until: the step response
int sens_monte_carlo(Task&);
int sens_worst_case(Task&);
int sens_global(Task&);  ///< --sobol, --morris, --tornado

std::vector<Option> monte_carlo_options();
std::vector<Option> worst_case_options();
std::vector<Option> global_options();

}  // namespace sfg::command
