#pragma once
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "sfg/exact/boundary.hpp"
#include "sfg/exact/exact_number.hpp"
#include "sfg/exact/rational_polynomial.hpp"

namespace sfg::exact {

/// Polynomial in one variable whose coefficients are real constants that are never rounded. A regular value; its leading
/// coefficient is known not to be zero, so that everything here may throw Undecided.
class ExactPolynomial {
 public:
  ExactPolynomial() = default;                                      ///< 0
  explicit ExactPolynomial(std::vector<ExactNumber> coefficients);  ///< highest power first
  explicit ExactPolynomial(const RationalPolynomial&);

  bool is_zero() const { return ascending_.empty(); }
  long degree() const { return static_cast<long>(ascending_.size()) - 1; }  ///< −1 for 0
  const ExactNumber& leading() const { return ascending_.back(); }          ///< of a polynomial that is not 0
  std::vector<ExactNumber> coefficients() const;                            ///< highest power first
  /// The polynomial over ℚ that this is, when every coefficient is rational.
  std::optional<RationalPolynomial> rational() const;

  friend ExactPolynomial operator+(const ExactPolynomial&, const ExactPolynomial&);
  friend ExactPolynomial operator-(const ExactPolynomial&, const ExactPolynomial&);
  friend ExactPolynomial operator*(const ExactPolynomial&, const ExactPolynomial&);
  /// Quotient and remainder; std::domain_error for division by 0.
  friend std::pair<ExactPolynomial, ExactPolynomial> divided(const ExactPolynomial&, const ExactPolynomial&);
  friend ExactPolynomial gcd(const ExactPolynomial&, const ExactPolynomial&);  ///< monic

  ExactNumber at(const ExactNumber&) const;
  ExactPolynomial monic() const;
  ExactPolynomial derivative() const;
  ExactPolynomial reflected() const;  ///< p(−x)
  ExactPolynomial reversed() const;   ///< x^n p(1/x)
  /// Monic factors without multiple roots, coprime in pairs, with their multiplicities; their product is monic().
  std::vector<std::pair<ExactPolynomial, std::size_t>> square_free_factors() const;

 private:
  std::vector<ExactNumber> ascending_;
};

/// The polynomial over ℚ whose coefficients are correct to 120 digits and whose roots lie as those of `p` do: multiple ones
/// stay multiple, and those on the boundary stay on it. For that the factors of equal multiplicity are rounded apart, and
/// in them what is symmetric about the boundary.
RationalPolynomial rounded(const ExactPolynomial& p, Boundary boundary);

struct ExactPolynomialRing {
  using Value = ExactPolynomial;
  Value zero() const { return {}; }
  Value one() const { return ExactPolynomial({ExactNumber(1)}); }
  Value add(const Value& a, const Value& b) const { return a + b; }
  Value multiply(const Value& a, const Value& b) const { return a * b; }
  Value negate(const Value& a) const { return Value() - a; }
};

}  // namespace sfg::exact
