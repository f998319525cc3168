#pragma once
#include <complex>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "sfg/exact/rational.hpp"

namespace sfg::exact {

// Characteristic polynomials, numerators and denominators with numbers. Everything that decides about stability is exact here:
// signs, degrees, common factors, roots on the axis. Decimals come last.

/// Polynomial in one variable with exact rational coefficients (FLINT fmpq_poly). A regular value.
/// Lists of coefficients begin with the highest power, as everywhere.
class RationalPolynomial {
 public:
  RationalPolynomial();  ///< 0
  explicit RationalPolynomial(std::span<const Rational> coefficients);
  RationalPolynomial(std::initializer_list<Rational> coefficients) : RationalPolynomial(std::span(coefficients)) {}
  static RationalPolynomial constant(const Rational&);
  static RationalPolynomial variable();  ///< x

  RationalPolynomial(const RationalPolynomial&);
  RationalPolynomial(RationalPolynomial&&) noexcept;
  RationalPolynomial& operator=(const RationalPolynomial&);
  RationalPolynomial& operator=(RationalPolynomial&&) noexcept;
  ~RationalPolynomial();

  bool is_zero() const;
  long degree() const;                            ///< −1 for 0
  std::vector<Rational> coefficients() const;     ///< {} for 0
  Rational coefficient(std::size_t power) const;  ///< 0 above the degree
  Rational leading() const;                       ///< 0 for 0
  int sign_of(std::size_t power) const;           ///< of the coefficient: −1, 0, 1
  std::vector<double> doubles() const;            ///< correctly rounded, highest power first

  RationalPolynomial& operator+=(const RationalPolynomial&);
  RationalPolynomial& operator-=(const RationalPolynomial&);
  RationalPolynomial& operator*=(const RationalPolynomial&);
  RationalPolynomial operator-() const;
  RationalPolynomial power(std::size_t exponent) const;
  RationalPolynomial derivative() const;
  RationalPolynomial shifted_up(std::size_t powers) const;             ///< times x^powers
  RationalPolynomial even_part() const;                                ///< e(x) of p(s) = e(s²) + s·o(s²)
  RationalPolynomial odd_part() const;                                 ///< o(x), Hurwitz's other half
  RationalPolynomial scaled(const Rational& factor) const;             ///< p(factor · x)
  RationalPolynomial composed(const RationalPolynomial& inner) const;  ///< p(inner(x))
  RationalPolynomial monic() const;                                    ///< divided by leading(); 0 stays 0
  Rational at(const Rational&) const;                                  ///< exact value
  int sign_at(const Rational&) const;                                  ///< −1, 0, 1
  /// Value at a complex point, in ball arithmetic of growing precision: each part correct to double precision.
  std::complex<double> at(std::complex<double> x) const;
  /// The same as mantissa · 2^exponent, for values that leave the range of a double. The larger part of the mantissa is
  /// between 1/2 and 1, or the value is 0.
  struct Scaled {
    std::complex<double> mantissa = 0;
    long exponent = 0;
  };
  Scaled scaled_at(std::complex<double> x) const;

  /// Quotient and remainder; std::domain_error for division by 0.
  friend std::pair<RationalPolynomial, RationalPolynomial> divided(const RationalPolynomial&, const RationalPolynomial&);
  friend RationalPolynomial gcd(const RationalPolynomial&, const RationalPolynomial&);  ///< monic
  friend bool operator==(const RationalPolynomial&, const RationalPolynomial&);

  /// Irreducible factors over ℚ with multiplicities, monic; their product is monic().
  std::vector<std::pair<RationalPolynomial, std::size_t>> factors() const;
  /// q with q · this ≡ 1 modulo `modulus`. @throws std::domain_error when the two have a common factor.
  RationalPolynomial inverse_modulo(const RationalPolynomial& modulus) const;

  /// Number of roots with positive, zero and negative real part, multiplicities counted; exact, from certified enclosures and the
  /// common factor of p(s) and p(−s) for those on the axis.
  struct RootCounts {
    std::size_t right = 0, axis = 0, left = 0;
  };
  RootCounts root_counts() const;

  struct Impl;
  const Impl& impl() const noexcept { return *impl_; }  ///< for the other files of exact/

 private:
  std::unique_ptr<Impl> impl_;
};

inline RationalPolynomial operator+(RationalPolynomial a, const RationalPolynomial& b) { return a += b; }
inline RationalPolynomial operator-(RationalPolynomial a, const RationalPolynomial& b) { return a -= b; }
inline RationalPolynomial operator*(RationalPolynomial a, const RationalPolynomial& b) { return a *= b; }

/// A real root: exact when rational, else enclosed and given by a number that is correct to the digits asked for.
struct RealRoot {
  Rational number;
  double value = 0;
  bool exact = false;
};
/// The distinct real roots, ascending: limits of ranges of a parameter, crossings over ω².
std::vector<RealRoot> real_roots(const RationalPolynomial&, std::size_t digits = 20);
/// A rational number strictly between two neighbouring real roots (or beyond one, when the other is not given).
Rational rational_between(const RealRoot* low, const RealRoot* high);

}  // namespace sfg::exact
