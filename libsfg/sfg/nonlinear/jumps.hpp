#pragma once
#include <ginac/ex.h>

#include <vector>

#include "sfg/nonlinear/principal_form.hpp"

// Not installed.
namespace sfg {

/// A jump of laws made a number: sign(g) is s, step(g) is (1 + s)/2, floor(g) is l + (s − 1)/2. As long as g does not change its
/// sign s is ±1; while the motion goes along g = 0 it is what keeps it there (Filippov, Differential Equations with Discontinuous
/// Righthand Sides, 1988): the force of a friction that sticks.
struct Jump {
  GiNaC::ex function;  ///< g; of a floor its argument less l
  GiNaC::ex sign;      ///< s
  GiNaC::ex level;     ///< l, of a floor; else 0
  bool whole = false;  ///< of a floor
};

/// Jumps of expressions replaced one after the other; equal ones are one.
class JumpsReplaced : public GiNaC::map_function {
 public:
  GiNaC::ex operator()(const GiNaC::ex&) override;
  std::vector<Jump> jumps;

 private:
  GiNaC::ex sign_of(const GiNaC::ex& function);
};

}  // namespace sfg
