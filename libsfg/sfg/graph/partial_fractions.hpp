#pragma once
#include <cstdint>
#include <vector>

#include "sfg/expr/rational_arithmetic.hpp"

namespace sfg {

/// A polynomial in the main variable of a space over the rational functions of the others: coefficients, lowest power first,
/// the last one not 0; {} is 0.
using FieldPolynomial = std::vector<RationalFunction>;

FieldPolynomial field_polynomial(const PolynomialSpace&, const ring::Polynomial&);
FieldPolynomial operator+(const FieldPolynomial&, const FieldPolynomial&);
FieldPolynomial operator*(const FieldPolynomial&, const FieldPolynomial&);
struct Division {
  FieldPolynomial quotient;
  FieldPolynomial remainder;
};
Division divide(const FieldPolynomial& a, const FieldPolynomial& b);

/// Irreducible factors that contain the main variable, with their multiplicities; what is free of it is left out.
struct Factor {
  FieldPolynomial polynomial;
  std::uint64_t multiplicity = 1;
};
std::vector<Factor> main_factors(const PolynomialSpace&, const ring::Polynomial&);
/// The same with that many more of the main variable itself among them.
std::vector<Factor> with_roots_at_0(std::vector<Factor>, const PolynomialSpace&, std::uint64_t count);

/// numerator / Π factorᵐ (degree of the numerator below that of the denominator) as Σ_i Σ_t numerators[i][t−1] / factor_iᵗ.
/// The factors are coprime.
std::vector<std::vector<FieldPolynomial>> partial_fractions(const FieldPolynomial& numerator, const std::vector<Factor>&);

}  // namespace sfg
