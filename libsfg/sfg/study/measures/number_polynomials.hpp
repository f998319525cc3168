#pragma once
#include <complex>
#include <cstddef>
#include <span>
#include <vector>

// Not installed: polynomials in doubles, lowest power first, and what they are on the imaginary axis.
namespace sfg {

/// (1 + w)^k (1 − w)^(n − k), lowest power first.
inline std::vector<double> bilinear(std::size_t k, std::size_t n) {
  std::vector<double> p{1};
  for (std::size_t i = 0; i < n; ++i) {
    const double sign = i < k ? 1 : -1;
    p.push_back(0);
    for (std::size_t j = p.size() - 1; j > 0; --j) p[j] += sign * p[j - 1];
  }
  return p;
}

/// p(x), of a real or complex x.
template <class Number>
Number horner(std::span<const double> p, const Number& x) {
  Number value = 0;
  for (std::size_t i = p.size(); i-- > 0;) value = value * x + p[i];
  return value;
}

/// p, p′ and p″.
struct Derivatives {
  std::complex<double> value = 0, first = 0, second = 0;
  Derivatives(std::span<const double> p, std::complex<double> s) {
    for (std::size_t i = p.size(); i-- > 0;) {
      second = second * s + first;
      first = first * s + value;
      value = value * s + p[i];
    }
    second *= 2.0;
  }
};

/// The coefficients of p(unit · x).
inline void scale(std::vector<double>& to, std::span<const double> from, double unit) {
  to.resize(from.size());
  double power = 1;
  for (std::size_t i = 0; i < from.size(); ++i, power *= unit) to[i] = from[i] * power;
}

/// a + factor · b.
inline void weighted_sum(std::vector<double>& out, std::span<const double> a, std::span<const double> b, double factor) {
  out.assign(a.size() > b.size() ? a.size() : b.size(), 0.0);
  for (std::size_t i = 0; i < a.size(); ++i) out[i] += a[i];
  for (std::size_t i = 0; i < b.size(); ++i) out[i] += factor * b[i];
}

/// out += sign · x^shift · (the part of a with this parity) (that of b): e(x) and o(x) of p(jν) = e + jν o.
inline void add_product(std::vector<double>& out, std::span<const double> a, std::size_t a_odd, std::span<const double> b,
                        std::size_t b_odd, double sign, std::size_t shift) {
  for (std::size_t i = a_odd, k = 0; i < a.size(); i += 2, ++k)
    for (std::size_t j = b_odd, m = 0; j < b.size(); j += 2, ++m) {
      if (out.size() <= k + m + shift) out.resize(k + m + shift + 1, 0.0);
      out[k + m + shift] += ((k + m) % 2 == 0 ? sign : -sign) * a[i] * b[j];
    }
}

/// |p(jν)|² in x = ν².
inline void square(std::vector<double>& out, std::span<const double> p) {
  out.assign(p.empty() ? 0 : p.size(), 0.0);
  add_product(out, p, 0, p, 0, 1, 0);
  add_product(out, p, 1, p, 1, 1, 1);
}

/// A′B − A B′.
inline void stationary(std::vector<double>& out, std::span<const double> a, std::span<const double> b) {
  out.assign(a.size() + b.size(), 0.0);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j)
      if (i + j > 0) out[i + j - 1] += (static_cast<double>(i) - static_cast<double>(j)) * a[i] * b[j];
}

}  // namespace sfg
