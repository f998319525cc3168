#include "sfg/expr/rational_arithmetic.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "sfg/expr/exact_constant.hpp"

namespace sfg {

namespace {

std::size_t size(const RationalFunction& x) { return x.numerator().term_count() + x.denominator().term_count(); }

RationalFunction lowest(const RationalFunction& like, ring::Polynomial numerator, ring::Polynomial denominator) {
  return RationalFunction(like.space(), std::move(numerator), std::move(denominator)).reduced();
}

}  // namespace

bool is_zero(const RationalFunction& x) { return settled(x.numerator(), x.space()).is_zero(); }
bool is_one(const RationalFunction& f) { return f.numerator() == f.denominator(); }

RationalFunction constant(const PolynomialSpace& space, long value) {
  return {space, ring::Polynomial::constant(space.context(), value), ring::Polynomial::constant(space.context(), 1)};
}

RationalFunction operator-(const RationalFunction& x) { return {x.space(), -x.numerator(), x.denominator()}; }

RationalFunction operator+(const RationalFunction& a, const RationalFunction& b) {
  if (is_zero(a)) return b;
  if (is_zero(b)) return a;
  if (a.denominator() == b.denominator()) return lowest(a, a.numerator() + b.numerator(), a.denominator());
  return lowest(a, a.numerator() * b.denominator() + b.numerator() * a.denominator(), a.denominator() * b.denominator());
}

RationalFunction operator-(const RationalFunction& a, const RationalFunction& b) { return a + -b; }

RationalFunction operator*(const RationalFunction& a, const RationalFunction& b) {
  if (is_zero(a)) return a;
  if (is_zero(b)) return b;
  return lowest(a, a.numerator() * b.numerator(), a.denominator() * b.denominator());
}

RationalFunction operator/(const RationalFunction& a, const RationalFunction& b) {
  if (is_zero(b)) throw std::domain_error("RationalFunction: division by zero");
  if (is_zero(a)) return a;
  return lowest(a, a.numerator() * b.denominator(), a.denominator() * b.numerator());
}

RationalMatrix zero_matrix(const PolynomialSpace& space, std::size_t rows, std::size_t columns) {
  return RationalMatrix(rows, std::vector<RationalFunction>(columns, constant(space, 0)));
}

RationalMatrix transpose(const RationalMatrix& a) {
  RationalMatrix result;
  for (std::size_t j = 0; !a.empty() && j < a[0].size(); ++j) {
    result.emplace_back();
    for (const auto& row : a) result.back().push_back(row[j]);
  }
  return result;
}

RationalMatrix product(const RationalMatrix& a, const RationalMatrix& b) {
  RationalMatrix result;
  for (const auto& row : a) {
    result.emplace_back();
    for (std::size_t j = 0; !b.empty() && j < b[0].size(); ++j) {
      RationalFunction sum = row[0] * b[0][j];
      for (std::size_t k = 1; k < b.size(); ++k)
        if (!is_zero(row[k]) && !is_zero(b[k][j])) sum = sum + row[k] * b[k][j];
      result.back().push_back(std::move(sum));
    }
  }
  return result;
}

std::vector<std::size_t> reduce_rows(RationalMatrix& a) {
  std::vector<std::size_t> pivots;
  for (std::size_t column = 0; !a.empty() && column < a[0].size() && pivots.size() < a.size(); ++column) {
    const std::size_t row = pivots.size();
    std::optional<std::size_t> best;
    for (std::size_t i = row; i < a.size(); ++i)
      if (!is_zero(a[i][column]) && (!best || size(a[i][column]) < size(a[*best][column]))) best = i;
    if (!best) continue;
    std::swap(a[row], a[*best]);
    const RationalFunction pivot = a[row][column];
    for (RationalFunction& entry : a[row]) entry = entry / pivot;
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (i == row || is_zero(a[i][column])) continue;
      const RationalFunction factor = a[i][column];
      for (std::size_t j = column; j < a[i].size(); ++j)
        if (!is_zero(a[row][j])) a[i][j] = a[i][j] - factor * a[row][j];
    }
    pivots.push_back(column);
  }
  a.erase(a.begin() + static_cast<std::ptrdiff_t>(pivots.size()), a.end());
  return pivots;
}

}  // namespace sfg
