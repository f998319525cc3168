#pragma once
#include <string>
#include <vector>

#include "sfg/draw/formula.hpp"

// Not installed: captions set in type, in the letters of diagrams.
namespace sfg {

/// On one line. Names are set as diagrams set them: letters slanted, indices lowered; what is no name of the grammar, or needs
/// more than a line, stays upright.
TextRow set(const Caption&, double size);
/// In LaTeX, the same names as formulas.
std::string latex(const Caption&);
double width_of(const Caption&, double size);

/// The caption itself, or its beginning and its end with "…" between where it is wider.
Caption shortened(const Caption&, double size, double width);
/// Lines no wider than that, broken between words; the last one that is allowed is shortened.
std::vector<Caption> wrapped(const Caption&, double size, double width, std::size_t most_lines);

}  // namespace sfg
