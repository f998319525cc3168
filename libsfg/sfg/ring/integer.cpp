#include "sfg/ring/integer.hpp"

#include <flint/fmpz.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace sfg::ring {
namespace {

static_assert(sizeof(fmpz) == sizeof(std::int64_t), "an fmpz is one 64-bit word");

// slong and std::int64_t are one type of the same size on the platforms of FLINT's 64-bit builds.
fmpz* word(std::int64_t& w) { return reinterpret_cast<fmpz*>(&w); }
const fmpz* word(const std::int64_t& w) { return reinterpret_cast<const fmpz*>(&w); }

}  // namespace

Integer::Integer(std::int64_t value) { fmpz_set_si(word(word_), value); }

Integer::Integer(std::string_view decimal) {
  const std::string_view digits = decimal.starts_with('-') ? decimal.substr(1) : decimal;
  if (digits.empty() || !std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; }))
    throw std::invalid_argument("Integer: not a decimal number: " + std::string(decimal));
  fmpz_set_str(word(word_), std::string(decimal).c_str(), 10);
}

Integer::Integer(const Integer& other) { fmpz_set(word(word_), word(other.word_)); }
Integer& Integer::operator=(const Integer& other) {
  fmpz_set(word(word_), word(other.word_));
  return *this;
}
void Integer::release() noexcept { fmpz_clear(word(word_)); }

Integer& Integer::operator+=(const Integer& other) {
  fmpz_add(word(word_), word(word_), word(other.word_));
  return *this;
}
Integer& Integer::operator-=(const Integer& other) {
  fmpz_sub(word(word_), word(word_), word(other.word_));
  return *this;
}
Integer& Integer::operator*=(const Integer& other) {
  fmpz_mul(word(word_), word(word_), word(other.word_));
  return *this;
}
Integer Integer::operator-() const {
  Integer result;
  fmpz_neg(word(result.word_), word(word_));
  return result;
}
void Integer::add_product(const Integer& a, const Integer& b) { fmpz_addmul(word(word_), word(a.word_), word(b.word_)); }
void Integer::subtract_product(const Integer& a, const Integer& b) { fmpz_submul(word(word_), word(a.word_), word(b.word_)); }

int Integer::sign() const noexcept { return fmpz_sgn(word(word_)); }
std::size_t Integer::bits() const noexcept { return fmpz_bits(word(word_)); }

double Integer::to_double() const {
  if (bits() > 1024) return sign() * std::numeric_limits<double>::infinity();
  long exponent = 0;
  const double mantissa = fmpz_get_d_2exp(&exponent, word(word_));
  return std::ldexp(mantissa, static_cast<int>(exponent));
}

std::uint64_t Integer::modulo(std::uint64_t prime) const { return fmpz_fdiv_ui(word(word_), prime); }

bool operator==(const Integer& a, const Integer& b) { return fmpz_equal(word(a.word_), word(b.word_)) != 0; }
std::strong_ordering operator<=>(const Integer& a, const Integer& b) { return fmpz_cmp(word(a.word_), word(b.word_)) <=> 0; }

std::string to_string(const Integer& value) {
  std::string text(fmpz_sizeinbase(word(value.word_), 10) + 2, '\0');
  fmpz_get_str(text.data(), 10, word(value.word_));
  text.resize(text.find('\0'));
  return text;
}

}  // namespace sfg::ring
