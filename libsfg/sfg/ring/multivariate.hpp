#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sfg/exact/rational.hpp"

// Polynomials in many letters: what numerators, denominators and cofactors are while they are expanded, factored and cancelled.
// The arithmetic is FLINT's (fmpq_mpoly, packed exponents); here it becomes a value type whose terms can be read.

namespace sfg::ring {

/// The variables of a family of polynomials, in their order: the first is the main one. Immutable, shared.
/// One context must stay on one thread at a time (FLINT keeps scratch space in it).
class PolynomialContext {
 public:
  /// @param variables  distinct names; any text will do. Terms are ordered lexicographically by the powers of these.
  explicit PolynomialContext(std::vector<std::string> variables);
  ~PolynomialContext();
  PolynomialContext(const PolynomialContext&) = delete;
  PolynomialContext& operator=(const PolynomialContext&) = delete;

  std::span<const std::string> variables() const noexcept { return variables_; }

 private:
  friend class Polynomial;
  struct Impl;
  std::vector<std::string> variables_;
  std::unique_ptr<Impl> impl_;
};

/// Sparse multivariate polynomial with exact rational coefficients (FLINT fmpq_mpoly). A regular value: copies are deep. There is
/// one representation of each, so that == is equality of functions.
/// Running out of memory throws std::bad_alloc instead of ending the process.
/// Mixing two contexts throws std::invalid_argument.
class Polynomial {
 public:
  using Context = std::shared_ptr<const PolynomialContext>;

  explicit Polynomial(Context);  ///< 0
  static Polynomial constant(Context, const exact::Rational&);
  /// The polynomial x_index. @throws std::out_of_range  if there are not so many variables.
  static Polynomial variable(Context, std::size_t index);

  Polynomial(const Polynomial&);
  Polynomial(Polynomial&&) noexcept;
  Polynomial& operator=(const Polynomial&);
  Polynomial& operator=(Polynomial&&) noexcept;
  ~Polynomial();

  const Context& context() const noexcept;
  bool is_zero() const;
  bool is_one() const;
  bool is_constant() const;
  std::size_t term_count() const;                  ///< 0 for the zero polynomial
  std::size_t degree(std::size_t variable) const;  ///< 0 for the zero polynomial
  std::vector<std::size_t> degrees() const;        ///< in every variable; quicker than one after the other
  bool depends_on(std::size_t variable) const;

  Polynomial& operator+=(const Polynomial&);
  Polynomial& operator-=(const Polynomial&);
  Polynomial& operator*=(const Polynomial&);
  Polynomial operator-() const;
  /// this += a·b, this −= a·b.
  void add_product(const Polynomial& a, const Polynomial& b);
  void subtract_product(const Polynomial& a, const Polynomial& b);
  /// x^0 = 1, 0^0 too.
  Polynomial power(std::uint64_t exponent) const;
  /// ∂/∂variable.
  Polynomial derivative(std::size_t variable) const;
  /// Greatest common divisor, monic in the term order. gcd(0, 0) = 0.
  friend Polynomial gcd(const Polynomial&, const Polynomial&);
  /// What two fractions need to be brought over one denominator.
  struct GcdCofactors;
  /// The gcd and what remains of a and b when divided by it.
  friend GcdCofactors gcd_cofactors(const Polynomial& a, const Polynomial& b);
  /// a / b when b divides a, else nothing. b ≠ 0.
  friend std::optional<Polynomial> exact_quotient(const Polynomial& a, const Polynomial& b);
  friend bool operator==(const Polynomial&, const Polynomial&);
  friend void settle_contents(Polynomial& numerator, Polynomial& denominator);

  /// The rational content, positive or negative so that the rest has coprime integer coefficients and a positive
  /// leading one. 0 for 0.
  exact::Rational content() const;
  /// this / content.
  Polynomial primitive() const;
  /// Whether it reads better with the other sign: m·s − k is as it should be, and so is 1 − G·H. What decides is the leading
  /// coefficient in the main variable where that is a number, else the lowest one where it contains a number, else the first
  /// term.
  bool reads_negative() const;
  /// The greatest product of powers that divides every term, coefficient 1; 0 for 0.
  Polynomial monomial_content() const;
  /// Parts of at most `terms` terms that add up to this: for long products that must stay interruptible.
  std::vector<Polynomial> pieces(std::size_t terms) const;
  /// Irreducible factors over ℚ with multiplicities, and the constant in front of them. Takes long where there are many letters
  /// and high degrees; it cannot be interrupted, so callers bound the number of terms first.
  struct Factorization;
  Factorization factor() const;

  /// Coefficients as polynomials free of `variable`, highest power first; {} for 0.
  std::vector<Polynomial> coefficients(std::size_t variable) const;
  /// The coefficients that are not zero, with their powers of `variable`, highest first.
  std::vector<std::pair<std::uint64_t, Polynomial>> sparse_coefficients(std::size_t variable) const;
  /// `variable` replaced by a polynomial of the same context, in which it may occur.
  Polynomial substituted(std::size_t variable, const Polynomial& value) const;

  /// One product: a coefficient and (variable, exponent) pairs with ascending variable.
  struct Term {
    exact::Rational coefficient;
    std::vector<std::pair<std::size_t, std::uint64_t>> powers;
  };
  /// Every term, in descending lexicographic order of the exponents.
  std::vector<Term> terms() const;
  /// The sum of the terms, in any order; equal products are added up.
  static Polynomial sum_of(Context, std::span<const Term>);
  /// Visits what terms() lists without building it: the coefficient and the exponents of all variables.
  void visit_terms(
      const std::function<void(const exact::Rational& coefficient, std::span<const std::uint64_t> exponents)>&) const;
  /// Value modulo a prime below 2^63; the denominators must not vanish modulo it (std::domain_error).
  std::uint64_t modulo(std::uint64_t prime, std::span<const std::uint64_t> values) const;

 private:
  struct Impl;
  explicit Polynomial(std::unique_ptr<Impl>);
  std::unique_ptr<Impl> impl_;
};

/// a = gcd·(this a), b = gcd·(this b).
struct Polynomial::GcdCofactors {
  Polynomial gcd, a, b;
};

Polynomial gcd(const Polynomial&, const Polynomial&);
Polynomial::GcdCofactors gcd_cofactors(const Polynomial& a, const Polynomial& b);
std::optional<Polynomial> exact_quotient(const Polynomial& a, const Polynomial& b);

/// Scales both by one rational number so that their coefficients become integers without a common divisor and the
/// denominator does not read negative. Throws std::domain_error when the denominator is 0.
void settle_contents(Polynomial& numerator, Polynomial& denominator);

/// The sum, added up in pairs of like size: adding n terms to a growing sum one by one would copy n²/2 of them.
Polynomial sum(Polynomial::Context, std::vector<Polynomial> terms);

/// constant · Π factor^multiplicity. Factors are primitive with a positive leading coefficient, in an order of their own that is
/// the same on every run. {0, {}} for 0.
struct Polynomial::Factorization {
  exact::Rational constant;
  std::vector<std::pair<Polynomial, std::uint64_t>> factors;
};

inline Polynomial operator+(Polynomial a, const Polynomial& b) { return a += b; }
inline Polynomial operator-(Polynomial a, const Polynomial& b) { return a -= b; }
inline Polynomial operator*(Polynomial a, const Polynomial& b) { return a *= b; }

/// The ring of these polynomials, for ddd::evaluate: the determinant multiplied out. The number of products is known beforehand
/// (CountRing), and whoever asks for more than the budget allows is refused before this ring is entered.
struct PolynomialRing {
  using Value = Polynomial;
  Polynomial::Context context;
  Value zero() const { return Polynomial(context); }
  Value one() const { return Polynomial::constant(context, 1); }
  Value add(const Value& a, const Value& b) const { return a + b; }
  Value multiply(const Value& a, const Value& b) const { return a * b; }
  Value negate(const Value& a) const { return -a; }
  void add_product(Value& sum, const Value& a, const Value& b) const { sum.add_product(a, b); }
  void subtract_product(Value& sum, const Value& a, const Value& b) const { sum.subtract_product(a, b); }
};

}  // namespace sfg::ring
