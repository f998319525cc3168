#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sfg::ring {

/// The variables of a family of polynomials, in their order: the first is the main one. Immutable, shared.
/// One context must stay on one thread at a time (FLINT keeps scratch space in it).
class PolynomialContext {
 public:
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

/// Sparse multivariate polynomial with exact rational coefficients (FLINT fmpq_mpoly). A regular value: copies are deep.
/// Running out of memory throws std::bad_alloc instead of ending the process.
/// Mixing two contexts throws std::invalid_argument.
class Polynomial {
 public:
  using Context = std::shared_ptr<const PolynomialContext>;

  explicit Polynomial(Context);                                ///< 0
  static Polynomial constant(Context, const std::string& rational);   ///< "p/q" or "p"
  static Polynomial constant(Context, long);
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
  std::size_t term_count() const;
  std::size_t degree(std::size_t variable) const;              ///< 0 for the zero polynomial
  bool depends_on(std::size_t variable) const;

  Polynomial& operator+=(const Polynomial&);
  Polynomial& operator-=(const Polynomial&);
  Polynomial& operator*=(const Polynomial&);
  Polynomial operator-() const;
  Polynomial power(std::uint64_t exponent) const;
  Polynomial derivative(std::size_t variable) const;
  /// Greatest common divisor, monic in the term order. gcd(0, 0) = 0.
  friend Polynomial gcd(const Polynomial&, const Polynomial&);
  /// a / b when b divides a, else nothing. b ≠ 0.
  friend std::optional<Polynomial> exact_quotient(const Polynomial& a, const Polynomial& b);
  friend bool operator==(const Polynomial&, const Polynomial&);

  /// The rational content, positive or negative so that the rest has coprime integer coefficients and a positive
  /// leading one; "p/q". "0" for 0.
  std::string content() const;
  /// this / content.
  Polynomial primitive() const;
  /// Irreducible factors with multiplicities, and the constant in front of them.
  struct Factorization;
  Factorization factor() const;

  /// Coefficients as polynomials free of `variable`, highest power first; {} for 0.
  std::vector<Polynomial> coefficients(std::size_t variable) const;
  /// Value of `variable` replaced by a polynomial of the same context.
  Polynomial substituted(std::size_t variable, const Polynomial& value) const;

  /// One product: coefficient "p/q" and (variable, exponent) pairs with ascending variable.
  struct Term {
    std::string coefficient;
    std::vector<std::pair<std::size_t, std::uint64_t>> powers;
  };
  /// Visits every term, in descending lexicographic order of the exponents.
  std::vector<Term> terms() const;
  /// Value modulo a prime below 2^63; the denominators must not vanish modulo it (std::domain_error).
  std::uint64_t modulo(std::uint64_t prime, std::span<const std::uint64_t> values) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

struct Polynomial::Factorization {
  std::string constant;  ///< "p/q"
  std::vector<std::pair<Polynomial, std::uint64_t>> factors;
};

inline Polynomial operator+(Polynomial a, const Polynomial& b) { return a += b; }
inline Polynomial operator-(Polynomial a, const Polynomial& b) { return a -= b; }
inline Polynomial operator*(Polynomial a, const Polynomial& b) { return a *= b; }

/// The ring of these polynomials, for ddd::evaluate.
struct PolynomialRing {
  using Value = Polynomial;
  Polynomial::Context context;
  Value zero() const { return Polynomial(context); }
  Value one() const { return Polynomial::constant(context, 1); }
  Value add(const Value& a, const Value& b) const { return a + b; }
  Value multiply(const Value& a, const Value& b) const { return a * b; }
  Value negate(const Value& a) const { return -a; }
};

}  // namespace sfg::ring
