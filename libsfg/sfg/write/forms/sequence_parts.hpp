#pragma once
#include "sfg/transfer/sequence.hpp"
#include "sfg/write/answer.hpp"

// Not installed: what every answer in named definitions has.
namespace sfg {

/// The definitions one a line, then T(input → output) in their names.
void add_sequence(AnswerPage&, const SignalFlowGraph&, const TransferSequence&);
/// "definitions", "expression", "numerator", "denominator".
void add_sequence(nlohmann::ordered_json&, const TransferSequence&);

}  // namespace sfg
