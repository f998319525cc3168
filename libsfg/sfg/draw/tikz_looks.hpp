#pragma once
#include <iosfwd>

#include "sfg/draw/tikz.hpp"

// Not installed.
namespace sfg {

/// A scene whose looks stand in the table of draw/looks, as a document: every look is a style, to be changed in one place.
void write_tikz_looks(std::ostream&, const Scene&, const TikzOptions&);

}  // namespace sfg
