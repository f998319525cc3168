#pragma once
#include <ginac/ex.h>

#include <complex>
#include <optional>

#include "sfg/budget.hpp"
#include "sfg/transfer/question.hpp"

namespace sfg {

/// Values of two transfer functions at a point, each in a ball (Arb) that does not touch the other's: proof that they differ.
struct ApartValues {
  std::complex<double> a, b;
};

/// @param point  a number for every symbol that matters: rational, or a constant such as sqrt(2); the operator may be complex
/// @returns nothing where no difference is seen with 2048 bits, where one of them has no value at the point, where a function of
///          a real number has no real value there (roots and powers apart, which are principal values), where a function has no
///          balls (tables), and for more than 400 nodes.
std::optional<ApartValues> apart_at(const SignalFlowGraph& a, const Question& of_a, const SignalFlowGraph& b,
                                    const Question& of_b, const GiNaC::exmap& point, const Budget& = {});

}  // namespace sfg
