#pragma once
#include <ginac/ex.h>

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "sfg/expr/rational.hpp"
#include "sfg/study/study_parameters.hpp"
#include "sfg/transfer/exact_transfer.hpp"
#include "sfg/transfer/question.hpp"
#include "sfg/transfer/transfer.hpp"

namespace sfg {

/// ∂T/∂k as a transfer function with exact numbers, for every pass that takes one: its value at a frequency, its step response,
/// which is how that of T changes. 0 where k has no influence.
/// @throws as transfer_function() and exact_transfer().
ExactTransfer exact_sensitivity(const StudiedGraph&, const Question&, const StudyParameter&, const TransferOptions& = {});
/// Of several transfer functions, solved for together.
std::vector<ExactTransfer> exact_sensitivities(const StudiedGraph&, std::span<const Question>, const StudyParameter&,
                                               const TransferOptions& = {});

/// The derivative by k of an expression in base and derived parameters, which move along.
GiNaC::ex total_derivative(const GiNaC::ex& expression, const GiNaC::ex& k, const GiNaC::exmap& derived);

/// The variables of the space that depend on k, each with its derivative by k.
std::vector<std::pair<std::size_t, GiNaC::ex>> dependences(const PolynomialSpace&, const GiNaC::ex& k,
                                                           const GiNaC::exmap& derived);

/// ∂T/∂k by one parameter of the studied graph, in lowest terms.
RationalFunction derivative(const TransferFunction&, const StudiedGraph&, const StudyParameter&);

}  // namespace sfg
