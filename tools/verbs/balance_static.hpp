#pragma once
#include "tools/frame/verb.hpp"

namespace sfg::command {

/// balance --static: states of rest for constants at the inputs, one of them a range.
int run_static(Task&);

}  // namespace sfg::command
