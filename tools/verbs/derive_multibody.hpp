#pragma once
#include "sfg/model/multibody.hpp"
#include "tools/frame/verb.hpp"

namespace sfg::command {

/// derive of a multibody model: M v' = F + J^T lambda with substitutions, and at the state of --state accelerations and
/// reactions.
void write_multibody(Task&, const Multibody&);

/// derive --as aggregate: parts, connections and their equations in Ivankov's letters, with numbers at the state of --state.
void write_aggregate(Task&, const Multibody&);

}  // namespace sfg::command
