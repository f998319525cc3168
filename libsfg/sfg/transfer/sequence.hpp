#pragma once
#include <ginac/ex.h>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/transfer/question.hpp"
#include "sfg/transfer/verification.hpp"

namespace sfg {

/// How often a program adds (or subtracts), multiplies (a power counts its multiplications) and divides. Signs are free.
struct OperationCounts {
  std::size_t additions = 0;
  std::size_t multiplications = 0;
  std::size_t divisions = 0;
  std::size_t total() const noexcept { return additions + multiplications + divisions; }
  OperationCounts& operator+=(const OperationCounts&);
  friend bool operator==(const OperationCounts&, const OperationCounts&) = default;
};

/// Operations of an expression as it stands.
OperationCounts operation_counts(const GiNaC::ex&);

/// A transmittance as a sequence of expressions: each definition uses gains and the definitions before it. The compact
/// form of large graphs: nothing is expanded, what occurs often is named once.
struct TransferSequence {
  struct Definition {
    std::string name;  ///< no name of the graph
    GiNaC::ex symbol;  ///< that stands for it below
    GiNaC::ex value;
  };
  enum class Method {
    diagram,      ///< minors shared in a determinant diagram: no division but the last
    elimination,  ///< nodes absorbed one after the other: short also for wide graphs, but divides by what may vanish
  };

  Question question;
  std::vector<Definition> definitions = {};
  GiNaC::ex numerator, denominator;  ///< in the names; the transmittance is their quotient
  Method method = Method::diagram;
  OperationCounts operations;  ///< of everything, the last quotient included
  TermCounts terms;            ///< empty where the diagrams that would count are too large
  Verification verification;
};

struct SequenceOptions {
  enum class Choice { automatic, diagram, elimination };
  Choice method = Choice::automatic;  ///< automatic: the diagram unless it is long and elimination needs less than half of it
  Budget budget = {};
  std::uint64_t seed = 1;
};

/// @throws as transfer_functions; LimitReached when neither the diagram nor the elimination fits the budget.
std::vector<TransferSequence> transfer_sequences(const SignalFlowGraph&, std::span<const Question>, const SequenceOptions& = {});
TransferSequence transfer_sequence(const SignalFlowGraph&, const Question&, const SequenceOptions& = {});

/// Value modulo the point's prime of the quotient; nothing when a denominator vanishes there.
std::optional<std::uint64_t> value_modulo(const TransferSequence&, const ModularPoint&);

}  // namespace sfg
