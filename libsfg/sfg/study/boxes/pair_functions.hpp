#pragma once
#include "sfg/ring/jet.hpp"

// Not installed: of two poles m ± √q, wherever they are, real, a pair or one.
namespace sfg {

/// cosh √x and sinh √x/√x: entire functions of x, of negative ones cos √−x and sin √−x/√−x.
ring::Jet cosh_of_root(const ring::Jet& x);
ring::Jet sinh_of_root(const ring::Jet& x);

double cosh_of_root(double x);
double sinh_of_root(double x);

}  // namespace sfg
