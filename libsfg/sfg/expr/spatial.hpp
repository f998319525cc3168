#pragma once
#include <ginac/ex.h>

#include <array>

/// Vectors and rotations with symbolic entries; what is 0 or 1 falls out of every product by itself.
namespace sfg::spatial {

using Vector = std::array<GiNaC::ex, 3>;
using Matrix = std::array<Vector, 3>;         ///< by rows
using Quaternion = std::array<GiNaC::ex, 4>;  ///< scalar first

Vector zero();
Matrix unit();
bool is_zero(const Vector&);

Vector sum(const Vector&, const Vector&);
Vector difference(const Vector&, const Vector&);
Vector scaled(const GiNaC::ex&, const Vector&);
GiNaC::ex dot(const Vector&, const Vector&);
Vector cross(const Vector&, const Vector&);
Vector column(const Matrix&, std::size_t);

Vector product(const Matrix&, const Vector&);
Vector transposed_product(const Matrix&, const Vector&);
Matrix product(const Matrix&, const Matrix&);
Matrix transposed(const Matrix&);
Matrix sum(const Matrix&, const Matrix&);
Matrix scaled(const GiNaC::ex&, const Matrix&);
Matrix skew(const Vector&);  ///< a~ b = a × b
/// a~ᵀ b~ = (a·b) E − b aᵀ
Matrix skew_product(const Vector& a, const Vector& b);

/// By an angle about an axis of length 1 (Rodrigues).
Matrix rotation(const Vector& axis, const GiNaC::ex& cosine, const GiNaC::ex& sine);
/// Of a quaternion of length 1.
Matrix rotation(const Quaternion&);
/// Two directions that make a right-handed system with the axis: (y, z) of x, (z, x) of y, (x, y) of z.
std::array<Vector, 2> normal_to(const Vector& axis);

}  // namespace sfg::spatial
