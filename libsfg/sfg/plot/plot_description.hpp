#pragma once
#include <string>

#include "sfg/plot/plot.hpp"

// Not installed: plots in words.
namespace sfg {

/// What the axes span and what each curve does: where it begins and ends, its least and its greatest value. One sentence a curve.
std::string data_in_words(const Figure&);

}  // namespace sfg
