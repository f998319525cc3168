#pragma once
#include <ginac/ex.h>

#include <array>
#include <string>
#include <vector>

#include "sfg/model/equations.hpp"

namespace sfg {

/// M ẍ + C ẋ + K x = B_2 ü + B_1 u̇ + B_0 u.
struct SecondOrderSystem {
  using Matrix = std::vector<std::vector<GiNaC::ex>>;  ///< by rows
  std::vector<std::string> unknowns = {};
  std::vector<std::string> sources = {};
  Matrix M, C, K;
  std::array<Matrix, 3> B;  ///< by derivative of u
};

/// The matrices of equations whose entries are polynomials of degree 2 at most in the operator.
/// @throws sfg::Error naming the first entry that is not, with its place.
SecondOrderSystem second_order(const EquationSystem&);

}  // namespace sfg
