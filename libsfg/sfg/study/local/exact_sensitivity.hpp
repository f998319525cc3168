#pragma once
#include <span>
#include <vector>

#include "sfg/study/study_parameters.hpp"
#include "sfg/transfer/exact_transfer.hpp"
#include "sfg/transfer/question.hpp"
#include "sfg/transfer/transfer.hpp"

namespace sfg {

/// ∂T/∂k as a transfer function with exact numbers, for every pass that takes one: its value at a frequency, its step response,
/// which is how that of T changes. 0 where k has no influence.
/// @throws as transfer_function() and exact_transfer().
ExactTransfer exact_sensitivity(const StudiedGraph&, const Question&, const StudyParameter&, const TransferOptions& = {});
/// Of several transfer functions, solved for together.
std::vector<ExactTransfer> exact_sensitivities(const StudiedGraph&, std::span<const Question>, const StudyParameter&,
                                               const TransferOptions& = {});

}  // namespace sfg
