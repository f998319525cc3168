#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sfg/study/variation.hpp"

namespace sfg {

/// How points are spread over the unit cube.
enum class Sampling {
  random,           ///< independent
  latin_hypercube,  ///< one in each of N slices, in every direction (McKay, Beckman and Conover 1979)
  sobol,            ///< Sobol's sequence, scrambled by the seed
};
const char* to_string(Sampling);  ///< "random", "lhs", "sobol"
std::optional<Sampling> sampling_named(std::string_view);

/// Philox 4x32 with ten rounds (Salmon, Moraes, Dror and Shaw 2011): 128 random bits for each counter and key.
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);

/// A sequence of points in the unit cube with random access: the k-th depends on seed, k and, of a Latin hypercube, on the
/// number of points. Immutable: any number of threads may draw.
class UnitPoints {
 public:
  /// @throws sfg::Error for more dimensions than Sobol's sequence has.
  UnitPoints(std::size_t dimensions, Sampling, std::uint64_t seed, std::uint64_t points);
  std::size_t dimensions() const noexcept { return dimensions_; }
  /// Points first … first + count − 1, the first coordinate of all, then the second …; inside of the cube, never on its border.
  void draw(std::uint64_t first, std::size_t count, std::span<double> coordinates) const;

 private:
  void random(std::uint64_t first, std::size_t count, std::span<double> coordinates) const;
  void latin(std::uint64_t first, std::size_t count, std::span<double> coordinates) const;
  void sobol(std::uint64_t first, std::size_t count, std::span<double> coordinates) const;

  std::size_t dimensions_;
  Sampling sampling_;
  std::uint64_t seed_;
  std::uint64_t points_;
  std::vector<std::uint64_t> directions_;  ///< of Sobol's sequence, scrambled: 64 a dimension
  std::vector<std::uint64_t> shift_;
};

/// Points of the unit cube as values of parameters, by the distribution of each and by a Gaussian copula.
/// @param coordinates  replaced by the values, in the same order
void to_values(const Variation&, std::size_t count, std::span<double> coordinates);

}  // namespace sfg
