#include "sfg/expr/exact_value.hpp"

#include <cln/integer.h>
#include <cln/rational.h>
#include <cln/real.h>
#include <flint/fmpq.h>

#include <stdexcept>
#include <vector>

#include "sfg/exact/flint.hpp"

namespace sfg {

namespace {

constexpr unsigned word_bits = FLINT_BITS, short_enough = word_bits - 2;

void set(fmpz* target, const cln::cl_I& value) {
  if (cln::integer_length(value) < short_enough) return fmpz_set_si(target, static_cast<slong>(cln::cl_I_to_Q(value)));
  const cln::cl_I size = cln::abs(value);
  std::vector<ulong> words((cln::integer_length(size) + word_bits - 1) / word_bits);
  for (std::size_t i = 0; i < words.size(); ++i)
    words[i] = static_cast<ulong>(cln::cl_I_to_UQ(cln::ldb(size, cln::cl_byte(word_bits, word_bits * i))));
  fmpz_set_ui_array(target, words.data(), static_cast<slong>(words.size()));
  if (cln::minusp(value)) fmpz_neg(target, target);
}

cln::cl_I integer(const fmpz* value) {
  if (!COEFF_IS_MPZ(*value)) return cln::cl_I(*value);
  std::vector<ulong> words(fmpz_size(value));
  exact::Integer size;
  fmpz_abs(size, value);
  fmpz_get_ui_array(words.data(), static_cast<slong>(words.size()), size);
  cln::cl_I result = 0;
  for (auto w = words.rbegin(); w != words.rend(); ++w) result = cln::ash(result, word_bits) + cln::cl_I(*w);
  return fmpz_sgn(value) < 0 ? -result : result;
}

}  // namespace

exact::Rational exact_value(const GiNaC::numeric& number) {
  if (!number.is_rational()) throw std::invalid_argument("exact_value: the number is not rational");
  const auto value = cln::the<cln::cl_RA>(number.to_cl_N());
  exact::Rational result;
  set(fmpq_numref(exact::raw(result)), cln::numerator(value));
  set(fmpq_denref(exact::raw(result)), cln::denominator(value));
  return result;
}

GiNaC::numeric numeric_value(const exact::Rational& number) {
  if (const auto whole = number.to_integer()) return GiNaC::numeric(*whole);
  return GiNaC::numeric(cln::cl_N(integer(fmpq_numref(exact::raw(number))) / integer(fmpq_denref(exact::raw(number)))));
}

std::int64_t whole_value(const GiNaC::numeric& number) { return cln::cl_I_to_Q(cln::the<cln::cl_I>(number.to_cl_N())); }

}  // namespace sfg
