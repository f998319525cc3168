#pragma once
#include <span>
#include <vector>

#include "sfg/exact/exact_polynomial.hpp"
#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/transfer/question.hpp"
#include "sfg/transfer/transfer.hpp"

// Not installed.
namespace sfg {

/// n(s) e^(−τs) / d(s) in lowest terms, as it is before irrational numbers are rounded. Those of one list are of one field, so
/// that what they have in common is found.
struct UnroundedTransfer {
  exact::ExactNumber delay;
  exact::ExactPolynomial numerator, denominator;
};

/// @throws NoAnswer where a numerator or denominator has several dead times; as exact_transfers().
std::vector<UnroundedTransfer> unrounded_transfers(const SignalFlowGraph&, std::span<const Question>,
                                                   const TransferOptions& = {});

}  // namespace sfg
