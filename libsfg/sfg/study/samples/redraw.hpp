#pragma once
#include <cstddef>
#include <span>
#include <vector>

// Not installed: correlated normal variables, some of which are drawn anew.
namespace sfg {

/// How the variables that are drawn anew follow from those that are kept: a row of regression coefficients for each, by sweeps of
/// the matrix of correlations (Goodnight, A tutorial on the SWEEP operator, Am. Stat. 33 (1979) 149), one for each variable more
/// that is kept. One that the others determine already adds nothing, so that the matrix may be singular.
class Redraw {
 public:
  /// @param cholesky  of the correlations, n × n
  Redraw(std::span<const double> cholesky, std::size_t n);

  void keep(std::size_t variable);
  /// Of two independent draws z and w of all: z where it is kept, else w + B (z − w) of those that are (Matheron's rule), which
  /// has the distribution of the variables given the kept ones.
  void draw(std::span<const double> z, std::span<const double> w, std::span<double> drawn) const;

 private:
  std::size_t n_;
  std::vector<double> swept_;  ///< n × n
  std::vector<char> kept_;
  std::vector<std::size_t> base_;  ///< those kept that were swept
};

}  // namespace sfg
