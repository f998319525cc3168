#pragma once
#include <ginac/ex.h>

#include <vector>

#include "sfg/multibody/compiled_motion.hpp"

// Not installed.
namespace sfg {

/// Where the equations have jumps and corners: arguments of step, sign and abs, differences of those of min and max.
struct Kinks {
  std::vector<GiNaC::ex> of_time;  ///< in t alone, with numbers for the parameters
  std::vector<GiNaC::ex> of_state;
};
Kinks kinks(const CompiledMotion&);

}  // namespace sfg
