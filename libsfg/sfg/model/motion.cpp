#include "sfg/model/motion.hpp"

#include <ginac/ginac.h>

#include <algorithm>

namespace sfg {

EquationsOfMotion EquationsOfMotion::without_definitions() const {
  constexpr unsigned plain = GiNaC::subs_options::no_pattern;
  GiNaC::exmap values;
  for (const Definition& definition : definitions) values[definition.symbol] = definition.value.subs(values, plain);
  EquationsOfMotion result = *this;
  result.definitions.clear();
  for (auto& row : result.M)
    for (GiNaC::ex& entry : row) entry = entry.subs(values, plain);
  for (GiNaC::ex& force : result.F) force = force.subs(values, plain);
  for (Coordinate& coordinate : result.coordinates) coordinate.rate = coordinate.rate.subs(values, plain);
  for (Constraint& constraint : result.constraints) {
    constraint.value = constraint.value.subs(values, plain);
    for (GiNaC::ex& entry : constraint.row) entry = entry.subs(values, plain);
    constraint.rate = constraint.rate.subs(values, plain);
    constraint.gamma = constraint.gamma.subs(values, plain);
    constraint.of_rates = constraint.of_rates.subs(values, plain);
  }
  return result;
}

EquationsOfMotion::Matrix EquationsOfMotion::jacobian() const {
  if (!definitions.empty()) return without_definitions().jacobian();
  Matrix J;
  for (const Constraint& constraint : constraints) {
    J.push_back(constraint.row);
    if (!constraint.row.empty()) continue;
    for (const Coordinate& coordinate : coordinates)
      J.back().push_back(constraint.value.diff(GiNaC::ex_to<GiNaC::symbol>(coordinate.q)));
  }
  return J;
}

std::size_t EquationsOfMotion::holonomic() const {
  return static_cast<std::size_t>(std::ranges::count_if(constraints, [](const Constraint& c) { return !c.is_of_rates(); }));
}

}  // namespace sfg
