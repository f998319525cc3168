#pragma once
#include "sfg/plot/figures.hpp"
#include "sfg/study/boxes/worst_case.hpp"

namespace sfg {

/// Guaranteed bounds of each measure around its nominal value, with the range that is attained; of the magnitude at three
/// frequencies or more a band over frequency.
Figure worst_case_figure(const WorstCases&, const FigureOptions& = {});

}  // namespace sfg
