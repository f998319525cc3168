#pragma once
#include <iosfwd>
#include <string>
#include <string_view>

#include "sfg/draw/tikz.hpp"

// Not installed: what every picture in TikZ stands in.
namespace sfg {

/// A decimal number of at most three places.
std::string tikz_number(double);
/// "\definecolor{NAME}{HTML}{RRGGBB}%" of "#rrggbb".
std::string tikz_colour(std::string_view name, std::string_view hexadecimal);

/// The document around a picture, or of a fragment the group around it.
/// @param colours  their definitions, "sfgpaper" among them
/// @param picture  from \begin{tikzpicture} to before \end{tikzpicture}
void write_tikz_document(std::ostream&, const std::string& title, const std::string& colours, const std::string& picture,
                         const TikzOptions&);

/// TeX counts in lengths up to 5.7 m. @throws LimitReached above 5 m.
void check_tikz_size(double centimetres);

}  // namespace sfg
