#pragma once
#include <ginac/ex.h>

#include <array>
#include <cstddef>
#include <optional>
#include <string>

#include "sfg/transfer/exact_transfer.hpp"

namespace sfg {

/// The type of an open loop L, poles at s = 0 (in z: at 1), and K_p, K_v, K_a: the limits of L, sL and s²L there, in z with
/// (z − 1)/T_s for s.
struct ErrorConstants {
  std::size_t type = 0;
  std::array<std::optional<GiNaC::ex>, 3> constants = {};  ///< nothing: infinite
  std::string note = {};                                   ///< why these are numbers and no closed form
};

/// A polynomial about rest: Σ a_k s^k, or Σ a_k (z − 1)^k, lowest power first.
std::vector<exact::Rational> coefficients_at_rest(const exact::RationalPolynomial&, const Operator&);

/// Numbers.
ErrorConstants error_constants(const ExactTransfer&);
/// In the names of the graph, of the type that the stated values make; agreeing with the numbers for these. Where the closed form
/// is too long, the numbers.
/// @param stated  the answer to the question with the stated values
ErrorConstants error_constants(const SignalFlowGraph&, const Question&, const ExactTransfer& stated, const Budget& = {});

}  // namespace sfg
