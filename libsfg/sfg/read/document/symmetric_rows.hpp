#pragma once
#include <ginac/ginac.h>

#include <cstddef>
#include <optional>
#include <utility>

// Not installed.
namespace sfg {

/// Makes rows symmetric whose entries on the two sides of the diagonal differ by no more than rounding: of numbers by 1e-12 of
/// the largest, of expressions by that factor. What stands above the diagonal is taken.
/// @returns the first place (row below column) where they differ by more
template <class Rows>
std::optional<std::pair<std::size_t, std::size_t>> settle_symmetry(Rows& rows) {
  static const GiNaC::numeric rounding(1, 1'000'000'000'000);
  GiNaC::numeric largest = 0;
  for (const auto& row : rows)
    for (const GiNaC::ex& entry : row)
      if (GiNaC::is_a<GiNaC::numeric>(entry) && GiNaC::abs(GiNaC::ex_to<GiNaC::numeric>(entry)) > largest)
        largest = GiNaC::abs(GiNaC::ex_to<GiNaC::numeric>(entry));
  const auto is_at_most = [](const GiNaC::ex& size, const GiNaC::numeric& bound) {
    return GiNaC::is_a<GiNaC::numeric>(size) && GiNaC::ex_to<GiNaC::numeric>(size).is_real() &&
           GiNaC::abs(GiNaC::ex_to<GiNaC::numeric>(size)) <= bound;
  };
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const GiNaC::ex &above = rows[j][i], apart = (rows[i][j] - above).expand();
      if (!apart.is_zero() && !is_at_most(apart, rounding * largest) &&
          (above.is_zero() || !is_at_most((apart / above).normal(), rounding)))
        return std::pair(i, j);
      rows[i][j] = above;
    }
  return std::nullopt;
}

}  // namespace sfg
