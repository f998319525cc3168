#pragma once
#include <ginac/ex.h>

#include <span>
#include <string>
#include <vector>

#include "sfg/derive/multibody/multibody_equations.hpp"
#include "sfg/multibody/constrained.hpp"
#include "sfg/numeric/dense.hpp"
#include "sfg/numeric/tape.hpp"

// Not installed.
namespace sfg {

/// Equations of motion as tapes of doubles, with values for all parameters. A point of the motion is (q, v, u, t); u has all
/// inputs, then all their rates, then all second rates.
class CompiledMotion {
 public:
  /// @param stops  distances g(q, t) of unilateral constraints: rows of J behind those of the model
  /// @throws sfg::Error  naming parameters without values, at their places.
  explicit CompiledMotion(const MultibodyEquations&, std::span<const GiNaC::ex> stops = {});

  Eigen::Index coordinates() const { return coordinates_; }
  Eigen::Index speeds() const { return speeds_; }
  Eigen::Index constraints() const { return constraints_; }  ///< of the model
  Eigen::Index holonomic() const { return holonomic_; }      ///< of these, the first ones: those behind them are on rates
  Eigen::Index stops() const { return stops_; }
  Eigen::Index inputs() const { return inputs_; }
  std::size_t orders() const { return orders_; }  ///< of the rates of inputs that are wanted: 0 … 2
  Eigen::Index input_values() const { return inputs_ * static_cast<Eigen::Index>(orders_ + 1); }
  const std::vector<std::string>& constraint_names() const { return names_; }

  /// What the equations say at a point. Rows of φ, J, ∂φ/∂t and γ: constraints, then stops.
  struct Terms {
    Eigen::VectorXd rate;  ///< q̇
    Eigen::MatrixXd M;
    Eigen::VectorXd F;
    Eigen::VectorXd phi;
    Eigen::MatrixXd J;
    Eigen::VectorXd drive;  ///< ∂φ/∂t
    Eigen::VectorXd gamma;
    std::vector<double> values;  ///< all of them, in the order of the tape
  };
  void terms(const Eigen::VectorXd& q, const Eigen::VectorXd& v, const Eigen::VectorXd& u, double t, Terms&) const;
  /// The same as they come from the tape, until it is run again: q̇, the upper triangle of M by rows, F, then of every row φ,
  /// ∂φ/∂t, γ and the row of J.
  /// @param qv  coordinates, then speeds
  std::span<const double> values(std::span<const double> qv, const Eigen::VectorXd& u, double t) const;
  /// N(q) v
  Eigen::VectorXd rate(const Eigen::VectorXd& q, const Eigen::VectorXd& v) const;

  /// Any expressions of the model over q, v, u, t, the accelerations and the multipliers.
  class Outputs {
   public:
    Eigen::VectorXd operator()(const Eigen::VectorXd& q, const Eigen::VectorXd& v, const Eigen::VectorXd& u, double t,
                               const Eigen::VectorXd& a, const Eigen::VectorXd& lambda) const;
    /// How large the terms are that the values are sums of, in bounds of rounding errors: by 2⁻⁵³.
    Eigen::VectorXd sizes(const Eigen::VectorXd& q, const Eigen::VectorXd& v, const Eigen::VectorXd& u, double t) const;
    /// Derivatives of the first output by q, v, u, t, a, λ.
    Eigen::VectorXd gradient(const Eigen::VectorXd& q, const Eigen::VectorXd& v, const Eigen::VectorXd& u, double t) const;

   private:
    friend class CompiledMotion;
    numeric::Tape tape_;
  };
  Outputs outputs(std::span<const GiNaC::ex> expressions) const;

  /// Coordinates that are a quaternion to unit length; a quaternion of zeros becomes that of no turn.
  void normalize(Eigen::VectorXd& q) const;
  const MultibodyEquations& equations() const { return equations_; }
  const GiNaC::exmap& values() const { return values_; }
  const GiNaC::ex& time() const { return time_; }
  /// The symbols of u in their order.
  const std::vector<GiNaC::ex>& input_symbols() const { return input_symbols_; }

 private:
  struct Row {
    GiNaC::ex value, drive, gamma;
    std::vector<GiNaC::ex> J;
  };
  Row row(const GiNaC::ex& value) const;
  std::vector<Row> rows(std::span<const GiNaC::ex> stops) const;
  GiNaC::ex along_motion(const GiNaC::ex&) const;
  numeric::Tape tape(std::span<const GiNaC::ex> outputs, std::span<const GiNaC::ex> inputs) const;
  void name_inputs(bool second_rates);
  void leave_out_vanishing(std::vector<GiNaC::ex> outputs, std::size_t first_row);

  const MultibodyEquations equations_;
  GiNaC::exmap values_;
  GiNaC::ex time_;
  std::vector<GiNaC::ex> input_symbols_, point_;
  std::vector<std::string> names_;
  Eigen::Index coordinates_ = 0, speeds_ = 0, constraints_ = 0, holonomic_ = 0, stops_ = 0, inputs_ = 0;
  std::size_t orders_ = 0;
  numeric::Tape terms_, rate_;
  mutable std::vector<double> at_, slots_, results_;  // working memory
};

/// What to say of a motion without inertia.
NoAnswer no_inertia(const EquationsOfMotion&, const NoInertia&);

}  // namespace sfg
