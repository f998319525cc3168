#pragma once
#include <ginac/ex.h>

#include <cstddef>
#include <utility>
#include <vector>

#include "sfg/expr/rational.hpp"

// Not installed: how expressions follow a parameter.
namespace sfg {

/// The derivative by k of an expression in base and derived parameters, which move along.
GiNaC::ex total_derivative(const GiNaC::ex& expression, const GiNaC::ex& k, const GiNaC::exmap& derived);

/// The variables of the space that depend on k, each with its derivative by k.
std::vector<std::pair<std::size_t, GiNaC::ex>> dependences(const PolynomialSpace&, const GiNaC::ex& k,
                                                           const GiNaC::exmap& derived);

}  // namespace sfg
