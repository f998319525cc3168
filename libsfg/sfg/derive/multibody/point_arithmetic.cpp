#include "sfg/derive/multibody/point_arithmetic.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sfg/derive/multibody/rest_search.hpp"
#include "sfg/derive/operating_point.hpp"
#include "sfg/derive/second_derivatives.hpp"
#include "sfg/expr/exact_value.hpp"

namespace sfg {

using GiNaC::ex;
using MotionMatrix = EquationsOfMotion::Matrix;

namespace {

class Decimals : public GiNaC::map_function {
 public:
  ex operator()(const ex& value) override {
    if (!GiNaC::is_exactly_a<GiNaC::function>(value)) return value.map(*this);
    const Precision precision(60);
    const auto number = real_number(value);
    return number ? decimal_of(*number) : value.map(*this);
  }
};

class Shortened : public GiNaC::map_function {
 public:
  ex operator()(const ex& value) override {
    constexpr int most_bits = 300;
    constexpr std::size_t digits = 40;
    static const GiNaC::numeric rounding = GiNaC::numeric(10).power(-34);
    if (GiNaC::is_exactly_a<GiNaC::power>(value)) return value;
    if (!GiNaC::is_exactly_a<GiNaC::numeric>(value)) return value.map(*this);
    const auto& number = GiNaC::ex_to<GiNaC::numeric>(value);
    if (!number.is_rational() || number.numer().int_length() + number.denom().int_length() < most_bits) return value;
    return abs(number) < rounding ? ex(0) : ex(numeric_value(exact::rounded(exact_value(number), digits)));
  }
};

}  // namespace

namespace {

constexpr double rounding = 1e-14;

double size_of(const ex& value, const GiNaC::exmap& parameters) {
  const auto number = real_number(value.subs(parameters, GiNaC::subs_options::no_pattern));
  return number ? std::abs(number->to_double()) : std::numeric_limits<double>::infinity();
}

/// Against the geometric mean of the largest entries of row and column, after `unit` has measured each coordinate.
std::size_t drop_small(MotionMatrix& A, const std::vector<double>& unit, const GiNaC::exmap& parameters) {
  const std::size_t n = A.size();
  std::vector<std::vector<double>> size(n, std::vector<double>(n));
  std::vector<double> largest(n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < n; ++k) {
      size[i][k] = size_of(A[i][k], parameters) / (unit[i] * unit[k]);
      largest[i] = std::max(largest[i], size[i][k]);
      largest[k] = std::max(largest[k], size[i][k]);
    }
  std::size_t dropped = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < n; ++k)
      if (!A[i][k].is_zero() && size[i][k] < rounding * std::sqrt(largest[i] * largest[k])) A[i][k] = 0, ++dropped;
  return dropped;
}

/// Against the largest entry of the row.
std::size_t drop_in_rows(MotionMatrix& A, const GiNaC::exmap& parameters) {
  std::size_t dropped = 0;
  for (auto& row : A) {
    double largest = 0;
    for (const ex& entry : row) largest = std::max(largest, size_of(entry, parameters));
    for (ex& entry : row)
      if (!entry.is_zero() && size_of(entry, parameters) < rounding * largest) entry = 0, ++dropped;
  }
  return dropped;
}

}  // namespace

std::size_t drop_rounding(MotionMatrix& M, std::array<MotionMatrix*, 2> C_and_K, MotionMatrix& B,
                          std::array<MotionMatrix*, 2> laws, const GiNaC::exmap& parameters) {
  std::vector<double> unit;
  for (std::size_t i = 0; i < M.size(); ++i) {
    const double mass = size_of(M[i][i], parameters);
    if (!(mass > 0) || !std::isfinite(mass)) return 0;
    unit.push_back(std::sqrt(mass));
  }
  std::size_t dropped = drop_small(M, unit, parameters);
  for (MotionMatrix* matrix : C_and_K) dropped += drop_small(*matrix, unit, parameters);
  MotionMatrix columns = transposed(B);
  dropped += drop_in_rows(columns, parameters);
  if (!columns.empty()) B = transposed(columns);
  for (MotionMatrix* matrix : laws) dropped += drop_in_rows(*matrix, parameters);
  return dropped;
}

MotionMatrix zeros(std::size_t rows, std::size_t columns) { return MotionMatrix(rows, std::vector<ex>(columns)); }

MotionMatrix transposed(const MotionMatrix& A) {
  MotionMatrix result = zeros(A.empty() ? 0 : A.front().size(), A.size());
  for (std::size_t i = 0; i < A.size(); ++i)
    for (std::size_t j = 0; j < A[i].size(); ++j) result[j][i] = A[i][j];
  return result;
}

ex PointArithmetic::operator()(const ex& value) const {
  const ex settled = tidy(Decimals()(value));
  return exact_ ? settled : Shortened()(settled);
}

MotionMatrix PointArithmetic::product(const MotionMatrix& A, const MotionMatrix& B) const {
  MotionMatrix result = zeros(A.size(), B.empty() ? 0 : B.front().size());
  for (std::size_t i = 0; i < A.size(); ++i)
    for (std::size_t j = 0; j < result[i].size(); ++j) {
      GiNaC::exvector terms;
      for (std::size_t k = 0; k < B.size(); ++k)
        if (!A[i][k].is_zero() && !B[k][j].is_zero()) terms.push_back(A[i][k] * B[k][j]);
      result[i][j] = (*this)(GiNaC::add(terms));
    }
  return result;
}

MotionMatrix PointArithmetic::sum(const MotionMatrix& A, const MotionMatrix& B, const ex& factor) const {
  MotionMatrix result = A;
  for (std::size_t i = 0; i < A.size(); ++i)
    for (std::size_t j = 0; j < A[i].size(); ++j) result[i][j] = (*this)(A[i][j] + factor * B[i][j]);
  return result;
}

}  // namespace sfg
