#pragma once
#include <array>
#include <cstddef>
#include <deque>
#include <vector>

#include "sfg/numeric/packed.hpp"

// Not installed.
namespace sfg {

/// Signals as they were: polynomials of degree 7 over the steps of an integrator. 0 before the first.
class Past {
 public:
  /// Where a step is to be remembered, as parts of it, ascending from 0 to 1 (Chebyshev's extrema).
  static constexpr std::array<double, 8> nodes{0,
                                               0.049515566048790455,
                                               0.18825509907063323,
                                               0.38873953302184283,
                                               0.6112604669781572,
                                               0.8117449009293668,
                                               0.9504844339512096,
                                               1};

  /// Values of all signals at the next node; the first node of a step repeats the last of the one before.
  void add(double t, const std::vector<double>& values);
  double value(std::size_t signal, double t) const;
  void pack(Packer&) const;
  void unpack(Unpacker&);

 private:
  struct Step {
    double from = 0, to = 0;
    std::vector<std::array<double, 8>> values;  // by signal
  };
  std::deque<Step> steps_;
  std::vector<double> times_;
  std::vector<std::vector<double>> collected_;
};

}  // namespace sfg
