#pragma once
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

/// Algebras for ddd::evaluate, each a small model of its Ring concept.
namespace sfg::ring {

/// Integer of any length (FLINT fmpz). A regular value; numbers below 2^62 need no memory of their own, so that counts of small
/// graphs cost what machine words do. Numbers of products grow like n! with the size of a graph: a ladder of 1000 sections has
/// 10^417 of them, and they are counted exactly.
class Integer {
 public:
  Integer() noexcept = default;  ///< 0
  Integer(std::int64_t value);   // NOLINT(google-explicit-constructor): integers are integers
  /// Decimal digits, with a sign if negative. @throws std::invalid_argument  if it is anything else.
  explicit Integer(std::string_view decimal);
  Integer(const Integer&);
  Integer(Integer&& other) noexcept : word_(std::exchange(other.word_, 0)) {}
  Integer& operator=(const Integer&);
  Integer& operator=(Integer&& other) noexcept {
    std::swap(word_, other.word_);
    return *this;
  }
  ~Integer() {
    if (!small()) release();
  }

  Integer& operator+=(const Integer&);
  Integer& operator-=(const Integer&);
  Integer& operator*=(const Integer&);
  Integer operator-() const;
  /// this += a·b and this −= a·b, without a product in between.
  void add_product(const Integer& a, const Integer& b);
  void subtract_product(const Integer& a, const Integer& b);

  bool is_zero() const noexcept { return word_ == 0; }
  int sign() const noexcept;          ///< −1, 0 or 1
  std::size_t bits() const noexcept;  ///< of the magnitude
  double to_double() const;           ///< nearest, or ±infinity
  /// 0 … prime − 1, also of a negative number.
  std::uint64_t modulo(std::uint64_t prime) const;
  friend bool operator==(const Integer&, const Integer&);
  friend std::strong_ordering operator<=>(const Integer&, const Integer&);

 private:
  friend std::string to_string(const Integer&);
  bool small() const noexcept { return (word_ >> 62) != 1; }  // FLINT marks its pointers by bits 01 at the top
  void release() noexcept;
  std::int64_t word_ = 0;  // an fmpz
};

inline Integer operator+(Integer a, const Integer& b) { return std::move(a += b); }
inline Integer operator-(Integer a, const Integer& b) { return std::move(a -= b); }
inline Integer operator*(Integer a, const Integer& b) { return std::move(a *= b); }
std::string to_string(const Integer&);  ///< decimal

/// ℤ: determinants of matrices of integers, without rounding and without growth beyond the result.
struct IntegerRing {
  using Value = Integer;
  Value zero() const { return {}; }
  Value one() const { return 1; }
  Value add(const Value& a, const Value& b) const { return a + b; }
  Value multiply(const Value& a, const Value& b) const { return a * b; }
  Value negate(const Value& a) const { return -a; }
  void add_product(Value& sum, const Value& a, const Value& b) const { sum.add_product(a, b); }
  void subtract_product(Value& sum, const Value& a, const Value& b) const { sum.subtract_product(a, b); }
};

/// The semiring of natural numbers, where a sign counts for nothing: with the number of addends of every entry it gives
/// the number of products of a determinant before anything cancels.
struct CountRing : IntegerRing {
  Value negate(const Value& a) const { return a; }
  void subtract_product(Value& sum, const Value& a, const Value& b) const { sum.add_product(a, b); }
};

}  // namespace sfg::ring
