#pragma once
#include <ginac/ex.h>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/transfer/question.hpp"
#include "sfg/transfer/transfer.hpp"

namespace sfg {

/// A graph cut open at its nonlinear branches (Wojnarowski and Świder 1978): a linear graph whose sources are those of the system
/// and the outputs of the laws, and whose sinks are the arguments of the laws and those of the system. What lies between them is
/// linear, however large; the nonlinear rest is as large as the number of laws.
///
///     arguments = w T_1 + f T_j,   f = laws(arguments, t),   outputs = w T + f T_s       (rows, as published)
struct PrincipalForm {
  /// A signal that laws depend on, or its rate: a principal node with an even number. Equal ones occur once.
  struct Argument {
    std::string signal;
    bool rate = false;
    GiNaC::ex symbol;  ///< stands for it in the laws, here alone
    NodeId node;       ///< in `linear`; of a rate a node behind a branch with the gain s
  };
  /// A nonlinear branch.
  struct Law {
    BranchId branch;                     ///< in the graph as given
    GiNaC::ex stated;                    ///< as it stands there, of u, v and t
    GiNaC::ex law;                       ///< of the symbols of the arguments, `time` and parameters
    std::vector<std::size_t> arguments;  ///< which of `arguments` it has, those of the tail first
    NodeId head;                         ///< where the branch ends
    NodeId output;  ///< in `linear`: the head where nothing else enters it, else a source with a branch to it
  };

  SignalFlowGraph linear;
  std::vector<Law> laws;
  std::vector<Argument> arguments;
  std::vector<NodeId> sources, sinks;  ///< in `linear`, of the system
  GiNaC::ex time;

  /// The sources, then the laws' outputs.
  std::vector<NodeId> inputs() const;
  /// The arguments, then the sinks.
  std::vector<NodeId> outputs() const;
  /// From every input to every output: input by input.
  std::vector<Question> questions() const;
  std::size_t input_count() const { return sources.size() + laws.size(); }
  std::size_t output_count() const { return arguments.size() + sinks.size(); }
};

/// @param sources, sinks  nodes of the graph; empty: as stated. Only laws on a way between them, or into a loop with one of
/// these,
///                        are kept: the others change nothing.
/// @throws sfg::Error where a law has the rate of a signal of samples.
PrincipalForm principal_form(const SignalFlowGraph&, std::span<const NodeId> sources = {}, std::span<const NodeId> sinks = {});

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
