#pragma once
#include <ginac/ginac.h>

#include "sfg/model/lagrangian.hpp"
#include "sfg/model/motion.hpp"

namespace sfg::test {

/// A pendulum as a mass that a constraint keeps at the distance l from its hinge: m ẍ = 2 x λ, m ÿ = −m g + 2 y λ.
inline EquationsOfMotion constrained_pendulum() {
  EquationsOfMotion motion;
  const auto symbol = [&](const char* name) { return GiNaC::ex(motion.symbols.symbol(name)); };
  const GiNaC::ex m = symbol("m"), g = symbol("g"), l = symbol("l"), square = symbol("square");
  for (const char* name : {"x", "y"}) motion.coordinates.push_back({name, symbol(name), symbol(rate_name(name).c_str()), {}});
  const GiNaC::ex x = motion.coordinates[0].q, y = motion.coordinates[1].q, F = symbol("F");
  motion.inputs.push_back({"F", SourceKind::force, {F}, {}});
  motion.M = {{m, 0}, {0, m}};
  motion.F = {F, -m * g};
  motion.definitions.push_back({square, x * x + y * y, {}});
  motion.constraints.push_back({"rod", square - l * l, symbol("lambda"), {}});
  return motion;
}

}  // namespace sfg::test
