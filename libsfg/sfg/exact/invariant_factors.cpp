// Idea: a minor of the size of the rank, from an elimination without fractions, holds every factor of the invariant ones. At
// each of them the matrix is eliminated modulo a power of it, where what it does not divide has an inverse: the entries stay as
// short as that power, where an elimination over all polynomials makes them ever longer.
#include "sfg/exact/invariant_factors.hpp"

#include <flint/nmod_poly_mat.h>
#include <flint/ulong_extras.h>

#include <algorithm>
#include <optional>
#include <random>
#include <stdexcept>
#include <utility>

#include "sfg/exact/flint.hpp"

namespace sfg::exact {

namespace {

template <class Polynomial>
using Power = std::pair<Polynomial, std::size_t>;

RationalPolynomial one_of(const RationalPolynomial* /*kind*/) { return RationalPolynomial::constant(1); }
ExactPolynomial one_of(const ExactPolynomial* /*kind*/) { return ExactPolynomial({ExactNumber(1)}); }

std::vector<Power<RationalPolynomial>> coprime_factors(const RationalPolynomial& p) { return p.factors(); }
std::vector<Power<ExactPolynomial>> coprime_factors(const ExactPolynomial& p) { return p.square_free_factors(); }

RationalPolynomial inverse(const RationalPolynomial& a, const RationalPolynomial& modulus) { return a.inverse_modulo(modulus); }

ExactPolynomial inverse(const ExactPolynomial& a, const ExactPolynomial& modulus) {
  ExactPolynomial high = modulus, low = divided(a, modulus).second, of_high, of_low = one_of(&a);
  while (low.degree() > 0) {
    auto [quotient, rest] = divided(high, low);
    high = std::exchange(low, std::move(rest));
    of_high = std::exchange(of_low, of_high - quotient * of_low);
  }
  if (low.is_zero()) throw std::domain_error("inverse: a common factor");
  return of_low * ExactPolynomial({ExactNumber(1) / low.leading()});
}

template <class Polynomial>
class SmithForm {
 public:
  using Matrix = PolynomialMatrix<Polynomial>;

  SmithForm(const Matrix& matrix, const std::function<void()>& checkpoint) : matrix_(matrix), checkpoint_(checkpoint) {}

  std::vector<Polynomial> operator()() {
    const auto [rank, minor] = greatest_minor();
    std::vector<Polynomial> factors(rank, one());
    if (rank == 0) return factors;
    std::vector<Power<Polynomial>> open = coprime_factors(minor);
    while (!open.empty()) {
      const Power<Polynomial> at = std::move(open.back());
      open.pop_back();
      if (const auto part = eliminated(at, rank, factors))
        for (const Polynomial& factor : {*part, divided(at.first, *part).first}) open.emplace_back(factor.monic(), at.second);
    }
    return factors;
  }

 private:
  static Polynomial one() { return one_of(static_cast<const Polynomial*>(nullptr)); }

  /// The rank, and a minor of that size which is not 0 (Bareiss 1968): every entry is a minor, and what remains in the end is 0.
  std::pair<std::size_t, Polynomial> greatest_minor() const {
    Matrix m = matrix_;
    Polynomial before = one();
    const std::size_t rows = m.size(), columns = rows == 0 ? 0 : m.front().size();
    for (std::size_t k = 0;; ++k) {
      std::optional<std::pair<std::size_t, std::size_t>> pivot;
      for (std::size_t i = k; i < rows; ++i)
        for (std::size_t j = k; j < columns; ++j)
          if (!m[i][j].is_zero() && (!pivot || m[i][j].degree() < m[pivot->first][pivot->second].degree())) pivot = {i, j};
      if (!pivot) return {k, before};
      bring(m, *pivot, k);
      for (std::size_t i = k + 1; i < rows; ++i)
        for (std::size_t j = k + 1; j < columns; ++j) {
          checkpoint_();
          m[i][j] = divided(m[k][k] * m[i][j] - m[i][k] * m[k][j], before).first;
        }
      before = m[k][k];
    }
  }

  static void bring(Matrix& m, std::pair<std::size_t, std::size_t> entry, std::size_t k) {
    std::swap(m[k], m[entry.first]);
    for (auto& row : m) std::swap(row[k], row[entry.second]);
  }

  struct Pivot {
    std::size_t row, column;
    std::size_t power;  ///< of the factor in the entry
    Polynomial unit;    ///< what is left without it
    bool coprime;       ///< the factor has nothing in common with that
  };

  /// The entry with the lowest power of f.
  std::optional<Pivot> pivot(const Matrix& m, const Polynomial& f, std::size_t k) const {
    std::optional<Pivot> best;
    for (std::size_t i = k; i < m.size(); ++i)
      for (std::size_t j = k; j < m[i].size(); ++j) {
        if (m[i][j].is_zero()) continue;
        Pivot found{i, j, 0, m[i][j], false};
        for (auto [quotient, rest] = divided(found.unit, f); rest.is_zero(); std::tie(quotient, rest) = divided(found.unit, f)) {
          found.unit = std::move(quotient);
          ++found.power;
        }
        if (best && (found.power > best->power || (found.power == best->power && best->coprime))) continue;
        found.coprime = gcd(found.unit, f).degree() < 1;
        if (!best || found.power < best->power || found.coprime) best = std::move(found);
      }
    return best;
  }

  /// Multiplies the powers of a factor to the invariant ones. @returns a part of the factor, where its parts have to be looked at
  /// one by one
  std::optional<Polynomial> eliminated(const Power<Polynomial>& at, std::size_t rank, std::vector<Polynomial>& factors) const {
    const Polynomial& f = at.first;
    Polynomial modulus = f;
    for (std::size_t i = 0; i < at.second; ++i) modulus = modulus * f;
    Matrix m = matrix_;
    for (auto& row : m)
      for (Polynomial& entry : row) entry = divided(entry, modulus).second;
    std::vector<std::size_t> powers;
    for (std::size_t k = 0; k < rank; ++k) {
      const auto found = pivot(m, f, k);
      if (!found) throw std::logic_error("invariant factors: a minor has fewer factors than it should");
      if (!found->coprime) return gcd(found->unit, f);
      powers.push_back(found->power);
      bring(m, {found->row, found->column}, k);
      clear(m, f, modulus, *found, k);
    }
    for (std::size_t k = 0; k < rank; ++k)
      for (std::size_t i = 0; i < powers[k]; ++i) factors[k] = factors[k] * f;
    return {};
  }

  void clear(Matrix& m, const Polynomial& f, const Polynomial& modulus, const Pivot& pivot, std::size_t k) const {
    Polynomial power = one();
    for (std::size_t i = 0; i < pivot.power; ++i) power = power * f;
    const Polynomial of_unit = inverse(pivot.unit, modulus);
    for (std::size_t i = k + 1; i < m.size(); ++i) {
      if (m[i][k].is_zero()) continue;
      checkpoint_();
      const Polynomial by = divided(divided(m[i][k], power).first * of_unit, modulus).second;
      for (std::size_t j = k; j < m[i].size(); ++j) m[i][j] = divided(m[i][j] - by * m[k][j], modulus).second;
    }
  }

  const Matrix& matrix_;
  const std::function<void()>& checkpoint_;
};

/// Polynomials modulo a prime.
class ResidueMatrix {
 public:
  ResidueMatrix(std::size_t rows, std::size_t columns, mp_limb_t prime) {
    nmod_poly_mat_init(entries_, static_cast<slong>(rows), static_cast<slong>(columns), prime);
  }
  ResidueMatrix(const ResidueMatrix&) = delete;
  ResidueMatrix& operator=(const ResidueMatrix&) = delete;
  ~ResidueMatrix() { nmod_poly_mat_clear(entries_); }
  nmod_poly_struct* at(std::size_t i, std::size_t j) {
    return nmod_poly_mat_entry(entries_, static_cast<slong>(i), static_cast<slong>(j));
  }
  nmod_poly_mat_struct* get() { return entries_; }

 private:
  nmod_poly_mat_t entries_;
};

/// False where the prime divides a denominator.
bool reduce(nmod_poly_struct* residue, const RationalPolynomial& p) {
  const mp_limb_t prime = residue->mod.n;
  nmod_poly_zero(residue);
  for (long power = p.degree(); power >= 0; --power) {
    const Rational c = p.coefficient(static_cast<std::size_t>(power));
    const mp_limb_t below = fmpz_fdiv_ui(fmpq_denref(raw(c)), prime), above = fmpz_fdiv_ui(fmpq_numref(raw(c)), prime);
    if (below == 0) return false;
    nmod_poly_set_coeff_ui(residue, power, n_mulmod2_preinv(above, n_invmod(below, prime), prime, residue->mod.ninv));
  }
  return true;
}

/// Greatest common divisors of minors modulo one prime.
class DivisorsModulo {
 public:
  DivisorsModulo(const PolynomialMatrix<RationalPolynomial>& matrix, mp_limb_t prime, std::mt19937_64& random)
      : rows_(matrix.size()), columns_(matrix.front().size()), prime_(prime), random_(random), matrix_(rows_, columns_, prime) {
    for (std::size_t i = 0; i < rows_; ++i)
      for (std::size_t j = 0; j < columns_; ++j) defined_ = reduce(matrix_.at(i, j), matrix[i][j]) && defined_;
  }

  /// Nothing where the prime does not tell.
  std::optional<bool> agree(const std::vector<RationalPolynomial>& factors, const std::function<void()>& checkpoint) {
    if (!defined_) return {};
    ResidueMatrix work(1, 4, prime_);
    nmod_poly_struct *product = work.at(0, 0), *factor = work.at(0, 1), *first = work.at(0, 2), *second = work.at(0, 3);
    nmod_poly_one(product);
    for (std::size_t k = 1; k <= std::min(rows_, columns_); ++k) {
      checkpoint();
      minors(first, k);
      if (k > factors.size()) return nmod_poly_is_zero(first) != 0;
      if (!reduce(factor, factors[k - 1])) return {};
      nmod_poly_mul(product, product, factor);
      minors(second, k);
      nmod_poly_gcd(first, first, second);
      if (nmod_poly_equal(first, product) == 0) return false;
    }
    return true;
  }

 private:
  /// The determinant of A · matrix · B with random constants: a random sum of all minors of the size.
  void minors(nmod_poly_struct* sum, std::size_t size) {
    ResidueMatrix left(size, rows_, prime_), right(columns_, size, prime_), half(size, columns_, prime_),
        whole(size, size, prime_);
    fill(left, size, rows_);
    fill(right, columns_, size);
    nmod_poly_mat_mul(half.get(), left.get(), matrix_.get());
    nmod_poly_mat_mul(whole.get(), half.get(), right.get());
    nmod_poly_mat_det(sum, whole.get());
  }

  void fill(ResidueMatrix& matrix, std::size_t rows, std::size_t columns) {
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < columns; ++j) nmod_poly_set_coeff_ui(matrix.at(i, j), 0, random_() % prime_);
  }

  std::size_t rows_, columns_;
  mp_limb_t prime_;
  std::mt19937_64& random_;
  ResidueMatrix matrix_;
  bool defined_ = true;
};

}  // namespace

std::vector<RationalPolynomial> invariant_factors(const PolynomialMatrix<RationalPolynomial>& matrix,
                                                  const std::function<void()>& checkpoint) {
  return SmithForm<RationalPolynomial>(matrix, checkpoint)();
}

std::vector<ExactPolynomial> invariant_factors(const PolynomialMatrix<ExactPolynomial>& matrix,
                                               const std::function<void()>& checkpoint) {
  return SmithForm<ExactPolynomial>(matrix, checkpoint)();
}

bool have_common_divisors(const PolynomialMatrix<RationalPolynomial>& matrix, const std::vector<RationalPolynomial>& factors,
                          const std::function<void()>& checkpoint) {
  constexpr std::size_t primes = 5;  // one may divide what the polynomials differ by
  if (matrix.empty() || matrix.front().empty()) return factors.empty();
  std::mt19937_64 random(matrix.size());
  for (std::size_t i = 0; i < primes; ++i) {
    const mp_limb_t prime = n_nextprime((mp_limb_t{1} << 60U) + random() % (mp_limb_t{1} << 60U), 0);
    if (DivisorsModulo(matrix, prime, random).agree(factors, checkpoint).value_or(false)) return true;
  }
  return false;
}

}  // namespace sfg::exact
