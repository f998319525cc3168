// Shapley effects by one loop: with c(u) = E Var(y | x without u) = ½ E (y − y_u)², where y_u has the parameters u drawn anew
// given all others, φ_i is the mean over orders of c(u + i) − c(u) = E (y − ½(y_u + y_ui)) (y_u − y_ui) (Goda 2021, here with
// conditional draws). Along one order these differences telescope to c(all), so that the effects add up to the variance.
#include "sfg/study/samples/sobol_scheme.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "sfg/study/samples/monte_carlo.hpp"

namespace sfg {

std::mt19937_64 generator(std::uint64_t seed, std::uint64_t k) {
  std::uint64_t z = seed * 0x9E3779B97F4A7C15U + k + 1;
  z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
  return std::mt19937_64(z ^ (z >> 31U));
}

namespace {

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

Redraw::Redraw(std::span<const double> cholesky, std::size_t n) : n_(n), swept_(n * n), kept_(n) {
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k <= std::min(i, j); ++k) swept_[i * n + j] += cholesky[i * n + k] * cholesky[j * n + k];
}

void Redraw::keep(std::size_t variable) {
  constexpr double determined = 1e-10;  // of the variance 1 that is left
  kept_[variable] = 1;
  const auto at = [&](std::size_t i, std::size_t j) -> double& { return swept_[i * n_ + j]; };
  const double pivot = at(variable, variable);
  if (pivot <= determined) return;
  base_.push_back(variable);
  for (std::size_t j = 0; j < n_; ++j)
    if (j != variable) at(variable, j) /= pivot;
  for (std::size_t i = 0; i < n_; ++i) {
    const double share = at(i, variable);
    if (i == variable || share == 0) continue;
    for (std::size_t j = 0; j < n_; ++j)
      if (j != variable) at(i, j) -= share * at(variable, j);
  }
  for (std::size_t i = 0; i < n_; ++i)
    if (i != variable) at(i, variable) /= pivot;
  at(variable, variable) = -1 / pivot;
}

void Redraw::draw(std::span<const double> z, std::span<const double> w, std::span<double> drawn) const {
  for (std::size_t i = 0; i < n_; ++i) {
    drawn[i] = kept_[i] != 0 ? z[i] : w[i];
    if (kept_[i] != 0) continue;
    for (const std::size_t k : base_) drawn[i] += swept_[i * n_ + k] * (z[k] - w[k]);
  }
}

class IndependentScheme : public SobolScheme {
 public:
  explicit IndependentScheme(const Variation& variation) : variation_(variation), d_(variation.parameters.size()) {}
  std::size_t points() const override { return d_ + 2; }

  void fill(std::uint64_t, std::span<const double> u, std::span<double> values) const override {
    for (std::size_t i = 0; i < d_; ++i) {
      const double a = variation_.parameters[i].quantile(u[i]), b = variation_.parameters[i].quantile(u[d_ + i]);
      values[i] = a;
      values[d_ + i] = b;
      for (std::size_t mixed = 0; mixed < d_; ++mixed) values[(2 + mixed) * d_ + i] = mixed == i ? b : a;
    }
  }

  void add(SobolSums& sums, std::uint64_t, std::span<const double> found) const override {
    const double a = found[0], b = found[1];
    for (std::size_t i = 0; i < d_; ++i) {
      const double mixed = found[2 + i];
      sums.first[i] += (b - mixed) * (b - mixed);
      sums.total[i] += (a - mixed) * (a - mixed);
    }
  }

 private:
  const Variation& variation_;
  std::size_t d_;
};

class CorrelatedScheme : public SobolScheme {
 public:
  CorrelatedScheme(const Variation& variation, std::uint64_t seed)
      : variation_(variation), seed_(seed), d_(variation.parameters.size()), none_(variation.cholesky, d_) {
    for (std::size_t i = 0; i < d_; ++i) {
      alone_.push_back(none_);
      alone_.back().keep(i);
      others_.push_back(none_);
      for (std::size_t k = 0; k < d_; ++k)
        if (k != i) others_.back().keep(k);
    }
  }
  std::size_t points() const override { return 2 + 2 * d_ + steps_between(); }

  void fill(std::uint64_t sample, std::span<const double> u, std::span<double> values) const override {
    std::vector<double> z(d_), w(d_);
    for (std::size_t i = 0; i < d_; ++i)
      for (std::size_t k = 0; k <= i; ++k) {
        z[i] += variation_.cholesky[i * d_ + k] * normal_quantile(u[k]);
        w[i] += variation_.cholesky[i * d_ + k] * normal_quantile(u[d_ + k]);
      }
    const auto row = [&](std::size_t point) { return values.subspan(point * d_, d_); };
    std::ranges::copy(z, row(0).begin());
    std::ranges::copy(w, row(1).begin());
    for (std::size_t i = 0; i < d_; ++i) {
      others_[i].draw(z, w, row(2 + i));
      alone_[i].draw(z, w, row(2 + d_ + i));
    }
    if (steps_between() > 0) {
      const std::vector<std::size_t> order = order_of(sample);
      Redraw kept = alone_[order[d_ - 1]];
      for (std::size_t drawn = d_ - 2; drawn >= 2; --drawn) {
        kept.keep(order[drawn]);
        kept.draw(z, w, row(between(drawn)));
      }
    }
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = variation_.parameters[k % d_].of_normal(values[k]);
  }

  void add(SobolSums& sums, std::uint64_t sample, std::span<const double> found) const override {
    const double y = found[0];
    for (std::size_t i = 0; i < d_; ++i) {
      sums.total[i] += (y - found[2 + i]) * (y - found[2 + i]);
      sums.first[i] += (y - found[2 + d_ + i]) * (y - found[2 + d_ + i]);
    }
    if (d_ > most_of_all_orders) return add_order(sums, order_of(sample), 1, found);
    std::vector<std::size_t> order(d_);
    std::iota(order.begin(), order.end(), 0U);
    const double share = d_ == 3 ? 1.0 / 6 : d_ == 2 ? 1.0 / 2 : 1;
    do add_order(sums, order, share, found);
    while (std::ranges::next_permutation(order).found);
  }

 private:
  /// Of so few parameters every order has its points among those of the indices.
  static constexpr std::size_t most_of_all_orders = 3;

  void add_order(SobolSums& sums, std::span<const std::size_t> order, double share, std::span<const double> found) const {
    const double y = found[0];
    const auto with_drawn = [&](std::size_t drawn) {
      if (drawn == 0) return y;
      if (drawn == d_) return found[1];
      if (drawn == 1) return found[2 + order[0]];
      return drawn == d_ - 1 ? found[2 + d_ + order[d_ - 1]] : found[between(drawn)];
    };
    for (std::size_t k = 0; k < d_; ++k) {
      const double before = with_drawn(k), after = with_drawn(k + 1);
      sums.shapley[order[k]] += share * (y - (before + after) / 2) * (before - after);
    }
  }

  /// Of an order those steps after which neither one alone is kept nor one alone drawn anew.
  std::size_t steps_between() const { return d_ > 3 ? d_ - 3 : 0; }
  std::size_t between(std::size_t drawn) const { return 2 * d_ + drawn; }

  std::vector<std::size_t> order_of(std::uint64_t sample) const {
    constexpr std::uint64_t of_orders = 0x5348'4150'0000'0000;  // apart from the other generators of the seed
    std::mt19937_64 random = generator(seed_, of_orders + sample);
    std::vector<std::size_t> order(d_);
    std::iota(order.begin(), order.end(), 0U);
    for (std::size_t i = d_; i > 1; --i) std::swap(order[i - 1], order[below(random, i)]);
    return order;
  }

  const Variation& variation_;
  std::uint64_t seed_;
  std::size_t d_;
  Redraw none_;
  std::vector<Redraw> alone_, others_;  ///< one kept; one drawn anew
};

}  // namespace

std::unique_ptr<SobolScheme> scheme_of(const Variation& variation, std::uint64_t seed) {
  if (variation.correlated()) return std::make_unique<CorrelatedScheme>(variation, seed);
  return std::make_unique<IndependentScheme>(variation);
}

}  // namespace sfg
