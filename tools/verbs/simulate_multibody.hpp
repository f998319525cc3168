#pragma once
#include "tools/frame/sweep.hpp"

namespace sfg::command {

/// simulate of a multibody model: its motion with all that is nonlinear.
int simulate_multibody(Task&, SweptInput&);

}  // namespace sfg::command
