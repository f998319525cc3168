#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sfg {

/// Any text as LaTeX in text mode: its special characters escaped, Greek letters and common signs as mathematics; what
/// pdflatex has no glyph for by its number: [U+05E9]. It has no line breaks. Letters with accents want the encoding T1.
std::string latex_text(std::string_view);

/// The formula of one letter, Latin or Greek, with accents, precomposed or combining, or primes: \dot{x} of "ẋ", \bar{\omega}' of
/// "ω̄′". Nothing for any other text, and for a letter with neither.
std::optional<std::string> accented_in_latex(std::string_view word);

/// Bytes of the character at `begin` and of the combining marks behind it.
std::size_t cluster_bytes(std::string_view text, std::size_t begin);

}  // namespace sfg
