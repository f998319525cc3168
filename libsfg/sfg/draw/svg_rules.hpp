#pragma once
#include <string>

#include "sfg/draw/palette.hpp"

// Not installed.
namespace sfg {

/// The style rules of structural diagrams, matrices and sheets of loops, for the picture with the id `scope`; colours come from
/// the group's `color`.
std::string sheet_rules(const std::string& scope);
/// What of them depends on the paper.
std::string sheet_colours(const std::string& scope, const DrawingPalette&);

}  // namespace sfg
