#pragma once
#include <complex>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/nonlinear/balance/periodic_motion.hpp"
#include "sfg/nonlinear/compiled_laws.hpp"
#include "sfg/nonlinear/principal.hpp"
#include "sfg/numeric/dense.hpp"
#include "sfg/response/compiled_response.hpp"

// Not installed: what harmonic balance works with.
namespace sfg {

/// A principal form with numbers: its transmittances at any point of the axis, and its laws.
class BalanceSystem {
 public:
  struct Choice {
    std::vector<PeriodicInput> inputs;
    std::vector<NodeId> outputs = {};          ///< of the graph as given; empty: as stated
    std::vector<std::string> parameters = {};  ///< by which all is differentiated
    double frequency = 1;                      ///< rad/s, typical of what will be asked
    Budget budget = {};
  };
  /// @throws sfg::Error for parameters without value, a discrete system, a law of time.
  BalanceSystem(const SignalFlowGraph&, const Choice&);

  /// An unknown signal: an argument of laws, its rate where only that is one. What laws have of it follows by differentiation.
  struct Unknown {
    std::size_t argument;  ///< of the form
  };
  /// How an argument follows from an unknown.
  struct Follows {
    std::size_t unknown;
    bool differentiated;
  };

  const PrincipalForm& form() const { return form_; }
  const CompiledLaws& laws() const { return laws_; }
  /// Where a law with corners switches, this has a zero: arguments of abs, sign and step, differences of those of min and max.
  const CompiledLaws& switches() const { return *switches_; }
  const std::vector<Unknown>& unknowns() const { return unknowns_; }
  const std::vector<Follows>& follows() const { return follows_; }
  const std::vector<std::string>& parameters() const { return parameters_; }
  const std::vector<double>& parameter_values() const { return parameter_values_; }
  const Eigen::VectorXd& amplitudes() const { return amplitudes_; }  ///< of the sources
  const Eigen::VectorXd& constants() const { return constants_; }
  /// What is reported: the arguments of the laws and the sinks, each name once, with its row of the transmittances.
  struct Signal {
    std::string name;
    std::size_t row;
  };
  std::vector<Signal> signals() const;
  std::size_t source_count() const { return form_.sources.size(); }
  std::size_t law_count() const { return form_.laws.size(); }
  /// Rows of the transmittances: arguments, then sinks.
  std::size_t row_count() const { return form_.output_count(); }
  /// Where the laws have corners or jumps, more samples are needed.
  bool smooth() const { return smooth_; }
  const Budget& budget() const { return budget_; }

  /// The transmittances of one point: all rows from all sources and laws, with a feedback K from the unknowns to the laws'
  /// outputs taken into the linear part (so that they are finite where those of the open part are not), and what was taken in.
  struct Point {
    Eigen::MatrixXcd T;
    Eigen::MatrixXcd slope;                      ///< dT/dω, on curves (BalanceTransmittances); else empty
    Eigen::MatrixXcd K;                          ///< laws × unknowns
    std::vector<Eigen::MatrixXcd> by_parameter;  ///< where asked for
  };
  /// @param frequencies  of the axis, rad/s, of which 0 is answered by the limit
  std::vector<Point> points(const std::vector<double>& frequencies, bool by_parameters = false) const;
  /// K of points() but at 0.
  Eigen::MatrixXcd feedback() const { return std::complex<double>(0, -1) * coupling_.cast<std::complex<double>>(); }
  /// The open linear part at any points, without K.
  std::vector<Point> open_points(const std::vector<std::complex<double>>& s, bool by_parameters = false) const;

 private:
  void state_unknowns();
  void state_inputs(const SignalFlowGraph&, const Choice&);
  struct Mean {
    Point point;
    Eigen::MatrixXd size;  ///< of |T| on the circle
  };
  Mean mean_on_circle(double radius, bool by_parameters) const;
  Point shifted(Point open, const Eigen::MatrixXcd& K) const;
  const Point& at_zero(bool by_parameters) const;
  Eigen::MatrixXd coupling() const;

  PrincipalForm form_;
  std::vector<std::string> parameters_;
  std::vector<double> parameter_values_;
  CompiledLaws laws_;
  std::optional<CompiledLaws> switches_;
  CompiledResponse response_;
  std::optional<CompiledResponse> differentiated_;
  std::vector<Unknown> unknowns_;
  std::vector<Follows> follows_;
  Eigen::VectorXd amplitudes_, constants_;
  bool smooth_ = true;
  double frequency_;
  Eigen::MatrixXd coupling_;
  Budget budget_;
  mutable std::map<bool, Point> zero_;
};

}  // namespace sfg
