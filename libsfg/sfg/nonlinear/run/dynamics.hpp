#pragma once
#include <Eigen/Sparse>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/nonlinear/run/sparse_descriptor.hpp"

// Not installed.
namespace sfg {

/// ẋ = A x + B u, y = C x + D_0 u + D_1 u̇ + … of a linear graph with numbers, sparse: for graphs of any size (of samples: x of
/// the next one on the left). Dead time is cut out: what a delay brings is an input behind those asked for, what it
/// takes an output behind those asked for.
struct Dynamics {
  using Matrix = Eigen::SparseMatrix<double, Eigen::RowMajor>;
  struct Delay {
    double time;         ///< s
    std::size_t input;   ///< number of u that is …
    std::size_t output;  ///< … this y, so much earlier
  };
  std::vector<std::string> states;  ///< signals x, Dx …; z_x: shifted by a multiple of inputs
  Matrix A, B, C;
  Matrix shifts;          ///< x − z_x by the inputs
  std::vector<Matrix> D;  ///< by derivative of u; at least one
  std::vector<Delay> delays;
};

/// The same with exact numbers, before it is rounded.
struct ExactDynamics {
  SparseDescriptor system;  ///< rows of the states
  std::vector<Dynamics::Delay> delays;
  std::size_t inputs = 0;  ///< those of delays included
};
ExactDynamics exact_dynamics(const SignalFlowGraph&, std::span<const NodeId> inputs, std::span<const NodeId> outputs,
                             const Budget& = {});

Dynamics dynamics(const ExactDynamics&);
/// @param inputs   nodes at which signals are added; @param outputs  nodes
/// @throws NoAnswer where the graph is singular; sfg::Error for parameters without values, gains that are neither rational nor
///         with dead time above the fraction line.
Dynamics dynamics(const SignalFlowGraph&, std::span<const NodeId> inputs, std::span<const NodeId> outputs, const Budget& = {});

}  // namespace sfg
