#pragma once
#include <memory>

#include "sfg/nonlinear/runge_kutta.hpp"

// Not installed: integration of stiff equations.
namespace sfg {

/// Integration by backward differentiation formulas of variable order (CVODE: Hindmarsh et al. 2005), for equations with fast
/// and slow parts, where an explicit method needs steps of the fastest.
class StiffRun {
 public:
  StiffRun(const Rates&, const RungeKuttaOptions&, double t, std::span<const double> x, std::span<const double> largest);
  ~StiffRun();
  StiffRun(const StiffRun&) = delete;
  StiffRun& operator=(const StiffRun&) = delete;

  /// On to `end`, before `last` the equations are smooth. @throws as integrate().
  void advance(double end, double last, const Seen& step);
  /// After a jump of the equations.
  void restart();
  double time() const;
  std::span<const double> state() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sfg
