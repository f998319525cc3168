#pragma once

namespace sfg {

enum class Notation {
  text,     ///< the grammar of parse(): reads back, also in SymPy, Octave and Maxima
  latex,    ///< `\frac{K_{1}}{s \left(1 + T s\right)}`; subscripts from digits and underscores, Greek names as letters
  unicode,  ///< plain readable text: K₁·s²/(1 + T·s), Greek names as letters
  markup,   ///< Graphviz HTML-like text: <I>K</I><SUB>1</SUB>; fractions on one line
  c,
  python,
  octave,
};

/// How the terms of a polynomial are written: k1*s^2 + k2*s^2 collected by powers of its first variable, (k1 + k2)*s^2.
enum class Terms { collected, expanded };

}  // namespace sfg
