#pragma once
#include <complex>
#include <cstddef>
#include <span>
#include <vector>

/// Roots in double precision, thousands of times a millisecond: for samples and searches. Certified ones are exact::roots().
namespace sfg::numeric {

/// Positive real roots of a polynomial. Between neighbouring roots of its derivative a polynomial is monotone and has one root or
/// none; so none is missed that rounding does not hide. Keeps its memory; not for several threads at once.
class PositiveRoots {
 public:
  /// @param coefficients  lowest power first
  /// @returns the distinct roots above 0, ascending; valid until the next call. None of the zero polynomial.
  std::span<const double> operator()(std::span<const double> coefficients);

 private:
  void differentiate();
  std::span<const double> derivative(std::size_t k) const;
  void level(std::size_t k, double low, double high);

  std::vector<double> coefficients_;
  std::vector<double> derivatives_;
  std::vector<double> roots_, finer_;
};

/// All complex roots of a real polynomial by Ehrlich's and Aberth's iteration (Aberth 1973), all at once from starts nearby.
class ComplexRoots {
 public:
  /// @param coefficients  lowest power first; the leading one is not 0
  /// @param starts        as many as the degree: roots of a polynomial like it
  /// @returns the roots, each near the start that it was found from (they are not followed); pairs exactly conjugate, real ones
  ///          exactly real; valid until the next call. Empty where the iteration does not end.
  std::span<const std::complex<double>> operator()(std::span<const double> coefficients,
                                                   std::span<const std::complex<double>> starts);

 private:
  bool iterate(std::span<const double> coefficients);
  void pair();

  std::vector<std::complex<double>> roots_;
  std::vector<char> done_;
};

}  // namespace sfg::numeric
