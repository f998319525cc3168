#pragma once
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "sfg/error.hpp"
#include "sfg/exact/rational.hpp"
#include "sfg/exact/rational_polynomial.hpp"
#include "sfg/exact/roots.hpp"

namespace sfg::exact {

// Constants that are no fractions: √2 of a filter, π of a stated frequency, e^{−1} of a sampled pole. Whether a leading
// coefficient, a difference of two gains or a discriminant of them vanishes decides degrees and multiplicities, so that no
// rounded number will do.

/// Whether a number is zero could not be decided: there is no known relation between the constants it is made of, and no
/// enclosure that leaves 0 out. The message names the constant. An answer that depends on it is refused.
class Undecided : public NoAnswer {
 public:
  using NoAnswer::NoAnswer;
};

/// A real constant that is never rounded: what it was computed from is kept, with an enclosure. That it is not zero mostly
/// follows from the enclosure; where that contains 0, Calcium decides in the field that the constants generate. A regular value.
/// @see Johansson, Calcium: computing in exact real and complex fields (2021).
class ExactNumber {
 public:
  ExactNumber();                          ///< 0
  explicit ExactNumber(const Rational&);  ///< costs no more than the number as long as only such are combined

  bool is_zero() const;  ///< @throws Undecided
  int sign() const;      ///< −1, 0, 1. @throws Undecided
  /// The rational number that this is, however it was computed. One of more than 300 bits may go unnoticed.
  std::optional<Rational> rational() const;
  /// rational(), or the number rounded to 120 digits.
  Rational rounded() const;

  friend ExactNumber operator+(const ExactNumber&, const ExactNumber&);
  friend ExactNumber operator-(const ExactNumber&, const ExactNumber&);
  friend ExactNumber operator*(const ExactNumber&, const ExactNumber&);
  friend ExactNumber operator/(const ExactNumber&, const ExactNumber&);  ///< std::domain_error for division by 0

  struct Node;

 private:
  friend class ExactField;
  explicit ExactNumber(std::shared_ptr<Node> node) : node_(std::move(node)) {}
  std::shared_ptr<Node> node_;
};

inline ExactNumber operator-(const ExactNumber& a) { return ExactNumber() - a; }

/// Where irrational numbers come from; those of two fields do not mix. A cheap value: copies share.
/// Real functions alone: std::domain_error where the result is not a real number.
class ExactField {
 public:
  ExactField();
  ExactNumber pi() const;
  /// base^exponent of a positive base, or of any base and a whole exponent.
  ExactNumber power(const ExactNumber& base, const ExactNumber& exponent) const;
  ExactNumber exp(const ExactNumber&) const;
  ExactNumber log(const ExactNumber&) const;
  ExactNumber sin(const ExactNumber&) const;
  ExactNumber cos(const ExactNumber&) const;
  ExactNumber asin(const ExactNumber&) const;
  ExactNumber acos(const ExactNumber&) const;
  ExactNumber atan(const ExactNumber&) const;

  struct Context;

 private:
  std::shared_ptr<Context> context_;
};

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
