#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include "sfg/expr/symbol_table.hpp"

// Not installed.
namespace sfg {

/// What the small rotation is called whose rate is a speed of no coordinate: theta1x of w1x, theta_r of r; with as many underlines
/// behind it as make it a new name.
inline std::string small_rotation_name(const std::string& speed, const std::vector<std::string>& coordinates,
                                       const SymbolTable& symbols) {
  std::string name = speed.starts_with('w') ? "theta" + speed.substr(1) : "theta_" + speed;
  while (std::ranges::find(coordinates, name) != coordinates.end() || symbols.find(name) != nullptr) name += '_';
  return name;
}

}  // namespace sfg
