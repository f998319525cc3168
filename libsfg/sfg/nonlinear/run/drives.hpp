#pragma once
#include <cstddef>
#include <optional>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/numeric/dense.hpp"
#include "sfg/numeric/tape.hpp"
#include "sfg/response/simulation.hpp"

// Not installed.
namespace sfg {

/// The signals at the inputs with their rates, from one corner to the next: at both ends of a piece as within it.
class Drives {
 public:
  /// @param orders  rates up to this order are wanted
  Drives(const SimulationQuestion&, const Operator&, std::size_t orders);

  /// Times in (0, until) at which a signal or its rate jumps, ascending.
  std::vector<double> corners(double until, const Budget&) const;
  /// From now on times are in [from, to].
  void piece(double from, double to);
  /// The time in the piece that is next to t.
  double within(double t) const;
  /// The rates of that order, 0: the values; signals at one node are added. In the places of the nodes, in order of appearance.
  /// @throws NoAnswer where a signal is not finite; a rate may be infinite.
  void values(double t, std::size_t order, Eigen::VectorXd& into) const;

  struct Signal {
    std::size_t place = 0;
    std::vector<numeric::Tape> rates = {};     ///< by order, of an expression
    std::optional<SampledSignal> points = {};  ///< instead
    GiNaC::ex expression = {};

    /// The rate of that order, within the piece around t.
    double value(double t, std::size_t order) const;
  };
  const std::vector<Signal>& signals() const { return signals_; }

 private:
  GiNaC::ex time_;
  std::vector<Signal> signals_;
  std::size_t places_ = 0;
  double begin_ = 0, from_ = 0, to_ = 0;  // a piece, and what of it is not at a step
};

}  // namespace sfg
