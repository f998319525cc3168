// Random access is what makes a study the same for every number of threads and ranks: Philox is a function of a counter, the
// slices of a Latin hypercube are a keyed permutation (a Feistel network that walks in circles until it is below N), and Sobol's
// points are sums modulo 2 of direction numbers, which a random triangular matrix and a shift scramble (Matoušek 1998), so that
// every seed gives a net with the same strata.
#include "sfg/study/samples/monte_carlo.hpp"

#include <bit>
#include <boost/random/sobol.hpp>
#include <cmath>
#include <stdexcept>

#include "sfg/error.hpp"

namespace sfg {

const char* to_string(Sampling sampling) {
  switch (sampling) {
    case Sampling::random: return "random";
    case Sampling::latin_hypercube: return "lhs";
    case Sampling::sobol: return "sobol";
  }
  return "";
}

std::optional<Sampling> sampling_named(std::string_view name) {
  for (const Sampling known : {Sampling::random, Sampling::latin_hypercube, Sampling::sobol})
    if (name == to_string(known)) return known;
  return {};
}

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> x, std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53} * x[0], b = std::uint64_t{0xCD9E8D57} * x[2];
    x = {static_cast<std::uint32_t>(b >> 32) ^ x[1] ^ key[0], static_cast<std::uint32_t>(b),
         static_cast<std::uint32_t>(a >> 32) ^ x[3] ^ key[1], static_cast<std::uint32_t>(a)};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return x;
}

namespace {

/// What random bits are for, so that no two purposes share them.
enum class Purpose : std::uint32_t { coordinate, slice, position, matrix, shift };

/// Two words of 64 random bits.
std::array<std::uint64_t, 2> bits(std::uint64_t seed, std::uint64_t counter, std::size_t which, Purpose purpose) {
  const auto low = [](std::uint64_t word) { return static_cast<std::uint32_t>(word); };
  const auto x =
      philox({low(counter), low(counter >> 32), static_cast<std::uint32_t>(which), static_cast<std::uint32_t>(purpose)},
             {low(seed), low(seed >> 32)});
  return {x[0] | std::uint64_t{x[1]} << 32, x[2] | std::uint64_t{x[3]} << 32};
}

/// The middle of one of 2^52 equal intervals: neither 0 nor 1.
double unit(std::uint64_t word) { return (static_cast<double>(word >> 12) + 0.5) * 0x1p-52; }

/// A permutation of 0 … points − 1.
class Permutation {
 public:
  Permutation(std::uint64_t seed, std::size_t which, std::uint64_t points) : points_(points) {
    half_ = static_cast<unsigned>(std::bit_width(points - 1) + 1) / 2;
    if (half_ == 0) half_ = 1;
    for (std::size_t k = 0; k < keys_.size(); k += 2) {
      const auto word = bits(seed, k, which, Purpose::slice);
      keys_[k] = word[0];
      keys_[k + 1] = word[1];
    }
  }

  std::uint64_t operator()(std::uint64_t k) const {
    do k = once(k);
    while (k >= points_);
    return k;
  }

 private:
  std::uint64_t once(std::uint64_t k) const {
    const std::uint64_t mask = (std::uint64_t{1} << half_) - 1;
    std::uint64_t left = k >> half_, right = k & mask;
    for (const std::uint64_t key : keys_) {
      std::uint64_t mixed = (right ^ key) * 0xFF51AFD7ED558CCD;
      mixed = (mixed ^ mixed >> 32) * 0xC4CEB9FE1A85EC53;
      const std::uint64_t next = left ^ (mixed >> 29 & mask);
      left = right;
      right = next;
    }
    return left << half_ | right;
  }

  std::uint64_t points_;
  unsigned half_;
  std::array<std::uint64_t, 10> keys_{};
};

constexpr std::size_t digits = 64;

/// Direction numbers of Sobol's sequence, first digit in the highest bit: those of Joe and Kuo (2008), read off the points of
/// Boost's generator, whose 2^j-th point is the sum modulo 2 of directions j and j − 1.
std::vector<std::uint64_t> directions(std::size_t dimensions) {
  std::vector<std::uint64_t> result(dimensions * digits);
  boost::random::sobol points(dimensions);
  for (std::size_t j = 0; j < digits - 1; ++j) {
    points.seed((std::uint64_t{1} << j) - 1);
    for (std::size_t d = 0; d < dimensions; ++d) result[d * digits + j] = points() ^ (j > 0 ? result[d * digits + j - 1] : 0);
  }
  return result;
}

/// Digit i of the result is digit i of the word and a random sum of the digits before it.
std::uint64_t scrambled(std::uint64_t word, std::span<const std::uint64_t> rows) {
  std::uint64_t result = 0;
  for (std::size_t i = 0; i < digits; ++i)
    result |= static_cast<std::uint64_t>(std::popcount(word & rows[i]) & 1) << (digits - 1 - i);
  return result;
}

std::vector<std::uint64_t> matrix(std::uint64_t seed, std::size_t dimension) {
  std::vector<std::uint64_t> rows(digits);
  for (std::size_t i = 0; i < digits; ++i) {
    const std::uint64_t own = std::uint64_t{1} << (digits - 1 - i), before = i == 0 ? 0 : ~std::uint64_t{0} << (digits - i);
    rows[i] = own | (bits(seed, i, dimension, Purpose::matrix)[0] & before);
  }
  return rows;
}

}  // namespace

UnitPoints::UnitPoints(std::size_t dimensions, Sampling sampling, std::uint64_t seed, std::uint64_t points)
    : dimensions_(dimensions), sampling_(sampling), seed_(seed), points_(points) {
  if (sampling != Sampling::sobol || dimensions == 0) return;
  constexpr std::size_t most = 3667;  // of the table
  if (dimensions > most)
    throw Error({}, "Sobol's sequence has 3667 dimensions, and " + std::to_string(dimensions) + " parameters vary",
                "choose random samples, or a Latin hypercube");
  directions_ = directions(dimensions);
  for (std::size_t d = 0; d < dimensions; ++d) {
    const std::vector<std::uint64_t> rows = matrix(seed, d);
    for (std::size_t j = 0; j < digits; ++j) directions_[d * digits + j] = scrambled(directions_[d * digits + j], rows);
    shift_.push_back(bits(seed, 0, d, Purpose::shift)[0]);
  }
}

void UnitPoints::draw(std::uint64_t first, std::size_t count, std::span<double> coordinates) const {
  if (coordinates.size() != count * dimensions_)
    throw std::invalid_argument("UnitPoints::draw: one number a point and dimension");
  switch (sampling_) {
    case Sampling::random: return random(first, count, coordinates);
    case Sampling::latin_hypercube: return latin(first, count, coordinates);
    case Sampling::sobol: return sobol(first, count, coordinates);
  }
}

void UnitPoints::random(std::uint64_t first, std::size_t count, std::span<double> coordinates) const {
  for (std::size_t d = 0; d < dimensions_; d += 2)
    for (std::size_t i = 0; i < count; ++i) {
      const auto word = bits(seed_, first + i, d / 2, Purpose::coordinate);
      coordinates[d * count + i] = unit(word[0]);
      if (d + 1 < dimensions_) coordinates[(d + 1) * count + i] = unit(word[1]);
    }
}

void UnitPoints::latin(std::uint64_t first, std::size_t count, std::span<double> coordinates) const {
  const double below_one = std::nextafter(1.0, 0.0), points = static_cast<double>(points_);
  for (std::size_t d = 0; d < dimensions_; ++d) {
    const Permutation slice(seed_, d, points_);
    for (std::size_t i = 0; i < count; ++i) {
      const double within = unit(bits(seed_, first + i, d / 2, Purpose::position)[d % 2]);
      coordinates[d * count + i] = std::min(below_one, (static_cast<double>(slice(first + i)) + within) / points);
    }
  }
}

void UnitPoints::sobol(std::uint64_t first, std::size_t count, std::span<double> coordinates) const {
  for (std::size_t d = 0; d < dimensions_; ++d) {
    const std::span<const std::uint64_t> direction = std::span(directions_).subspan(d * digits, digits);
    std::uint64_t point = shift_[d];
    for (std::uint64_t gray = first ^ first >> 1; gray != 0; gray &= gray - 1)
      point ^= direction[static_cast<std::size_t>(std::countr_zero(gray))];
    for (std::size_t i = 0; i < count; ++i) {
      coordinates[d * count + i] = unit(point);
      point ^= direction[static_cast<std::size_t>(std::countr_zero(first + i + 1))];
    }
  }
}

namespace {

/// The normal variables behind all parameters, correlated: z := L z at every point.
void correlate(const Variation& variation, std::size_t count, std::span<double> z) {
  const std::size_t n = variation.parameters.size();
  for (std::size_t row = n; row-- > 0;)
    for (std::size_t i = 0; i < count; ++i) {
      double sum = 0;
      for (std::size_t column = 0; column <= row; ++column) sum += variation.cholesky[row * n + column] * z[column * count + i];
      z[row * count + i] = sum;
    }
}

}  // namespace

void to_values(const Variation& variation, std::size_t count, std::span<double> coordinates) {
  const std::size_t n = variation.parameters.size();
  if (coordinates.size() != n * count) throw std::invalid_argument("to_values: one number a point and parameter");
  if (variation.correlated()) {
    for (double& u : coordinates) u = normal_quantile(u);
    correlate(variation, count, coordinates);
  }
  for (std::size_t k = 0; k < n; ++k) {
    const VaryingParameter& parameter = variation.parameters[k];
    for (double& x : coordinates.subspan(k * count, count))
      x = variation.correlated() ? parameter.of_normal(x) : parameter.quantile(x);
  }
}

}  // namespace sfg
