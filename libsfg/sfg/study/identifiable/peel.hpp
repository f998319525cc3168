#pragma once
#include "sfg/study/identifiable/told.hpp"

// Not installed: what is told, made shorter.
namespace sfg {

/// Finds parameters that follow from two coefficients, and shortens the others by what is found: only `groups` and `found`
/// change.
void peel(Told&);

}  // namespace sfg
