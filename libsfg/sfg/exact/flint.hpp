#pragma once
// FLINT's and Arb's numbers as C++ values: made and cleared by themselves, whatever is thrown between.
#include <flint/fmpq.h>
#include <flint/fmpq_poly.h>
#include <flint/fmpz.h>
#include <flint/fmpz_poly.h>

#include <acb.h>
#include <arb.h>

#include "sfg/exact/rational.hpp"

namespace sfg::exact {

/// A Rational as FLINT sees it.
struct RationalWords {
  static_assert(sizeof(fmpq) == sizeof(Rational) && sizeof(fmpz) == sizeof(long));
  static fmpq* of(Rational& r) { return reinterpret_cast<fmpq*>(r.words_); }
  static const fmpq* of(const Rational& r) { return reinterpret_cast<const fmpq*>(r.words_); }
};
inline fmpq* raw(Rational& r) { return RationalWords::of(r); }
inline const fmpq* raw(const Rational& r) { return RationalWords::of(r); }

/// One of FLINT's types that are made by init(value) and ended by clear(value).
template <class Type, void (*init)(Type*), void (*clear)(Type*)>
class Handle {
 public:
  Handle() { init(value_); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { clear(value_); }
  operator Type*() { return value_; }              // NOLINT(google-explicit-constructor): it stands for the array of one
  operator const Type*() const { return value_; }  // that FLINT's functions take
  Type* get() { return value_; }
  const Type* get() const { return value_; }
  Type* operator->() { return value_; }
  const Type* operator->() const { return value_; }

 private:
  Type value_[1];
};

namespace detail {
inline void init_integer(fmpz* z) { fmpz_init(z); }
inline void clear_integer(fmpz* z) { fmpz_clear(z); }
}  // namespace detail

using Integer = Handle<fmpz, detail::init_integer, detail::clear_integer>;
using IntegerPolynomial = Handle<fmpz_poly_struct, fmpz_poly_init, fmpz_poly_clear>;
using RealBall = Handle<arb_struct, arb_init, arb_clear>;
using ComplexBall = Handle<acb_struct, acb_init, acb_clear>;

/// A list of complex balls.
class ComplexBalls {
 public:
  explicit ComplexBalls(slong count) : data_(_acb_vec_init(count)), count_(count) {}
  ComplexBalls(const ComplexBalls&) = delete;
  ComplexBalls& operator=(const ComplexBalls&) = delete;
  ~ComplexBalls() { _acb_vec_clear(data_, count_); }
  acb_ptr data() { return data_; }
  acb_ptr operator[](slong i) { return data_ + i; }
  slong size() const { return count_; }

 private:
  acb_ptr data_;
  slong count_;
};

}  // namespace sfg::exact
