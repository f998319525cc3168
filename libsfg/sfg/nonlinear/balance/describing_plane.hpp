#pragma once
#include <complex>
#include <string>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg {

/// The classical picture of limit cycles of one law f of one signal u, u = −L f(u): the curves L(jω) and −1/N(A) in one plane, N
/// the describing function. Where they cross, one harmonic balances.
struct DescribingPlane {
  struct Crossing {
    double amplitude, frequency;  ///< of u; rad/s
    bool stable;                  ///< by Loeb's criterion
    std::complex<double> place;   ///< L(jω) = −1/N(A)
  };
  std::string signal;                          ///< u
  std::vector<double> frequency;               ///< rad/s
  std::vector<std::complex<double>> loop;      ///< L(jω)
  std::vector<double> amplitude;               ///< where N ≠ 0
  std::vector<std::complex<double>> critical;  ///< −1/N(A), at the frequency of the middle where N depends on it
  std::vector<Crossing> crossings;
};

/// @param low, high  of the frequencies, rad/s; low ≤ 0: from 10⁻³ to 10⁴
/// @throws NoAnswer unless the graph has one law of one signal that is odd.
DescribingPlane describing_plane(const SignalFlowGraph&, double low, double high, const Budget& = {});

}  // namespace sfg
