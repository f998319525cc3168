#pragma once
#include <ginac/ex.h>

#include <vector>

#include "sfg/budget.hpp"

namespace sfg {

/// When step, sign, abs, min and max of an expression of time switch.
struct SwitchingTimes {
  std::vector<double> times = {};  ///< ascending; each the zero of an argument to the precision of a double
  bool complete = true;            ///< false: there are more, beyond what was looked for
};
/// The zeros of their arguments in (0, until), by bisection with enclosures of the argument and of its derivative: none is
/// overlooked, however close to another. Where an argument touches 0, or comes too near to it to be told, there is a time too.
SwitchingTimes switching_times(const GiNaC::ex& u, const GiNaC::ex& t, double until, const Budget& = {});

/// The same with step, sign and abs of what is positive or negative everywhere put in: abs(2 exp(x)) is 2 exp(x).
GiNaC::ex with_known_signs(const GiNaC::ex&);

}  // namespace sfg
