#include "sfg/exact/rational.hpp"

#include <cctype>
#include <cmath>
#include <cstdlib>
#include <new>
#include <stdexcept>

#include "sfg/exact/flint.hpp"

namespace sfg::exact {

namespace {

// FLINT ends the process when memory ends; so does GMP underneath. Both can be made to throw: their C code keeps no
// locks, and what they were building is given up (leaked), never touched again.
FLINT_NORETURN void out_of_memory() { throw std::bad_alloc{}; }

// FLINT keeps memory for the numbers of a thread, some 100 kB, and leaves it to the thread to give that back.
struct NumbersOfAThread {
  ~NumbersOfAThread() { flint_cleanup(); }
};

void* gmp_allocate(std::size_t bytes) {
  [[maybe_unused]] static thread_local const NumbersOfAThread given_back_at_its_end;
  void* memory = std::malloc(bytes);
  if (memory == nullptr) out_of_memory();
  return memory;
}
void* gmp_reallocate(void* old, std::size_t, std::size_t bytes) {
  void* memory = std::realloc(old, bytes);
  if (memory == nullptr) out_of_memory();
  return memory;
}
void gmp_free(void* memory, std::size_t) { std::free(memory); }

// When the library is loaded: what GMP had before is of malloc as well.
[[maybe_unused]] const bool guarded = [] {
  mp_set_memory_functions(gmp_allocate, gmp_reallocate, gmp_free);
  flint_set_abort(out_of_memory);
  return true;
}();

}  // namespace

Rational::Rational(const Rational& other) {
  fmpz_init_set(&raw(*this)->num, &raw(other)->num);
  fmpz_init_set(&raw(*this)->den, &raw(other)->den);
}
Rational::Rational(Rational&& other) noexcept { fmpq_swap(raw(*this), raw(other)); }
Rational& Rational::operator=(const Rational& other) {
  fmpq_set(raw(*this), raw(other));
  return *this;
}
Rational& Rational::operator=(Rational&& other) noexcept {
  fmpq_swap(raw(*this), raw(other));
  return *this;
}
Rational::~Rational() { fmpq_clear(raw(*this)); }

// FLINT's words have 32 bits where the machine's do.
constexpr bool one_word = FLINT_BITS >= 64;

void Rational::set(std::int64_t value) {
  const auto bits = static_cast<std::uint64_t>(value);
  set_unsigned(value < 0 ? 0 - bits : bits);
  if (value < 0) fmpz_neg(&raw(*this)->num, &raw(*this)->num);
}
void Rational::set_unsigned(std::uint64_t value) {
  if constexpr (one_word)
    fmpz_set_ui(&raw(*this)->num, static_cast<ulong>(value));
  else
    fmpz_set_uiui(&raw(*this)->num, static_cast<ulong>(value >> 32), static_cast<ulong>(value & 0xFFFFFFFFU));
}

std::optional<Rational> Rational::parse(std::string_view text) {
  const std::size_t digits = text.starts_with('-') ? 1 : 0, slash = text.find('/');
  const auto whole = [](std::string_view part) {
    for (const char c : part)
      if (std::isdigit(static_cast<unsigned char>(c)) == 0) return false;
    return !part.empty();
  };
  if (!whole(text.substr(digits, slash == std::string_view::npos ? slash : slash - digits))) return {};
  if (slash != std::string_view::npos && !whole(text.substr(slash + 1))) return {};
  Rational result;
  if (fmpq_set_str(raw(result), std::string(text).c_str(), 10) != 0 || fmpz_is_zero(&raw(result)->den)) {
    fmpq_zero(raw(result));
    return {};
  }
  fmpq_canonicalise(raw(result));
  return result;
}

Rational Rational::of(double value) {
  if (!std::isfinite(value)) throw std::invalid_argument("Rational::of: the number is not finite");
  Rational result;
  BigFloat exact;
  arf_set_d(exact, value);
  arf_get_fmpq(raw(result), exact);
  return result;
}

int Rational::sign() const noexcept { return fmpq_sgn(raw(*this)); }
bool Rational::is_integer() const noexcept { return fmpz_is_one(&raw(*this)->den) != 0; }

Rational Rational::numerator() const {
  Rational result;
  fmpz_set(&raw(result)->num, &raw(*this)->num);
  return result;
}
Rational Rational::denominator() const {
  Rational result;
  fmpz_set(&raw(result)->num, &raw(*this)->den);
  return result;
}
Rational Rational::abs() const {
  Rational result;
  fmpq_abs(raw(result), raw(*this));
  return result;
}
Rational Rational::power(long exponent) const {
  if (exponent < 0 && is_zero()) throw std::domain_error("Rational::power: a negative power of 0");
  Rational result;
  fmpq_pow_si(raw(result), raw(*this), exponent);
  return result;
}

double Rational::to_double() const {
  constexpr slong enough_to_round_once = 128;
  RealBall ball;
  arb_set_fmpq(ball, raw(*this), enough_to_round_once);
  return arf_get_d(arb_midref(ball.get()), ARF_RND_NEAR);
}

std::optional<std::int64_t> Rational::to_integer() const {
  using Limits = std::numeric_limits<std::int64_t>;
  if constexpr (one_word) {
    if (!is_integer() || fmpz_fits_si(&raw(*this)->num) == 0) return {};
    return fmpz_get_si(&raw(*this)->num);
  }
  if (!is_integer() || *this < Rational(Limits::min()) || *this > Rational(Limits::max())) return {};
  Rational size = abs();
  ulong high = 0, low = 0;
  fmpz_get_uiui(&high, &low, &raw(size)->num);
  const std::uint64_t bits = (static_cast<std::uint64_t>(high) << (one_word ? 0 : 32)) + low;
  return static_cast<std::int64_t>(sign() < 0 ? 0 - bits : bits);
}

std::string Rational::text() const {
  char* digits = fmpq_get_str(nullptr, 10, raw(*this));
  std::string result = digits;
  flint_free(digits);
  return result;
}

Rational& Rational::operator+=(const Rational& other) {
  fmpq_add(raw(*this), raw(*this), raw(other));
  return *this;
}
Rational& Rational::operator-=(const Rational& other) {
  fmpq_sub(raw(*this), raw(*this), raw(other));
  return *this;
}
Rational& Rational::operator*=(const Rational& other) {
  fmpq_mul(raw(*this), raw(*this), raw(other));
  return *this;
}
Rational& Rational::operator/=(const Rational& other) {
  if (other.is_zero()) throw std::domain_error("Rational: division by 0");
  fmpq_div(raw(*this), raw(*this), raw(other));
  return *this;
}
Rational Rational::operator-() const {
  Rational result;
  fmpq_neg(raw(result), raw(*this));
  return result;
}

bool operator==(const Rational& a, const Rational& b) noexcept { return fmpq_equal(raw(a), raw(b)) != 0; }
std::strong_ordering operator<=>(const Rational& a, const Rational& b) noexcept { return fmpq_cmp(raw(a), raw(b)) <=> 0; }

Rational rounded(const Rational& value, std::size_t digits) {
  if (value.is_zero()) return 0;
  const double magnitude = (fmpz_dlog(&raw(value.abs().numerator())->num) - fmpz_dlog(&raw(value)->den)) / std::log(10.0);
  const Rational ten = 10, beyond = ten.power(static_cast<long>(digits));
  for (long last = static_cast<long>(std::floor(magnitude)) - static_cast<long>(digits);; ++last) {  // the unit of the last digit
    const Rational scaled = value / ten.power(last) + Rational(value.sign()) / 2;
    Rational whole;
    fmpz_tdiv_q(&raw(whole)->num, &raw(scaled)->num, &raw(scaled)->den);
    if (whole.abs() < beyond) return whole * ten.power(last);
  }
}

std::string decimal(const Rational& value, std::size_t digits) {
  if (value.is_zero()) return "0";
  constexpr slong bits_per_digit = 4, enough = 64;
  RealBall ball;
  arb_set_fmpq(ball, raw(value), enough + bits_per_digit * static_cast<slong>(digits));
  char* text = arb_get_str(ball, static_cast<slong>(digits), ARB_STR_NO_RADIUS);
  std::string result = text;
  flint_free(text);
  if (result.find('.') != std::string::npos && result.find('e') == std::string::npos) {
    result.erase(result.find_last_not_of('0') + 1);
    if (result.back() == '.') result.pop_back();
  }
  return result;
}

}  // namespace sfg::exact
