#pragma once
#include <iosfwd>
#include <string>
#include <vector>

#include "sfg/draw/mechanism_shapes.hpp"

// Not installed: what the picture of a mechanism and its animation have in common.
namespace sfg {

/// Where names cover nothing, or little: from their anchors.
std::vector<Point> label_offsets(const MechanismScene&, const MechanismView&);
std::string mechanism_style(bool dark);
/// `<svg …>` with title and description.
void write_opening(std::ostream&, const Mechanism&, const MechanismView&);
void write_part(std::ostream&, const MechanismPart&);
/// @throws LimitReached
void check_size(const Mechanism&);

}  // namespace sfg
