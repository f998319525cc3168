#pragma once
#include <ginac/ex.h>

#include <vector>

#include "sfg/nonlinear/principal.hpp"

// Not installed.
namespace sfg {

/// A jump of laws made a number: sign(g) is s, step(g) is (1 + s)/2 or, where the motion stands at g = 0 and s moves nothing, 1,
/// floor(g) is l + (s − 1)/2. As long as g does not change its sign s is ±1; while the motion goes along g = 0 it is what keeps
/// it there (Filippov, Differential Equations with Discontinuous Righthand Sides, 1988): the force of a friction that sticks.
/// step(−|g|), which holds at g = 0 alone, is 1 as long as the motion goes along it: static friction. hysteresis(u, on, off, M)
/// is M s, whose function has s in it: it never goes along its jump.
enum class JumpKind { sign, grip, floor, relay };

struct Jump {
  GiNaC::ex function;  ///< g; of a floor its argument less l
  GiNaC::ex sign;      ///< s
  GiNaC::ex level;     ///< l of a floor; of a grip and a step 1 where a grip slides, 2 where it stands; else 0
  JumpKind kind = JumpKind::sign;

  bool has_level() const { return !level.is_zero(); }
};

std::vector<JumpKind> kinds(const std::vector<Jump>&);

/// Jumps of expressions replaced one after the other; equal ones are one. What is 0 where it would jump, as u²·sign(u) and
/// sign(u)·√|u| are, has a corner there and nothing to slide along: it stays as it is.
class JumpsReplaced : public GiNaC::map_function {
 public:
  GiNaC::ex in(const GiNaC::ex&);
  std::vector<Jump> jumps;

 private:
  GiNaC::ex operator()(const GiNaC::ex&) override;
  std::size_t number_of(const GiNaC::ex& function, GiNaC::ex& sign);
  GiNaC::ex level_of_grip(const GiNaC::ex& function);
  GiNaC::ex level_of_floor(const GiNaC::ex& argument);
  GiNaC::ex relay(const GiNaC::ex& call);

  GiNaC::exset corners_;  ///< of the expression at hand
};

}  // namespace sfg
