#pragma once
#include "tools/frame/arguments.hpp"

namespace sfg::command {

/// tf --form blocks: in terms of subcircuits or clusters, which stay closed.
int tf_blocks(Task&);

}  // namespace sfg::command
