#pragma once
#include <iosfwd>

#include "sfg/budget.hpp"
#include "sfg/export/export_subject.hpp"

namespace sfg {

/// The target scilab.
/// @throws NoAnswer naming the branch that it cannot express; sfg::Error naming parameters without values
void write_scilab_program(std::ostream&, const ExportSubject&, const Budget& = {});

}  // namespace sfg
