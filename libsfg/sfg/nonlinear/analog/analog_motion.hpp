#pragma once
#include <functional>
#include <span>
#include <vector>

#include "sfg/nonlinear/run/checked_run.hpp"
#include "sfg/response/time_scales.hpp"

// Not installed.
namespace sfg {

/// What is followed of an analog machine, or of the equations that it solves: inputs are as between two of their corners.
struct AnalogMotion {
  std::vector<double> start;  ///< of the states
  std::function<void(double from, double to)> piece;
  std::function<void(double t, std::span<const double> x, std::span<double> rates)> rates;
  /// Zeros are where a signal bends or jumps.
  std::function<void(double t, std::span<const double> x, std::vector<double>& g)> switching;
  std::function<void(double t, std::span<const double> x)> passed = {};           ///< within every step
  std::function<Eigen::VectorXd(double t, std::span<const double> x)> seen = {};  ///< at the times asked for
  std::vector<double> corners = {};                                               ///< ascending, within the times
  std::function<double(double t)> longest_step = {};                              ///< that leaves nothing of the inputs unseen
};

/// From corner to corner and from switch to switch, by CVODE.
/// @throws NoAnswer where the solution is not finite, or stays where a law jumps; LimitReached where it switches without end
RunSamples followed(const AnalogMotion&, std::span<const double> times, const Fineness&, const Budget&);

}  // namespace sfg
