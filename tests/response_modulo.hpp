#pragma once
// What a question is by elimination, for all that is found in other ways.
#include <cstdint>
#include <optional>
#include <stdexcept>

#include "sfg/transfer/verify.hpp"

namespace sfg::test {

/// The value of the response modulo the point's prime by elimination on the nodes that matter to the question.
/// Nothing when the point is unlucky (a denominator or the determinant vanishes).
inline std::optional<std::uint64_t> response_modulo(const SignalFlowGraph& graph, const Question& question,
                                                    const ModularPoint& point) {
  try {
    return ModularElimination(graph, point, relevant_nodes(graph, question)).response(question);
  } catch (const std::domain_error&) {
    return std::nullopt;
  }
}

}  // namespace sfg::test
