#pragma once
#include <map>
#include <string>

#include "sfg/ask/subject.hpp"
#include "tools/frame/arguments.hpp"

namespace sfg::command {

/// derive of a multibody model: M v' = F + J^T lambda with substitutions, and at the state of --state accelerations and
/// reactions.
void write_multibody(Task&, const Subject&);

/// derive --as aggregate: parts, connections and their equations in Ivankov's letters, with numbers at the state of --state.
void write_aggregate(Task&, const Subject&);
/// --state NAME=VALUE, each of them. @throws UsageError
std::map<std::string, double> state_of(const Arguments&);

}  // namespace sfg::command
