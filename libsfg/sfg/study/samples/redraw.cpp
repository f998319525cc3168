#include "sfg/study/samples/redraw.hpp"

#include <algorithm>

namespace sfg {

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

}  // namespace sfg
