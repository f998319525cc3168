#pragma once
// Not installed: how expressions and transfer functions follow a parameter.
#include <ginac/ex.h>

#include <cstddef>
#include <utility>
#include <vector>

#include "sfg/expr/rational.hpp"
#include "sfg/study/study_parameters.hpp"
#include "sfg/transfer/transfer.hpp"

namespace sfg {

/// The derivative by k of an expression in base and derived parameters, which move along.
GiNaC::ex total_derivative(const GiNaC::ex& expression, const GiNaC::ex& k, const GiNaC::exmap& derived);

/// The variables of the space that depend on k, each with its derivative by k.
std::vector<std::pair<std::size_t, GiNaC::ex>> dependences(const PolynomialSpace&, const GiNaC::ex& k,
                                                           const GiNaC::exmap& derived);

/// ∂T/∂k by one parameter of the studied graph, in lowest terms.
RationalFunction derivative(const TransferFunction&, const StudiedGraph&, const StudyParameter&);

}  // namespace sfg
