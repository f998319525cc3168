#pragma once
#include <iosfwd>
#include <string>
#include <string_view>

#include "sfg/draw/tikz.hpp"

// Not installed.
namespace sfg {

/// A scene whose looks stand in the table of draw/looks, as a document: every look is a style, to be changed in one place.
void write_tikz_looks(std::ostream&, const Scene&, const TikzOptions&);

/// A decimal number of at most three places.
std::string tikz_number(double);
/// "\definecolor{NAME}{HTML}{RRGGBB}%" of "#rrggbb".
std::string tikz_colour(std::string_view name, std::string_view hexadecimal);

/// From the picture's pixels, y downwards, to centimetres, y upwards.
struct TikzPaper {
  double text_size;  ///< pixels
  double font_size;  ///< points

  double points(double pixels) const { return pixels * font_size / text_size; }
  double length(double pixels) const { return points(pixels) * 2.54 / 72.27; }
  std::string operator()(Point p) const { return '(' + tikz_number(length(p.x)) + ',' + tikz_number(-length(p.y)) + ')'; }
  std::string pt(double pixels) const { return tikz_number(points(pixels)) + "pt"; }
  std::string cm(double pixels) const { return tikz_number(length(pixels)) + "cm"; }
};

/// The outline of a shape. @param anew  begins another path where one is too long for TeX; "": it is not to be split
void write_course(std::ostream&, const TikzPaper&, const SceneShape&, const std::string& anew = "");

/// The document around a picture, or of a fragment the group around it.
/// @param colours  their definitions, "sfgpaper" among them
/// @param picture  from \begin{tikzpicture} to before \end{tikzpicture}
void write_tikz_document(std::ostream&, const std::string& title, const std::string& colours, const std::string& picture,
                         const TikzOptions&);

/// TeX counts in lengths up to 5.7 m. @throws LimitReached above 5 m.
void check_tikz_size(double centimetres);

}  // namespace sfg
