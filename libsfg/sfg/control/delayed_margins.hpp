#pragma once
#include "sfg/control/margins.hpp"

// Not installed.
namespace sfg {

/// Phase crossovers, modulus and disk margins of L = R e^(−τs), R rational and not 0; the gain crossovers of `margins` and whether
/// the closed loop is stable are known already.
void find_delayed_margins(Margins& margins, const ExactTransfer& L);

}  // namespace sfg
