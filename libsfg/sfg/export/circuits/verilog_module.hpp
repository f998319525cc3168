#pragma once
#include <iosfwd>

#include "sfg/budget.hpp"
#include "sfg/export/export_subject.hpp"

namespace sfg {

/// The target verilog.
/// @throws NoAnswer naming the branch that it cannot express; sfg::Error naming parameters without values
void write_verilog_module(std::ostream&, const ExportSubject&, const Budget& = {});

}  // namespace sfg
