#pragma once
#include <ginac/ex.h>

#include <vector>

// Not installed: laws with memory as functions of a memory value, and what the switches of laws are.
namespace sfg {

/// A backlash or a relay with hysteresis in a law, made a function of the signal that it follows and of its memory z.
struct MemoryTerm {
  GiNaC::ex call;    ///< as it stands in the law
  GiNaC::ex memory;  ///< z
  bool relay = false;
  std::size_t law = 0;
  GiNaC::ex followed;                      ///< u
  GiNaC::ex next;                          ///< z after u has come here
  GiNaC::ex low, high;                     ///< between which z may be at this u
  std::vector<GiNaC::ex> thresholds = {};  ///< zero where the output begins to move, or jumps
};

/// A function that is zero where a law has a corner or a jump.
struct Switch {
  GiNaC::ex function;
  bool jumps = false;
};

struct ExplicitLaws {
  std::vector<GiNaC::ex> laws;       ///< of arguments and memories
  std::vector<MemoryTerm> memories;  ///< inner ones before those that follow them
  std::vector<Switch> switches;
};

ExplicitLaws explicit_laws(const std::vector<GiNaC::ex>& laws);

/// Whether static friction stands in it, step(−|v|): a value that holds at v = 0 alone.
bool has_grip(const GiNaC::ex& law);

/// Whether a backlash or a relay with hysteresis stands in it.
bool has_memory(const GiNaC::ex& law);

}  // namespace sfg
