#pragma once
#include <Eigen/Dense>
#include <cstddef>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/nonlinear/compiled_laws.hpp"
#include "sfg/nonlinear/drives.hpp"
#include "sfg/nonlinear/dynamics.hpp"
#include "sfg/nonlinear/law_loop.hpp"
#include "sfg/nonlinear/past.hpp"
#include "sfg/response/simulation.hpp"

// Not installed.
namespace sfg {

/// The nodes that are driven, in the order of their drives.
std::vector<NodeId> driven_nodes(const SimulationQuestion&);

/// A graph with numbers, its laws and its drives, ready to be followed in time: u are the inputs, the laws' outputs and what dead
/// times bring; y the laws' arguments, the outputs asked for and what dead times take.
class CoupledSystem {
 public:
  /// @param form  of the driven nodes and the outputs of the question
  /// @throws sfg::Error where the rate of a law's output is needed; for initial values of what is no state.
  CoupledSystem(const SignalFlowGraph& graph, PrincipalForm form, const SimulationQuestion& question, const Budget& budget);

  Eigen::Index size() const { return linear_.A.rows(); }
  const PrincipalForm& form() const { return form_; }
  const Dynamics& linear() const { return linear_; }
  const CompiledLaws& laws() const { return laws_; }
  Drives& drives() { return drives_; }
  Past& past() { return past_; }
  const Eigen::VectorXd& start() const { return start_; }
  /// The largest that every argument has been.
  const Eigen::VectorXd& reach() const { return reach_; }

  /// ẋ; false where the laws have no solution.
  bool rate(double t, const Eigen::VectorXd& x, Eigen::VectorXd& rate);
  Eigen::MatrixXd jacobian(double t, const Eigen::VectorXd& x);
  /// y. @throws NoAnswer where the laws have no solution.
  Eigen::VectorXd outputs(double t, const Eigen::VectorXd& x);
  /// Of a graph of samples: x of the next one.
  Eigen::VectorXd next(double t, const Eigen::VectorXd& x);
  /// The laws' switching functions.
  void switching(double t, const Eigen::VectorXd& x, double* g);
  /// The signals that memories follow.
  std::vector<double> followed(double t, const Eigen::VectorXd& x);
  /// The laws have come to this state and keep in memory what they must.
  void latch(double t, const Eigen::VectorXd& x);

 private:
  bool settle(double t, const Eigen::VectorXd& x);
  Eigen::VectorXd drive_rates(double t, std::size_t order) const;
  void refuse_rates(const SignalFlowGraph&) const;
  void find_contacts();
  Eigen::VectorXd initial_state(const SignalFlowGraph&, const SimulationQuestion&) const;

  PrincipalForm form_;
  CompiledLaws laws_;
  Dynamics linear_;
  Drives drives_;
  LawLoop loop_;
  Past past_;
  Eigen::VectorXd input_, start_, reach_;
  std::vector<std::size_t> contacts_;  ///< switches that stay 0 as long as a play is in contact: no events
};

}  // namespace sfg
