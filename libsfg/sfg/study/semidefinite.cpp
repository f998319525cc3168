#include "sfg/study/semidefinite.hpp"

#include "sfg/error.hpp"

namespace sfg {

namespace {

using exact::Rational;

constexpr std::size_t digits_shown = 6;  // digits

/// The matrix in the course of its elimination.
class Elimination {
 public:
  explicit Elimination(const Covariance& covariance)
      : stated_(covariance), n_(covariance.names.size()), rest_(covariance.matrix), L_(n_ * n_) {}

  SemidefiniteFactor run() {
    std::vector<std::size_t> pivots;
    std::vector<Rational> D;
    for (std::size_t k = 0; k < n_; ++k) {
      const Rational pivot = rest(k, k);
      L_[k * n_ + k] = 1;
      if (pivot.sign() < 0) refuse(k, k, {{k, Rational(1)}});
      if (pivot.is_zero()) {
        for (std::size_t i = k + 1; i < n_; ++i)
          if (!rest(i, k).is_zero()) refuse_coupled(i, k);
        continue;
      }
      for (std::size_t i = k + 1; i < n_; ++i) L_[i * n_ + k] = rest(i, k) / pivot;
      for (std::size_t i = k + 1; i < n_; ++i)
        for (std::size_t j = k + 1; j <= i; ++j) {
          rest(i, j) -= L_[i * n_ + k] * rest(j, k);
        }
      pivots.push_back(k);
      D.push_back(pivot);
    }
    SemidefiniteFactor result{n_, pivots.size(), {}, std::move(D)};
    for (std::size_t i = 0; i < n_; ++i)
      for (const std::size_t k : pivots) result.L.push_back(k <= i ? L_[i * n_ + k] : Rational());
    return result;
  }

 private:
  struct Share {
    std::size_t of;
    Rational weight;
  };
  Rational& rest(std::size_t i, std::size_t j) { return rest_[i * n_ + j]; }

  /// Nothing is left of k, and yet it goes with i: 2tr + s < 0 for the right t.
  [[noreturn]] void refuse_coupled(std::size_t i, std::size_t k) {
    const Rational r = rest(i, k), s = rest(i, i);
    const Rational t = s.sign() > 0 ? -s / r : Rational(-1) / r;
    refuse(i, k, {{k, t}, {i, Rational(1)}});
  }

  /// @param some  a combination of what is left after the pivots before, whose variance is negative
  [[noreturn]] void refuse(std::size_t row, std::size_t column, const std::vector<Share>& some) {
    std::vector<Rational> v(n_);
    for (const Share& share : some) v[share.of] = share.weight;
    for (std::size_t j = column; j-- > 0;)  // Lᵀ v = some; only columns of pivots below the diagonal are not 0
      for (std::size_t i = j + 1; i < n_; ++i) v[j] -= L_[i * n_ + j] * v[i];
    Rational variance;
    std::string combination;
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t j = 0; j < n_; ++j) variance += v[i] * v[j] * stated_.matrix[i * n_ + j];
      if (v[i].is_zero()) continue;
      const Rational size = v[i].abs();
      combination += combination.empty() ? (v[i].sign() < 0 ? "-" : "") : (v[i].sign() < 0 ? " - " : " + ");
      combination += (size == Rational(1) ? "" : exact::decimal(size, digits_shown) + "*") + stated_.names[i];
    }
    throw Error(stated_.where.empty() ? SourceSpan{} : stated_.where[row * n_ + column],
                "the covariance matrix is not positive semidefinite: the variance of " + combination + " would be " +
                    exact::decimal(variance, digits_shown),
                "state covariances that can be: |cov(a,b)| is at most the product of the standard deviations");
  }

  const Covariance& stated_;
  std::size_t n_;
  std::vector<Rational> rest_, L_;
};

}  // namespace

SemidefiniteFactor factor_of(const Covariance& covariance) { return Elimination(covariance).run(); }

}  // namespace sfg
