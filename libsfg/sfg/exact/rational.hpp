#pragma once
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace sfg::exact {

// What a stated value is from the file to the answer: 0.1 in a model is 1/10 and stays so, whatever is computed from it. One type
// for all of the library, so that no number is written as text to be read back.

/// A rational number of any size, in lowest terms with a positive denominator (FLINT's fmpq). A regular value: whole numbers
/// below 2^62 cost no allocation. No text is read but by parse(), none is made but by text().
class Rational {
 public:
  constexpr Rational() = default;  ///< 0
  template <std::integral Integer>
  requires(sizeof(Integer) <= sizeof(std::int64_t))
      Rational(Integer value) {  // NOLINT(google-explicit-constructor): a whole number is a rational number
    if constexpr (std::is_signed_v<Integer>)
      set(static_cast<std::int64_t>(value));
    else
      set_unsigned(static_cast<std::uint64_t>(value));
  }
  Rational(const Rational&);
  Rational(Rational&&) noexcept;
  Rational& operator=(const Rational&);
  Rational& operator=(Rational&&) noexcept;
  ~Rational();

  /// "-3", "22/7"; nothing for anything else, a denominator 0 included.
  static std::optional<Rational> parse(std::string_view text);
  /// The exact value of a double: 0.1 is 3602879701896397/36028797018963968. @throws std::invalid_argument unless finite.
  static Rational of(double value);

  int sign() const noexcept;  ///< −1, 0, 1
  bool is_zero() const noexcept { return sign() == 0; }
  bool is_integer() const noexcept;
  Rational numerator() const;    ///< with the sign
  Rational denominator() const;  ///< > 0
  Rational abs() const;
  /// 0^0 = 1. @throws std::domain_error for a negative exponent of 0.
  Rational power(long exponent) const;
  /// The nearest double; ±infinity beyond its range.
  double to_double() const;
  /// The value when it is a whole number that fits.
  std::optional<std::int64_t> to_integer() const;
  /// "p/q", or "p" for a whole number.
  std::string text() const;

  Rational& operator+=(const Rational&);
  Rational& operator-=(const Rational&);
  Rational& operator*=(const Rational&);
  Rational& operator/=(const Rational&);  ///< @throws std::domain_error for 0.
  Rational operator-() const;
  friend bool operator==(const Rational&, const Rational&) noexcept;
  friend std::strong_ordering operator<=>(const Rational&, const Rational&) noexcept;

 private:
  friend struct RationalWords;
  void set(std::int64_t);
  void set_unsigned(std::uint64_t);

  using Word = std::conditional_t<sizeof(long) == sizeof(void*), long, long long>;  ///< FLINT's slong, as wide as the machine's
  Word words_[2] = {0, 1};  ///< an fmpq: numerator and denominator, each a number or FLINT's handle of a long one
};

inline Rational operator+(Rational a, const Rational& b) { return a += b; }
inline Rational operator-(Rational a, const Rational& b) { return a -= b; }
inline Rational operator*(Rational a, const Rational& b) { return a *= b; }
inline Rational operator/(Rational a, const Rational& b) { return a /= b; }

/// The nearest number of so many significant decimal digits: what is shown when more would mean nothing. Still a rational number,
/// so that what is computed from the shown figures agrees with them.
Rational rounded(const Rational&, std::size_t digits);
/// The value as a decimal of so many significant digits, without zeros at its end: "0.3333", "450", "-1.5e-9".
std::string decimal(const Rational&, std::size_t digits);

}  // namespace sfg::exact
