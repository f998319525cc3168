#include "sfg/exact/polynomial_determinant.hpp"

#include <flint/fmpz_mat.h>
#include <flint/fmpz_vec.h>
#include <algorithm>

#include "sfg/exact/flint.hpp"

namespace sfg::exact {

namespace {

class IntegerMatrix {
 public:
  explicit IntegerMatrix(slong size) { fmpz_mat_init(value_, size, size); }
  IntegerMatrix(const IntegerMatrix&) = delete;
  IntegerMatrix& operator=(const IntegerMatrix&) = delete;
  ~IntegerMatrix() { fmpz_mat_clear(value_); }
  operator fmpz_mat_struct*() { return value_; }  // NOLINT(google-explicit-constructor): it stands for the array of one

 private:
  fmpz_mat_t value_;
};

class Integers {
 public:
  explicit Integers(slong count) : data_(_fmpz_vec_init(count)), count_(count) {}
  Integers(const Integers&) = delete;
  Integers& operator=(const Integers&) = delete;
  ~Integers() { _fmpz_vec_clear(data_, count_); }
  fmpz* operator[](slong i) { return data_ + i; }

 private:
  fmpz* data_;
  slong count_;
};

struct Whole {
  std::size_t row, column;
  IntegerPolynomial value;
};

/// Every row times the least common denominator of its coefficients, which `factor` gathers.
std::vector<Whole> whole_rows(std::size_t size, const std::vector<PolynomialEntry>& entries, Integer& factor) {
  std::vector<Integer> common(size);
  for (Integer& c : common) fmpz_one(c);
  for (const auto& entry : entries)
    for (const Rational& c : entry.value.coefficients()) fmpz_lcm(common[entry.row], common[entry.row], fmpq_denref(raw(c)));
  fmpz_one(factor);
  for (const Integer& c : common) fmpz_mul(factor, factor, c);
  std::vector<Whole> result;
  for (const auto& entry : entries) {
    Whole whole{entry.row, entry.column, {}};
    const std::vector<Rational> coefficients = entry.value.coefficients();
    for (std::size_t i = 0; i < coefficients.size(); ++i) {
      const fmpq* c = raw(coefficients[i]);
      Integer value;
      fmpz_divexact(value, common[entry.row], fmpq_denref(c));
      fmpz_mul(value, value, fmpq_numref(c));
      fmpz_poly_set_coeff_fmpz(whole.value, static_cast<slong>(coefficients.size() - 1 - i), value);
    }
    result.push_back(std::move(whole));
  }
  return result;
}

slong degree_bound(std::size_t size, const std::vector<Whole>& entries) {
  std::vector<slong> rows(size, 0), columns(size, 0);
  for (const Whole& entry : entries) {
    const slong degree = fmpz_poly_degree(entry.value);
    rows[entry.row] = std::max(rows[entry.row], degree);
    columns[entry.column] = std::max(columns[entry.column], degree);
  }
  slong by_rows = 0, by_columns = 0;
  for (std::size_t i = 0; i < size; ++i) by_rows += rows[i], by_columns += columns[i];
  return std::min(by_rows, by_columns);
}

}  // namespace

RationalPolynomial determinant(std::size_t size, const std::vector<PolynomialEntry>& entries,
                               const std::function<void()>& checkpoint) {
  Integer factor;
  const std::vector<Whole> whole = whole_rows(size, entries, factor);
  const slong points = degree_bound(size, whole) + 1;
  Integers places(points), values(points);
  IntegerMatrix matrix(static_cast<slong>(size));
  for (slong k = 0; k < points; ++k) {
    checkpoint();
    fmpz_set_si(places[k], k % 2 == 0 ? k / 2 : -(k + 1) / 2);
    fmpz_mat_zero(matrix);
    for (const Whole& entry : whole)
      fmpz_poly_evaluate_fmpz(
          fmpz_mat_entry(static_cast<fmpz_mat_struct*>(matrix), static_cast<slong>(entry.row), static_cast<slong>(entry.column)),
          entry.value, places[k]);
    fmpz_mat_det(values[k], matrix);
  }
  IntegerPolynomial found;
  fmpz_poly_interpolate_fmpz_vec(found, places[0], values[0], points);
  std::vector<Rational> coefficients;
  for (slong power = fmpz_poly_degree(found); power >= 0; --power) {
    Integer c;
    fmpz_poly_get_coeff_fmpz(c, found, power);
    Rational coefficient = 0;
    fmpq_set_fmpz_frac(raw(coefficient), c, factor);
    coefficients.push_back(std::move(coefficient));
  }
  return RationalPolynomial(coefficients);
}

}  // namespace sfg::exact
