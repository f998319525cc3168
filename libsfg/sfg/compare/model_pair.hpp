#pragma once
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sfg/error.hpp"
#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/model/equations.hpp"
#include "sfg/transfer/question.hpp"

namespace sfg {

/// A model as it is compared: its graph, what is asked of it, and the equations where it was derived from such.
struct ComparedModel {
  std::string name;  ///< of the file, say
  SignalFlowGraph graph;
  std::vector<Question> questions;  ///< every output of every input
  std::optional<EquationSystem> equations = {};
};

/// What the first model calls `a` is what the second calls `b`: an input, an output or a parameter.
struct NamePair {
  std::string a, b;
};

/// The same transfer function of either.
struct TransferPair {
  Question a, b;
};

/// Two models over one set of symbols: parameters of one name (or named as a pair) are one symbol, and so is the operator.
struct ModelPair {
  ComparedModel a, b;
  std::vector<TransferPair> transfers = {};
  bool transposed = false;                ///< the inputs of the one are the outputs of the other
  std::vector<NamePair> parameters = {};  ///< that have other names in b
  std::vector<std::string> notes = {};    ///< what was compared though it has another name
};

/// Inputs and outputs that the other model does not have, where naming pairs is what helps; or a pair of names that are not
/// there.
class UnmatchedNames : public Error {
 public:
  UnmatchedNames(const std::string& message, std::string name_of_a, std::vector<std::string> names_of_b, Remedy);
  const std::string& what_is_missing() const noexcept { return diagnostics().front().message; }
  const std::string& name() const noexcept { return name_; }  ///< of a; "" where only b has more, and of a wrong pair
  const std::vector<std::string>& candidates() const noexcept { return candidates_; }  ///< of b

 private:
  std::string name_;
  std::vector<std::string> candidates_;
};

/// Inputs and outputs are matched by name or by `names`, the only input and the only output whatever they are called; a signal
/// that is no output of the other model, but one of its nodes, is asked for there. Where the inputs of the one are the outputs of
/// the other and the other way round, they are compared as transposed.
/// @throws UnmatchedNames; sfg::Error where the operators are of different kinds (s and z) or the sample times differ, for a pair
///         of names that is not there, and for a parameter that is the operator of the other.
ModelPair paired(ComparedModel a, ComparedModel b, std::span<const NamePair> names = {});

/// The values of parameters that only one states, or both.
struct StatedValue {
  std::string name;  ///< as in a
  std::optional<GiNaC::ex> a, b;
};
/// Of every parameter that the relevant gains of either have or that both state, in the order of a.
std::vector<StatedValue> stated_values(const ModelPair&);

/// The same pair with the stated values put in: what one states alone holds for both.
ModelPair with_values(const ModelPair&);

}  // namespace sfg
