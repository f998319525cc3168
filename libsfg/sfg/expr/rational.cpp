#include "sfg/expr/rational.hpp"

#include <ginac/ginac.h>

namespace sfg {
bool vanishes(const GiNaC::ex& e) { return e.expand().is_zero(); }
}  // namespace sfg
