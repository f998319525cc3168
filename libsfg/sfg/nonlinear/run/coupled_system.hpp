#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/nonlinear/compiled_laws.hpp"
#include "sfg/nonlinear/run/drives.hpp"
#include "sfg/nonlinear/run/dynamics.hpp"
#include "sfg/nonlinear/run/jumps.hpp"
#include "sfg/nonlinear/run/law_loop.hpp"
#include "sfg/nonlinear/run/past.hpp"
#include "sfg/nonlinear/run/sliding_modes.hpp"
#include "sfg/numeric/dense.hpp"
#include "sfg/response/simulation.hpp"
#include "sfg/response/time_scales.hpp"

// Not installed.
namespace sfg {

/// The nodes that are driven, in the order of their drives.
std::vector<NodeId> driven_nodes(const SimulationQuestion&);

/// A graph with numbers, its laws and its drives, ready to be followed in time: u are the inputs, the laws' outputs and what dead
/// times bring; y the laws' arguments, the outputs asked for and what dead times take.
class CoupledSystem {
 public:
  /// @param form   of the driven nodes and the outputs of the question
  /// @param until  the last time asked for
  /// @throws sfg::Error where the rate of a law's output is needed; for initial values of what is no state.
  CoupledSystem(const SignalFlowGraph& graph, PrincipalForm form, const SimulationQuestion& question, double until,
                const Budget& budget);
  CoupledSystem(const CoupledSystem&) = delete;
  CoupledSystem& operator=(const CoupledSystem&) = delete;
  /// To the start again.
  void reset();

  Eigen::Index size() const { return linear_.A.rows(); }
  const PrincipalForm& form() const { return form_; }
  const Dynamics& linear() const { return linear_; }
  const CompiledLaws& laws() const { return laws_; }
  Drives& drives() { return drives_; }
  Past& past() { return past_; }
  const Eigen::VectorXd& start() const { return start_; }
  /// The name under which a state has an initial value: its signal, or z_… where laws act on that at once.
  std::string plain_state(std::size_t i) const;
  SlidingModes& modes() { return modes_; }
  /// The longest step from a time on that leaves nothing of the inputs unseen, nor of laws of them alone.
  /// @param parts  as of TimeScales
  double longest_step(double t, double parts = 1) const { return scales_.longest_step(t, parts); }
  /// Whether every part of the inputs is known; else they have too many.
  bool sees_all_inputs() const { return scales_.complete(); }
  /// Times in (0, until) at which a drive, or a law of drives and time alone, has a jump or a corner, ascending.
  std::vector<double> corners(double until, const Budget&) const;

  /// ẋ; false where the laws have no solution.
  bool rate(double t, const Eigen::VectorXd& x, Eigen::VectorXd& rate);
  /// ∂ẋ/∂x, of the same places at every time, all of the diagonal among them; not finite where the laws have no solution.
  Dynamics::Matrix jacobian(double t, const Eigen::VectorXd& x);
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
  /// What the laws' values depend on beside time and state: where their solution begins, what they remember, what has been.
  void pack(Packer&) const;
  void unpack(Unpacker&);
  const std::vector<Jump>& jumps() const { return jumps_; }
  /// Of all laws, at that state.
  Eigen::VectorXd law_outputs(double t, const Eigen::VectorXd& x);
  /// Finds the modes at a state. @returns the one next to it on which the functions of the jumps that slide vanish
  Eigen::VectorXd decided(double t, const Eigen::VectorXd& x, std::span<const int> changes = {});

 private:
  Eigen::VectorXd on_surface(double t, const Eigen::VectorXd& x);
  bool settle(double t, const Eigen::VectorXd& x);
  Eigen::VectorXd drive_rates(double t, std::size_t order) const;
  Eigen::VectorXd by_rates(double t, Eigen::Index signals) const;
  void refuse_rates(const SignalFlowGraph&) const;
  void find_contacts();
  Eigen::VectorXd initial_state(const SignalFlowGraph&, const SimulationQuestion&) const;
  Eigen::VectorXd without_laws(const SignalFlowGraph&, const Eigen::VectorXd& given, std::span<const Eigen::Index> signals) const;
  void compile_jumps(const GiNaC::exmap& values);
  void collect_functions_of_time(const SimulationQuestion&, const GiNaC::exmap& values);
  std::optional<GiNaC::ex> argument_of_time(std::size_t argument, const std::vector<GiNaC::ex>& signals,
                                            const std::vector<bool>& known) const;
  bool settle_all(double t, const Eigen::VectorXd& x);
  void take_modes(const Eigen::VectorXd& s, const Eigen::VectorXd& levels);
  bool contact(double t, const Eigen::VectorXd& x, SlidingModes::Contact&);
  Eigen::VectorXd law_rates(double t, const Eigen::VectorXd& now);
  Eigen::VectorXd argument_rates(double t, const Eigen::VectorXd& xdot) const;

  PrincipalForm form_;
  std::vector<PrincipalForm::Law> stated_;  ///< with their jumps
  std::vector<Jump> jumps_;
  CompiledLaws laws_;
  Dynamics linear_;
  Drives drives_;
  LawLoop loop_;
  Past past_;
  SlidingModes modes_;
  numeric::Tape jump_functions_;  ///< g and its derivatives by the arguments, the time and s
  GiNaC::ex own_time_;
  std::vector<GiNaC::ex> of_time_;  ///< functions of it alone
  TimeScales scales_;
  double second_;            ///< a second, or the whole of a shorter motion
  Eigen::MatrixXd surface_;  ///< g by x, where contact() was last
  Eigen::VectorXd input_, start_;
  std::vector<std::size_t> contacts_;  ///< switches that stay 0 as long as a play is in contact: no events
};

}  // namespace sfg
