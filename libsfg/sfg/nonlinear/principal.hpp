#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "sfg/nonlinear/principal_form.hpp"
#include "sfg/transfer/transfer.hpp"

namespace sfg {

/// The reduction to principal nodes (Wojnarowski and Świder 1978): the transmittances of a principal form in closed form.
struct PrincipalReduction {
  /// Laws that depend on each other, or one that does not: solved together, one block after the other.
  struct Block {
    std::vector<std::size_t> laws;
    bool coupled = false;  ///< an equation for the arguments; otherwise they are known when the block is reached
  };

  PrincipalForm form;
  std::vector<TransferFunction> transmittances;  ///< in the order of form.questions()
  std::vector<Block> blocks;

  /// From source s (then the laws' outputs) to argument a (then the sinks).
  const RationalFunction& between(std::size_t input, std::size_t output) const {
    return transmittances[input * form.output_count() + output].value;
  }
  const RationalFunction& T1(std::size_t source, std::size_t argument) const { return between(source, argument); }
  const RationalFunction& Tj(std::size_t law, std::size_t argument) const { return between(form.sources.size() + law, argument); }
  const RationalFunction& Ts(std::size_t law, std::size_t sink) const {
    return between(form.sources.size() + law, form.arguments.size() + sink);
  }
  const RationalFunction& T(std::size_t source, std::size_t sink) const { return between(source, form.arguments.size() + sink); }

  /// The argument is the source's own signal: its principal node is that of the source.
  bool at_source(std::size_t argument) const;
  /// The output goes to the sink alone, with gain 1: its principal node is that of the sink.
  bool at_sink(std::size_t law) const;
};

/// @throws as transfer_functions and principal_form.
PrincipalReduction principal_reduction(const SignalFlowGraph&, std::span<const NodeId> sources = {},
                                       std::span<const NodeId> sinks = {}, const TransferOptions& = {});

/// The reduced graph: sources, arguments, outputs of the laws and sinks, with the transmittances and the laws as branches.
SignalFlowGraph reduced_graph(const PrincipalReduction&);

}  // namespace sfg
