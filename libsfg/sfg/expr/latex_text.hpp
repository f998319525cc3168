#pragma once
#include <string>
#include <string_view>

namespace sfg {

/// Any text as LaTeX in text mode: its special characters escaped, Greek letters and common signs as mathematics; what
/// pdflatex has no glyph for by its number: [U+05E9]. It has no line breaks. Letters with accents want the encoding T1.
std::string latex_text(std::string_view);

}  // namespace sfg
