#pragma once
#include <iosfwd>

#include "sfg/study/local/sensitivity_sequence.hpp"
#include "sfg/write/detail.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

Page page(const SignalFlowGraph&, const SensitivitySequence&, Detail = Detail::brief);
/// {"schema": "sfg/sens/1", "definitions": [[name, expression], …], …}: docs/schema/sens.schema.json.
void write_json(std::ostream&, const SignalFlowGraph&, const SensitivitySequence&);

}  // namespace sfg
