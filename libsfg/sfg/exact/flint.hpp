#pragma once
// FLINT's and Arb's numbers as C++ values: made and cleared by themselves, whatever is thrown between.
#include <flint/fmpq.h>
#include <flint/fmpq_poly.h>
#include <flint/fmpz.h>
#include <flint/fmpz_poly.h>
#include <flint/fmpz_poly_factor.h>

#include <acb.h>
#include <acb_poly.h>
#include <arb.h>
#include <arb_mat.h>
#include <arb_poly.h>

#include <complex>
#include <cstddef>

#include "sfg/exact/rational.hpp"

namespace sfg::exact {

/// A Rational as FLINT sees it.
struct RationalWords {
  static_assert(sizeof(fmpq) == sizeof(Rational) && std::is_same_v<fmpz, Rational::Word>);
  static fmpq* of(Rational& r) { return reinterpret_cast<fmpq*>(r.words_); }
  static const fmpq* of(const Rational& r) { return reinterpret_cast<const fmpq*>(r.words_); }
};
inline fmpq* raw(Rational& r) { return RationalWords::of(r); }
inline const fmpq* raw(const Rational& r) { return RationalWords::of(r); }

// What FLINT calls fmpz_init, arb_init, …, fmpz_clear, … and fmpz_set, …, each by one name.
namespace detail {
inline void begin(fmpz* x) { fmpz_init(x); }
inline void begin(fmpz_poly_struct* x) { fmpz_poly_init(x); }
inline void begin(fmpq_poly_struct* x) { fmpq_poly_init(x); }
inline void begin(fmpz_poly_factor_struct* x) { fmpz_poly_factor_init(x); }
inline void begin(mag_struct* x) { mag_init(x); }
inline void begin(arf_struct* x) { arf_init(x); }
inline void begin(arb_struct* x) { arb_init(x); }
inline void begin(acb_struct* x) { acb_init(x); }
inline void begin(arb_poly_struct* x) { arb_poly_init(x); }
inline void begin(acb_poly_struct* x) { acb_poly_init(x); }

inline void end(fmpz* x) { fmpz_clear(x); }
inline void end(fmpz_poly_struct* x) { fmpz_poly_clear(x); }
inline void end(fmpq_poly_struct* x) { fmpq_poly_clear(x); }
inline void end(fmpz_poly_factor_struct* x) { fmpz_poly_factor_clear(x); }
inline void end(mag_struct* x) { mag_clear(x); }
inline void end(arf_struct* x) { arf_clear(x); }
inline void end(arb_struct* x) { arb_clear(x); }
inline void end(acb_struct* x) { acb_clear(x); }
inline void end(arb_poly_struct* x) { arb_poly_clear(x); }
inline void end(acb_poly_struct* x) { acb_poly_clear(x); }

inline void assign(fmpz* x, const fmpz* y) { fmpz_set(x, y); }
inline void assign(fmpz_poly_struct* x, const fmpz_poly_struct* y) { fmpz_poly_set(x, y); }
inline void assign(fmpq_poly_struct* x, const fmpq_poly_struct* y) { fmpq_poly_set(x, y); }
inline void assign(fmpz_poly_factor_struct* x, const fmpz_poly_factor_struct* y) { fmpz_poly_factor_set(x, y); }
inline void assign(mag_struct* x, const mag_struct* y) { mag_set(x, y); }
inline void assign(arf_struct* x, const arf_struct* y) { arf_set(x, y); }
inline void assign(arb_struct* x, const arb_struct* y) { arb_set(x, y); }
inline void assign(acb_struct* x, const acb_struct* y) { acb_set(x, y); }
inline void assign(arb_poly_struct* x, const arb_poly_struct* y) { arb_poly_set(x, y); }
inline void assign(acb_poly_struct* x, const acb_poly_struct* y) { acb_poly_set(x, y); }
}  // namespace detail

/// One of these types as a value.
template <class Type>
class Handle {
 public:
  Handle() { detail::begin(value_); }
  Handle(const Handle& other) : Handle() { detail::assign(value_, other.value_); }
  Handle& operator=(const Handle& other) {
    detail::assign(value_, other.value_);
    return *this;
  }
  ~Handle() { detail::end(value_); }
  operator Type*() { return value_; }              // NOLINT(google-explicit-constructor): it stands for the array of one
  operator const Type*() const { return value_; }  // that FLINT's functions take
  Type* get() { return value_; }
  const Type* get() const { return value_; }
  Type* operator->() { return value_; }
  const Type* operator->() const { return value_; }

 private:
  Type value_[1];
};

using Integer = Handle<fmpz>;
using IntegerPolynomial = Handle<fmpz_poly_struct>;
using IntegerFactors = Handle<fmpz_poly_factor_struct>;
using FractionPolynomial = Handle<fmpq_poly_struct>;
using Magnitude = Handle<mag_struct>;
using BigFloat = Handle<arf_struct>;
using RealBall = Handle<arb_struct>;
using ComplexBall = Handle<acb_struct>;
using RealPolynomial = Handle<arb_poly_struct>;
using ComplexPolynomial = Handle<acb_poly_struct>;

inline std::complex<double> midpoint(const acb_struct* z) {
  return {arf_get_d(arb_midref(acb_realref(z)), ARF_RND_NEAR), arf_get_d(arb_midref(acb_imagref(z)), ARF_RND_NEAR)};
}

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

/// A matrix of real balls.
class RealMatrix {
 public:
  RealMatrix(std::size_t rows, std::size_t columns) {
    arb_mat_init(entries_, static_cast<slong>(rows), static_cast<slong>(columns));
  }
  RealMatrix(const RealMatrix&) = delete;
  RealMatrix& operator=(const RealMatrix&) = delete;
  ~RealMatrix() { arb_mat_clear(entries_); }
  arb_ptr at(std::size_t i, std::size_t j) { return arb_mat_entry(entries_, static_cast<slong>(i), static_cast<slong>(j)); }
  arb_mat_struct* get() { return entries_; }

 private:
  arb_mat_t entries_;
};

}  // namespace sfg::exact
