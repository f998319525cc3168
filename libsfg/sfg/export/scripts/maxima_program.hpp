#pragma once
#include <iosfwd>

#include "sfg/budget.hpp"
#include "sfg/export/export_subject.hpp"

namespace sfg {

/// The target maxima.
/// @throws NoAnswer naming the branch that it cannot express; sfg::Error naming parameters without values
void write_maxima_program(std::ostream&, const ExportSubject&, const Budget& = {});

}  // namespace sfg
