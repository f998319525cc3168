#pragma once
#include <array>
#include <complex>
#include <cstddef>

namespace sfg::ring {

// Determinants as machine numbers: for many points of a graph whose diagram is there already. A diagram has no divisions, so that
// nothing overflows for a vanishing pivot; what cancels loses digits all the same, and nobody is told. Where the answer is shown
// to a user, numeric::Tape::run_bounded says how many digits are right.

/// Double precision. `divide` is for whoever takes the quotient of two determinants; the diagram itself needs none.
struct RealRing {
  using Value = double;
  Value zero() const { return 0; }
  Value one() const { return 1; }
  Value add(Value a, Value b) const { return a + b; }
  Value multiply(Value a, Value b) const { return a * b; }
  Value negate(Value a) const { return -a; }
  Value divide(Value a, Value b) const { return a / b; }
  void add_product(Value& sum, Value a, Value b) const { sum += a * b; }
  void subtract_product(Value& sum, Value a, Value b) const { sum -= a * b; }
};

/// Complex numbers in double precision: values at s = jω or z = e^{jωh}. Products are plain, without the special cases of the C
/// standard for infinities, which cost more than the product.
struct ComplexRing {
  using Value = std::complex<double>;
  Value zero() const { return 0; }
  Value one() const { return 1; }
  Value add(const Value& a, const Value& b) const { return a + b; }
  Value multiply(const Value& a, const Value& b) const {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
  }
  Value negate(const Value& a) const { return -a; }
  Value divide(const Value& a, const Value& b) const { return a / b; }
  void add_product(Value& sum, const Value& a, const Value& b) const { sum += multiply(a, b); }
  void subtract_product(Value& sum, const Value& a, const Value& b) const { sum -= multiply(a, b); }
};

/// N numbers at a time, which the compiler turns into vector instructions: the walk through the diagram, which costs more than
/// its arithmetic, is made once for all of them. Aligned for the widest vectors there are.
template <std::size_t N>
struct RealBatch {
  alignas(64) std::array<double, N> lane;
  friend bool operator==(const RealBatch&, const RealBatch&) = default;
};

/// N complex numbers at a time, real and imaginary parts apart, since vector units know nothing of pairs.
template <std::size_t N>
struct ComplexBatch {
  alignas(64) std::array<double, N> real, imaginary;
  friend bool operator==(const ComplexBatch&, const ComplexBatch&) = default;
};

/// ℝ^N, lane by lane. N = 8 fills a vector register of 512 bits.
template <std::size_t N>
struct RealBatchRing {
  using Value = RealBatch<N>;
  /// The same number in every lane: an entry that does not vary.
  Value constant(double x) const {
    Value v;
    v.lane.fill(x);
    return v;
  }
  Value zero() const { return constant(0); }
  Value one() const { return constant(1); }
  Value add(const Value& a, const Value& b) const {
    Value v;
    for (std::size_t i = 0; i < N; ++i) v.lane[i] = a.lane[i] + b.lane[i];
    return v;
  }
  Value multiply(const Value& a, const Value& b) const {
    Value v;
    for (std::size_t i = 0; i < N; ++i) v.lane[i] = a.lane[i] * b.lane[i];
    return v;
  }
  Value negate(const Value& a) const {
    Value v;
    for (std::size_t i = 0; i < N; ++i) v.lane[i] = -a.lane[i];
    return v;
  }
  Value divide(const Value& a, const Value& b) const {
    Value v;
    for (std::size_t i = 0; i < N; ++i) v.lane[i] = a.lane[i] / b.lane[i];
    return v;
  }
  void add_product(Value& sum, const Value& a, const Value& b) const {
    for (std::size_t i = 0; i < N; ++i) sum.lane[i] += a.lane[i] * b.lane[i];
  }
  void subtract_product(Value& sum, const Value& a, const Value& b) const {
    for (std::size_t i = 0; i < N; ++i) sum.lane[i] -= a.lane[i] * b.lane[i];
  }
};

/// ℂ^N, lane by lane: N frequencies in one walk through the diagram.
template <std::size_t N>
struct ComplexBatchRing {
  using Value = ComplexBatch<N>;
  /// The same number in every lane: a gain without the operator.
  Value constant(std::complex<double> x) const {
    Value v;
    v.real.fill(x.real());
    v.imaginary.fill(x.imag());
    return v;
  }
  Value zero() const { return constant(0); }
  Value one() const { return constant(1); }
  Value add(const Value& a, const Value& b) const {
    Value v;
    for (std::size_t i = 0; i < N; ++i) v.real[i] = a.real[i] + b.real[i];
    for (std::size_t i = 0; i < N; ++i) v.imaginary[i] = a.imaginary[i] + b.imaginary[i];
    return v;
  }
  Value multiply(const Value& a, const Value& b) const {
    Value v = zero();
    add_product(v, a, b);
    return v;
  }
  Value negate(const Value& a) const {
    Value v;
    for (std::size_t i = 0; i < N; ++i) v.real[i] = -a.real[i];
    for (std::size_t i = 0; i < N; ++i) v.imaginary[i] = -a.imaginary[i];
    return v;
  }
  void add_product(Value& sum, const Value& a, const Value& b) const {
    for (std::size_t i = 0; i < N; ++i) {
      sum.real[i] += a.real[i] * b.real[i] - a.imaginary[i] * b.imaginary[i];
      sum.imaginary[i] += a.real[i] * b.imaginary[i] + a.imaginary[i] * b.real[i];
    }
  }
  void subtract_product(Value& sum, const Value& a, const Value& b) const {
    for (std::size_t i = 0; i < N; ++i) {
      sum.real[i] -= a.real[i] * b.real[i] - a.imaginary[i] * b.imaginary[i];
      sum.imaginary[i] -= a.real[i] * b.imaginary[i] + a.imaginary[i] * b.real[i];
    }
  }
};

}  // namespace sfg::ring
