#include "sfg/derive/multibody/point_arithmetic.hpp"

#include "sfg/derive/multibody/balance_search.hpp"
#include "sfg/derive/operating_point.hpp"
#include "sfg/derive/second_derivatives.hpp"
#include "sfg/expr/exact_value.hpp"

namespace sfg {

using GiNaC::ex;
using Matrix = PointArithmetic::Matrix;

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

Matrix zeros(std::size_t rows, std::size_t columns) { return Matrix(rows, std::vector<ex>(columns)); }

Matrix transposed(const Matrix& A) {
  Matrix result = zeros(A.empty() ? 0 : A.front().size(), A.size());
  for (std::size_t i = 0; i < A.size(); ++i)
    for (std::size_t j = 0; j < A[i].size(); ++j) result[j][i] = A[i][j];
  return result;
}

ex PointArithmetic::operator()(const ex& value) const {
  const ex settled = tidy(Decimals()(value));
  return exact_ ? settled : Shortened()(settled);
}

Matrix PointArithmetic::product(const Matrix& A, const Matrix& B) const {
  Matrix result = zeros(A.size(), B.empty() ? 0 : B.front().size());
  for (std::size_t i = 0; i < A.size(); ++i)
    for (std::size_t j = 0; j < result[i].size(); ++j) {
      GiNaC::exvector terms;
      for (std::size_t k = 0; k < B.size(); ++k)
        if (!A[i][k].is_zero() && !B[k][j].is_zero()) terms.push_back(A[i][k] * B[k][j]);
      result[i][j] = (*this)(GiNaC::add(terms));
    }
  return result;
}

Matrix PointArithmetic::sum(const Matrix& A, const Matrix& B, const ex& factor) const {
  Matrix result = A;
  for (std::size_t i = 0; i < A.size(); ++i)
    for (std::size_t j = 0; j < A[i].size(); ++j) result[i][j] = (*this)(A[i][j] + factor * B[i][j]);
  return result;
}

}  // namespace sfg
