#pragma once
#include <complex>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/study/measures/coefficient_program.hpp"

// Not installed: how far the poles of a transfer function are from where they are wanted.
namespace sfg {

/// Poles that are wanted, each matched with one of the poles at a point so that the greatest distance is least.
class PolePlacement {
 public:
  /// @param wanted  conjugates listed; a pole wanted several times stands several times
  /// @throws sfg::Error  for more poles than there are, and for a complex one without its conjugate; as CoefficientProgram.
  PolePlacement(const SignalFlowGraph&, const Question&, const std::vector<std::string>& parameters,
                std::vector<std::complex<double>> wanted, const Budget&);

  struct Match {
    std::vector<std::complex<double>> poles;  ///< that of each wanted one; empty where there are too few
    std::vector<double> distances;
    std::vector<double> slopes;  ///< of the distances by the parameters, row by row; 0 where a pole is where it should be
  };
  Match match(std::span<const double> parameters) const;

  /// What vanishes where all wanted poles are poles: the denominator there (and its derivatives at multiple ones), real and
  /// imaginary parts, in proportion to its coefficients.
  struct Residuals {
    std::vector<double> values;
    std::vector<double> slopes;  ///< row by row
  };
  Residuals residuals(std::span<const double> parameters) const;

 private:
  std::vector<double> denominator(std::span<const double> parameters, std::vector<double>* slopes) const;

  CoefficientProgram program_;
  std::size_t parameters_;
  std::vector<std::complex<double>> wanted_;
};

}  // namespace sfg
