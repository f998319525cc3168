#pragma once
#include <cstdint>
#include <stdexcept>

namespace sfg::ring {

/// ℤ/p for a prime p < 2^63. Values are 0 … p − 1. Every symbolic answer is verified here: at random values of its symbols
/// modulo p a wrong fraction of degree d agrees with the right one by a chance of at most d/p (Schwartz 1980, Zippel 1979), and
/// nothing is ever rounded.
class ModularRing {
 public:
  using Value = std::uint64_t;
  /// The prime of choice: a product is reduced by a shift and an addition.
  static constexpr std::uint64_t mersenne61 = (std::uint64_t{1} << 61) - 1;
  /// The largest prime below it, for a second opinion: a denominator that vanishes modulo both is not to be expected.
  static constexpr std::uint64_t below61 = (std::uint64_t{1} << 61) - 31;

  /// @throws std::invalid_argument  unless 2 ≤ prime < 2^63. That it is prime is the caller's word.
  explicit ModularRing(std::uint64_t prime = mersenne61) : prime_(prime) {
    if (prime < 2 || prime >= (std::uint64_t{1} << 63))
      throw std::invalid_argument("ModularRing: the modulus must be in [2, 2^63)");
  }
  std::uint64_t prime() const noexcept { return prime_; }

  Value zero() const { return 0; }
  Value one() const { return 1; }
  /// The class of an integer, negative ones included.
  Value of(std::int64_t value) const {
    const auto rest = value % static_cast<std::int64_t>(prime_);
    return static_cast<Value>(rest < 0 ? rest + static_cast<std::int64_t>(prime_) : rest);
  }
  Value add(Value a, Value b) const { return a >= prime_ - b ? a - (prime_ - b) : a + b; }
  Value subtract(Value a, Value b) const { return a >= b ? a - b : a + (prime_ - b); }
  Value negate(Value a) const { return a == 0 ? 0 : prime_ - a; }
  Value multiply(Value a, Value b) const {
    const auto product = static_cast<Wide>(a) * b;
    if (prime_ == mersenne61) return fold(product);
    return static_cast<Value>(product % prime_);
  }
  /// By squaring: at most 2·log2(exponent) products. 0^0 = 1.
  Value power(Value base, std::uint64_t exponent) const {
    Value result = 1;
    for (; exponent > 0; exponent >>= 1, base = multiply(base, base))
      if (exponent & 1U) result = multiply(result, base);
    return result;
  }
  /// By Fermat: a^(p−2). @throws std::domain_error  for 0.
  Value inverse(Value a) const {
    if (a == 0) throw std::domain_error("ModularRing: 0 has no inverse");
    return power(a, prime_ - 2);
  }
  /// @throws std::domain_error  for b = 0.
  Value divide(Value a, Value b) const { return multiply(a, inverse(b)); }

 private:
  __extension__ using Wide = unsigned __int128;
  static Value fold(Wide product) {  // 2^61 ≡ 1
    const auto sum = static_cast<Value>(product & mersenne61) + static_cast<Value>(product >> 61);
    return sum >= mersenne61 ? sum - mersenne61 : sum;
  }
  std::uint64_t prime_;
};

}  // namespace sfg::ring
