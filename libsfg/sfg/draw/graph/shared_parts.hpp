#pragma once
#include <functional>
#include <utility>
#include <vector>

#include "sfg/expr/math_tree.hpp"

namespace sfg {

/// Sums and whole gains that occur in many of the gains, up to their sign, are replaced by names where that makes the picture
/// shorter: with w for h p + k, l_1 (h p + k) is l_1 w.
/// @param next_name  gives a name that nothing else has, each time another one.
/// @returns names and what they stand for; what stands for one may hold others.
std::vector<std::pair<Math, Math>> name_shared_parts(std::vector<Math>& gains, double size,
                                                     const std::function<Math()>& next_name);

}  // namespace sfg
