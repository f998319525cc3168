#pragma once
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "python/evaluation.hpp"
#include "sfg/budget.hpp"
#include "sfg/error.hpp"
#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/response/time_response.hpp"
#include "sfg/transfer/question.hpp"
#include "sfg/transfer/transfer.hpp"

namespace sfg::python {

/// What is asked of a graph, by name. Without names the one stated input, the one stated output.
struct NamedQuestion {
  std::string input = {}, output = {}, reference = {};
  bool inject = false;
};

/// A time response at stated times, and what is to be said of it.
struct Samples {
  std::vector<double> value = {};
  std::vector<Diagnostic> notes = {};
};

/// The transfer function of one question. Parameters keep their names in the closed form; numbers take the stated values and
/// those of `values`, "K=2". All of it is for the formula thread.
class TransferOf {
 public:
  /// @throws sfg::Error naming the node that is not there, or the question that has two meanings.
  TransferOf(SignalFlowGraph, const NamedQuestion&);

  const SignalFlowGraph& graph() const noexcept { return graph_; }
  const std::string& input() const { return graph_[question_.input].name; }
  const std::string& output() const { return graph_[question_.output].name; }

  /// The source of a ratio, "" without one, and whether a unit signal is injected.
  std::pair<std::string, bool> mode() const;

  /// The closed form, found once. @throws as transfer_function().
  const TransferFunction& closed(const Budget&);
  std::string text(const Budget&);
  std::string latex(const Budget&);
  /// Coefficients of numerator and denominator, highest power of the operator first.
  /// @throws NoAnswer where they are no polynomials of it: dead time, sqrt(s).
  std::pair<std::vector<std::string>, std::vector<std::string>> coefficients(const Budget&);

  /// The program for numbers with these parameters free, and values for others. @throws sfg::Error naming parameters without
  /// values.
  Evaluation evaluation(const std::vector<std::string>& free, const std::vector<std::string>& values, const Budget&) const;
  /// At ascending times, s, any before 0 included; of a graph in z multiples of its sample time.
  Samples response(Excitation, std::span<const double> times, const std::vector<std::string>& values, std::size_t pade,
                   const Budget&);

 private:
  SignalFlowGraph graph_;
  Question question_;
  std::optional<TransferFunction> closed_;
};

}  // namespace sfg::python
