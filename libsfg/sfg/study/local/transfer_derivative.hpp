#pragma once
// Not installed: one derivative in closed form, without the relative one.
#include "sfg/study/study_parameters.hpp"
#include "sfg/transfer/transfer.hpp"

namespace sfg {

/// ∂T/∂k by one parameter of the studied graph, in lowest terms.
RationalFunction derivative(const TransferFunction&, const StudiedGraph&, const StudyParameter&);

}  // namespace sfg
