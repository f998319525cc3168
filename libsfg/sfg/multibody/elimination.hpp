#pragma once
#include <vector>

#include "sfg/multibody/aggregate.hpp"
#include "sfg/multibody/rotation.hpp"
#include "sfg/numeric/dense.hpp"

// Not installed.
namespace sfg {

/// A connection at a state, as rows: first·q̈₁ − second·q̈₂ + bias = 0, one for each motion that it blocks; multipliers λ act as
/// secondᵀλ on the second part and −firstᵀλ on the first.
struct ConnectionRows {
  // At most six rows: no memory of their own.
  using Six = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, 6, 1>;
  using SixBySix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, 6, 6>;

  Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::ColMajor, 6, 6>
      blocked;  ///< 6 × rows: the blocked directions, inertial components; the wrench on the second is blocked·λ
  rotation::RowMatrix first, second;
  Six bias;
  Six gap;                         ///< how far the second place is from the first along the blocked directions
  Six gap_rate;                    ///< likewise of the speeds
  double distance = 0, angle = 0;  ///< of the blocked part of the gap, m and rad
};
ConnectionRows rows_of(const Aggregate&, const Aggregate::Connection&, std::span<const double> state);

/// M_i a_i − Σ ± D_iᵀ λ = force_i of all parts with first·a₁ − second·a₂ + bias = 0 of all connections, by elimination along the
/// forest; keeps its memory from one state to the next.
class Elimination {
 public:
  explicit Elimination(const Aggregate&);

  /// Inertia, forces and connections at a state.
  void evaluate(double t, std::span<const double> state, const Aggregate::Loads&);
  /// What is put in their place: displacements or changes of speed that close the gaps, of least M-norm.
  void take_gaps(bool of_speeds);
  /// @throws NoAnswer
  void solve();

  struct Node {
    rotation::RowMatrix M, Y;  // Y = M⁻¹ D_childᵀ
    Eigen::VectorXd force, acceleration, z;
    ConnectionRows::SixBySix La;
    ConnectionRows::Six u;
    Eigen::LLT<Eigen::MatrixXd> factor;
  };
  const Node& node(std::size_t part) const { return nodes_[part]; }
  const ConnectionRows& rows(std::size_t connection) const { return rows_[connection]; }
  /// On the second part.
  const ConnectionRows::Six& multipliers(std::size_t connection) const { return multipliers_[connection]; }
  /// What acts inside of a connection, on the second part.
  const Eigen::Matrix<double, 6, 1>& inside(std::size_t connection) const { return inside_[connection]; }
  Aggregate::Motion motion() const;

 private:
  void load(std::span<const double> state, const Aggregate::Loads&);
  void factorise(std::size_t part);
  void condense(const Aggregate::Visit&);
  void expand(const Aggregate::Visit&);

  const Aggregate& aggregate_;
  std::vector<Aggregate::Visit> order_;
  std::vector<Node> nodes_;
  std::vector<ConnectionRows> rows_;
  std::vector<ConnectionRows::Six> multipliers_;
  std::vector<Eigen::Matrix<double, 6, 1>> inside_;
  std::vector<double> no_inputs_;
};

}  // namespace sfg
